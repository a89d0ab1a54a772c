import { readJson } from './json-body.ts';

const MARK = 'the list';
const MOST_BYTES_AROUND = 64_000;

/**
 * The bytes of the list in `{ …, "data": [ … ], … }`: if they are unchanged, so is the list, whatever timestamps the
 * server puts beside it. Undefined when they cannot be located for certain: the rest is parsed with a marker in place
 * of the list, and `data` must then be that marker.
 */
export function listBytes(body: Buffer): Buffer | undefined {
  const start = body.indexOf('[', body.indexOf('"data"'));
  const end = body.lastIndexOf(']') + 1;
  if (start < 0 || end <= start || body.length - (end - start) > MOST_BYTES_AROUND) return undefined;
  const around = [body.subarray(0, start), Buffer.from(JSON.stringify([MARK])), body.subarray(end)];
  const read = readJson(Buffer.concat(around));
  if (!read.ok || read.value === null || typeof read.value !== 'object' || !('data' in read.value))
    return undefined;
  const { data, success } = read.value;
  const isThere = Array.isArray(data) && data[0] === MARK;
  // Without `success: true` the answer may be a refusal.
  return isThere && success === true ? body.subarray(start, end) : undefined;
}
