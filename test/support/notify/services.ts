import type { Receiver } from '../http/receiver.ts';

/** Answers each request as the service does whose kind of message it is. */
export const asServicesDo: Receiver['answer'] = ({ path, headers, body }, response) => {
  const [status, text] = answerTo(path, headers, body);
  response.writeHead(status).end(text);
};

let count = 0;

export function answerTo(path: string, headers: Record<string, unknown>, body: string): [number, string] {
  count += 1;
  if (/\/bot[^/]*\//.test(path)) return [200, JSON.stringify({ ok: true, result: { message_id: count } })];
  if (path.includes('wait=true')) return [200, JSON.stringify({ id: `${count}`, content: '' })];
  if (headers['x-gotify-key'] !== undefined) return [200, JSON.stringify({ id: count })];
  if (headers.title !== undefined) return [200, JSON.stringify({ id: `m${count}`, event: 'message' })];
  const { text, type, attachments, format } = JSON.parse(body === '' ? '{}' : body);
  if (typeof text === 'string') return [200, 'ok'];
  if (format === 'text') return [200, JSON.stringify({ error: null, details: [] })];
  return type === 'message' && attachments !== undefined ? [202, ''] : [204, ''];
}
