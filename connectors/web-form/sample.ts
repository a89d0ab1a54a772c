import type { IntakeRequest } from '../../src/connector.ts';

/**
 * A sample saved to a file has lost its content type. What is plainly no JSON is taken for what it looks like, unless
 * a content type other than the command's default was given with it.
 */
export function asSaved(request: IntakeRequest): IntakeRequest {
  const type = request.headers['content-type'];
  const text = request.body.toString('utf8').trimStart();
  if ((type !== undefined && type !== 'application/json') || /^[[{\uFEFF]/.test(text)) return request;
  const [, boundary] = /^--([^\r\n]+)/.exec(text) ?? [];
  const looks = boundary
    ? `multipart/form-data; boundary=${boundary}`
    : /^[^\s=&]+=/.test(text)
      ? 'application/x-www-form-urlencoded'
      : 'text/plain';
  // An editor adds a line end to the last value.
  const body = boundary ? request.body : Buffer.from(text.trimEnd());
  return { ...request, body, headers: { ...request.headers, 'content-type': looks } };
}
