import type { Json } from '../model/json.ts';

/** A body as JSON, or what it is instead. */
export type JsonBody = { ok: true; value: Json } | { ok: false; problem: BodyProblem };
export type BodyProblem = 'empty' | 'html' | 'cut' | 'not_json' | 'not_utf8' | 'too_deep';

/** Whatever walks the value afterwards may recurse; the specification needs five levels. */
const DEEPEST = 100;

/** `lenient` takes bytes that are no UTF-8 as U+FFFD, for answers of which only numbers and booleans are used. */
export function readJson(body: Buffer, { lenient = false } = {}): JsonBody {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: !lenient }).decode(body).trim();
  } catch {
    return { ok: false, problem: 'not_utf8' };
  }
  if (text === '') return { ok: false, problem: 'empty' };
  if (isTooDeep(body)) return { ok: false, problem: 'too_deep' };
  try {
    return { ok: true, value: JSON.parse(text) as Json };
  } catch {
    if (text.startsWith('<')) return { ok: false, problem: 'html' };
    return { ok: false, problem: /^[{[]/.test(text) && !/[}\]]$/.test(text) ? 'cut' : 'not_json' };
  }
}

export function describeBody(problem: BodyProblem): string {
  switch (problem) {
    case 'empty':
      return 'the answer is empty';
    case 'html':
      return 'the answer is a web page, not JSON';
    case 'cut':
      return 'the answer was cut short';
    case 'not_json':
      return 'the answer is not JSON';
    case 'not_utf8':
      return 'the answer is not UTF-8';
    case 'too_deep':
      return 'the answer is nested too deeply';
  }
}

const [QUOTE, BACKSLASH, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [...Buffer.from('"\\[]{}')];

function isTooDeep(body: Buffer): boolean {
  let depth = 0;
  let inString = false;
  for (let i = 0; i < body.length; i += 1) {
    const byte = body[i];
    if (inString) {
      if (byte === BACKSLASH) i += 1;
      else if (byte === QUOTE) inString = false;
    } else if (byte === QUOTE) inString = true;
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      depth += 1;
      if (depth > DEEPEST) return true;
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth -= 1;
  }
  return false;
}
