import type { Json } from '../../platform/json.ts';
import { isWebPage } from '../../platform/web-page.ts';

/** A body as JSON, or what it is instead. */
type JsonBody = { ok: true; value: Json } | { ok: false; problem: BodyProblem };
type BodyProblem = 'empty' | 'html' | 'cut' | 'not_json' | 'not_utf8' | 'too_deep';

/** Lets code that walks the value recurse safely; the specification needs five levels. */
const DEEPEST = 100;

/** `lenient` reads invalid UTF-8 as U+FFFD, for answers of which only numbers and booleans are used. */
export function readJson(body: Buffer, { lenient = false } = {}): JsonBody {
  const whole = decoded(body, lenient);
  if (whole === undefined) return { ok: false, problem: 'not_utf8' };
  const text = whole.slice(noiseBefore(whole));
  if (text === '') return { ok: false, problem: 'empty' };
  try {
    const value = (numberAsFee.test(text) ? JSON.parse(text, exactFee) : JSON.parse(text)) as Json;
    return isTooDeep(value) ? { ok: false, problem: 'too_deep' } : { ok: true, value };
  } catch {
    if (isWebPage(text)) return { ok: false, problem: 'html' };
    return { ok: false, problem: /^[{[]/.test(text) && !/[}\]]$/.test(text) ? 'cut' : 'not_json' };
  }
}

const phpMessage =
  /(?:<br ?\/?>\s*)*(?:<b>)?(?:PHP )?(?:Deprecated|Warning|Notice|Strict Standards)(?:<\/b>)?: [^\n]*? on line (?:<b>)?\d+(?:<\/b>)?(?:\s*<br ?\/?>)?\s*/y;

/** Messages of PHP (display_errors) in front of the answer: their length. What is behind them is read whole or not at all. */
function noiseBefore(text: string): number {
  let end = 0;
  for (phpMessage.lastIndex = 0; phpMessage.test(text); end = phpMessage.lastIndex);
  return /^[{[]/.test(text.slice(end, end + 1)) ? end : 0;
}

/** Whether the clinic's server writes its own messages into its answers, which whoever runs it should know. */
export const hasNoise = (body: Buffer): boolean => noiseBefore(body.toString('utf8', 0, 4_096).trim()) > 0;

function decoded(body: Buffer, lenient: boolean): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: !lenient }).decode(body).trim();
  } catch {
    return undefined;
  }
}

const numberAsFee = /"\w+_fee"\s*:\s*-?\d/;

/** A fee sent as a number keeps the digits that a number would lose: `850.50` would become 850.5. */
function exactFee(key: string, value: unknown, { source }: { source?: string } = {}): unknown {
  const loses = typeof value === 'number' && source !== undefined && source !== String(value);
  return loses && key.endsWith('_fee') && /^-?\d+(\.\d+)?$/.test(source) ? source : value;
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

/** Stops at `DEEPEST`, so that it cannot overflow the stack itself. */
function isTooDeep(value: Json, left = DEEPEST): boolean {
  if (value === null || typeof value !== 'object') return false;
  if (left === 0) return true;
  if (Array.isArray(value)) return value.some((item) => isTooDeep(item, left - 1));
  for (const key in value) if (isTooDeep(value[key] ?? null, left - 1)) return true;
  return false;
}
