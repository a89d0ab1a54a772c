import { readJson } from './json-body.ts';

const MARK = 'the list';
const MOST_BYTES_AROUND = 64_000;

/**
 * Of an answer `{ …, "data": [ … ], … }` the bytes of the list: when they are the same again, so is the list, whatever time
 * or number the server puts beside it. Undefined when they cannot be told for certain. What is around them is read with
 * another list in their place, which must then be the `data` of the answer.
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
  // Anything else may be a no, whose list is not to be used.
  return isThere && success === true ? body.subarray(start, end) : undefined;
}
