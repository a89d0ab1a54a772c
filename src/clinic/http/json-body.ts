import type { Json } from '../../platform/json.ts';
import { isWebPage } from '../../platform/network/web-page.ts';

/** A body as JSON, or what it is instead. */
type JsonBody = { ok: true; value: Json } | { ok: false; problem: BodyProblem };
type BodyProblem =
  | 'empty'
  | 'html'
  | 'cut'
  | 'not_json'
  | 'not_utf8'
  | 'compressed'
  | 'too_deep'
  | 'too_many';

/** Lets code that walks the value recurse safely; the specification needs five levels. */
const DEEPEST = 100;
/** Values in an answer: 40 for each row of the longest list; a bracket or comma counts as one. */
const MOST_VALUES = 400_000;
/** Of one object, which would be slow to read and to compare: ten times what the largest has. */
const MOST_MEMBERS = 2_000;

/** How a gzip file begins (RFC 1952, 2.3.1); neither begins a JSON text. */
const GZIP = [0x1f, 0x8b];

/** `lenient` reads invalid UTF-8 as U+FFFD, for answers of which only numbers and booleans are used. */
export function readJson(body: Buffer, { lenient = false } = {}): JsonBody {
  const whole = decoded(body, lenient);
  if (body[0] === GZIP[0] && body[1] === GZIP[1]) return { ok: false, problem: 'compressed' };
  if (whole === undefined) return { ok: false, problem: 'not_utf8' };
  const text = whole.slice(noiseBefore(whole), endOf(whole));
  if (text === '') return { ok: false, problem: 'empty' };
  const problem = excessOf(text);
  if (problem !== undefined) return { ok: false, problem };
  try {
    const value = (numberAsFee.test(text) ? JSON.parse(text, exactFee) : JSON.parse(text)) as Json;
    return { ok: true, value };
  } catch {
    if (isWebPage(text)) return { ok: false, problem: 'html' };
    return { ok: false, problem: /^[{[]/.test(text) && !/[}\]]$/.test(text) ? 'cut' : 'not_json' };
  }
}

const phpMessage =
  /(?:<br ?\/?>\s*)*(?:<b>)?(?:PHP )?(?:Deprecated|Warning|Notice|Strict Standards)(?:<\/b>)?: [^\n]*? on line (?:<b>)?\d+(?:<\/b>)?(?:\s*<br ?\/?>)?\s*/y;

/** Characters of messages behind an answer. */
const LONGEST_NOISE = 4_096;

/** The length of the messages that a text begins with. */
function messagesIn(text: string): number {
  let end = 0;
  for (phpMessage.lastIndex = 0; phpMessage.test(text); end = phpMessage.lastIndex);
  return end;
}

/**
 * Messages of PHP (display_errors) in front of the answer: their length. What is behind them is read whole or not at
 * all.
 */
function noiseBefore(text: string): number {
  const end = messagesIn(text);
  return /^[{[]/.test(text.slice(end, end + 1)) ? end : 0;
}

/** Where the answer ends: before PHP's messages about the end of a script. */
function endOf(text: string): number {
  if (/[}\]]$/.test(text)) return text.length;
  for (let at = Math.max(0, text.length - LONGEST_NOISE); at < text.length; at += 1) {
    if (text[at] !== '}' && text[at] !== ']') continue;
    const behind = text.slice(at + 1).trimStart();
    if (behind !== '' && messagesIn(behind) === behind.length) return at + 1;
  }
  return text.length;
}

/** Whether the clinic's server writes its own messages into its answers, which whoever runs it should know. */
export function hasNoise(body: Buffer): boolean {
  const end = body.toString('utf8', Math.max(0, body.length - LONGEST_NOISE)).trim();
  return noiseBefore(body.toString('utf8', 0, LONGEST_NOISE).trim()) > 0 || endOf(end) < end.length;
}

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
    case 'compressed':
      return 'the answer is compressed without saying so (no content-encoding: gzip)';
    case 'too_deep':
      return 'the answer is nested too deeply';
    case 'too_many':
      return 'the answer has too many values';
  }
}

/** Counted before parsing, which would take a hundred times the memory of the text. */
function excessOf(text: string): 'too_deep' | 'too_many' | undefined {
  /** How much more each open list and object may have. */
  const room: number[] = [];
  let values = 0;
  for (const code of signsIn(text)) {
    const at = room.length - 1;
    if (code === COMMA) room[at] = (room[at] ?? 0) - 1;
    else if (code in MOST_IN) room.push(MOST_IN[code] ?? 0);
    else room.pop();
    values += 1;
    if (room.length > DEEPEST) return 'too_deep';
    if (values > MOST_VALUES || (room.at(-1) ?? 0) < 0) return 'too_many';
  }
  return undefined;
}

/** The brackets and commas that are in no text. */
function* signsIn(text: string): Generator<number> {
  let isText = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (isText && code === BACKSLASH) at += 1;
    else if (code === QUOTE) isText = !isText;
    else if (!isText && SIGNS.has(code)) yield code;
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
/** `[` and `{`. */
const MOST_IN: Readonly<Record<number, number>> = { 91: MOST_VALUES, 123: MOST_MEMBERS };
const SIGNS: ReadonlySet<number> = new Set([...',[]{}'].map((sign) => sign.charCodeAt(0)));
