import { posix } from 'node:path';
import { DAY, MINUTE, SECOND } from '../../../../src/platform/duration.ts';
import { TITLE_LINES } from './records.ts';
import { zipPartsOf } from './unzip.ts';

/** A sheet that people see, as text; days are YYYY-MM-DD and times HH:MM. */
export interface Sheet {
  /** Those rows that may name the columns. */
  top: string[][];
  csv: Buffer;
}

/** What is made of all sheets of a workbook. It is small where a few bytes refer to much: the daemon has 256 MB. */
const LIMITS = { sheets: 250, rows: 200_000, items: 600_000, bytes: 16_000_000 };

/** Throws a RangeError for what goes beyond a limit, before it is made. */
type Spend = (what: keyof typeof LIMITS, count: number) => void;

function budget(): Spend {
  const left = { ...LIMITS };
  return (what, count) => {
    left[what] -= count;
    if (!(left[what] >= 0)) throw new RangeError(`too many ${what}`);
  };
}

export async function readSheets(bytes: Buffer): Promise<Sheet[]> {
  const part = zipPartsOf(bytes);
  const spend = budget();
  const shown: string[] = [];
  let has1904 = false;
  for await (const { name, attributes } of tags(part('xl/workbook.xml'))) {
    has1904 ||= /^(?:1|true)$/.test(attributes.date1904 ?? '');
    if (name !== 'sheet' || (attributes.state ?? 'visible') !== 'visible') continue;
    spend('sheets', 1);
    shown.push(owned(attributes.id ?? ''));
  }
  const targets = await targetsOf(new Set(shown), tags(part('xl/_rels/workbook.xml.rels')));
  const looks: Looks = {
    shared: await texts(tags(part('xl/sharedStrings.xml')), spend),
    kinds: await kindsIn(tags(part('xl/styles.xml')), spend),
    epoch: has1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, 30),
  };
  const sheets: Sheet[] = [];
  for (const id of shown) {
    const target = targets.get(id) ?? '';
    const path = target.startsWith('/') ? target.slice(1) : posix.join('xl', target);
    sheets.push(await sheetIn(tags(part(path)), looks, spend));
  }
  return sheets;
}

async function targetsOf(ids: ReadonlySet<string>, xml: AsyncIterable<Tag>): Promise<Map<string, string>> {
  const targets = new Map<string, string>();
  for await (const { attributes } of xml)
    if (attributes.Id !== undefined && ids.has(attributes.Id))
      targets.set(attributes.Id, owned(attributes.Target ?? ''));
  return targets;
}

interface Tag {
  /** Without its namespace; `/` in front of the name closes it. */
  name: string;
  attributes: Readonly<Record<string, string>>;
  /** The text up to the next tag. */
  text: string;
}

const tag = /<(\/?)(?:[\w.-]+:)?([\w.-]+)(?![\w.-])((?:[^<>"']|"[^"<]*"|'[^'<]*')*)>([^<]*)/g;
const attribute = /(?<![\w.-])([\w.-]+)=(?:"([^"]*)"|'([^']*)')/g;

/** A cell has 32,767 characters at most, of which each may be escaped. */
const LONGEST_TAG = 2 ** 18;

async function* tags(xml: AsyncIterable<string>): AsyncGenerator<Tag> {
  let rest = '';
  for await (const piece of xml) {
    rest += piece;
    // The last tag may not be whole; it begins here, as `<` is in no value.
    const end = Math.max(0, rest.lastIndexOf('<'));
    yield* wholeTags(rest.slice(0, end));
    rest = rest.slice(end);
    if (rest.length > LONGEST_TAG) throw new RangeError('too long');
  }
  yield* wholeTags(rest);
}

const wanted = new Set(['Id', 'Target', 'date1904', 'formatCode', 'id', 'numFmtId', 'r', 's', 'state', 't']);

function* wholeTags(xml: string): Generator<Tag> {
  if (xml.includes('<![CDATA[')) throw new RangeError('sections are not read');
  for (const [, close = '', name = '', inside = '', text = ''] of xml.matchAll(tag)) {
    const attributes: Record<string, string> = Object.create(null);
    for (const [, key = '', one, other] of inside.matchAll(attribute))
      if (wanted.has(key)) attributes[key] = decoded(one ?? other ?? '');
    yield { name: close + name, attributes, text: decoded(text) };
  }
}

/** Its own copy: a part of a string keeps the whole in memory. */
const owned = (text: string): string => (text.length < 13 ? text : Buffer.from(text).toString());

const named: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const decoded = (text: string): string =>
  text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(amp|lt|gt|quot|apos));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return named[name.toLowerCase()] ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
/** How Excel writes characters that XML does not have. */
const unescaped = (text: string): string =>
  text.replace(/_x([0-9A-F]{4})_/gi, (_whole, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

/** The text of each item of the shared strings, of whatever runs it has, without how it is pronounced. */
async function texts(xml: AsyncIterable<Tag>, spend: Spend): Promise<string[]> {
  const found: string[] = [];
  let isPhonetic = false;
  for await (const { name, text } of xml) {
    if (name === 'rPh' || name === '/rPh') isPhonetic = name === 'rPh';
    const isText = name === 't' && !isPhonetic;
    if (name !== 'si' && !isText) continue;
    if (name === 'si') found.push('');
    else found[found.length - 1] = owned((found.at(-1) ?? '') + unescaped(text));
    spend('items', name === 'si' ? 1 : 0);
    spend('bytes', isText ? Buffer.byteLength(found.at(-1) ?? '') : 0);
  }
  return found;
}

/** Of numbers: days, times of day, or digits in groups, each up to a value. */
type Kind = 'date' | 'time' | readonly Digits[] | undefined;

interface Digits {
  most: number;
  /** `0`, `#` and `?` stand for a digit each; the others for themselves. */
  signs: readonly { sign: string; isDigit: boolean }[];
}

interface Looks {
  shared: readonly string[];
  /** Of each style of cells. */
  kinds: readonly Kind[];
  /** The day from which days are counted. */
  epoch: number;
}

async function kindsIn(xml: AsyncIterable<Tag>, spend: Spend): Promise<Kind[]> {
  const formats = new Map<number, Kind>();
  const kinds: Kind[] = [];
  let isOfCells = false;
  for await (const { name, attributes } of xml) {
    if (name === 'xf') spend('items', 1);
    if (name === 'numFmt') {
      const code = attributes.formatCode ?? '';
      // Each of its signs is kept.
      spend('items', 1 + code.length);
      formats.set(Number(attributes.numFmtId), kindOfFormat(code));
    }
    if (name.endsWith('cellXfs')) isOfCells = name === 'cellXfs';
    const id = Number(attributes.numFmtId);
    if (name === 'xf' && isOfCells) kinds.push(formats.has(id) ? formats.get(id) : kindOfBuiltIn(id));
  }
  return kinds;
}

function kindOfFormat(code: string): Kind {
  const letters = code.replace(/"[^"]*"|\[[^[\]]*\]|\\./g, '');
  if (/[dy]|mmm/i.test(letters)) return 'date';
  return /[hs]/i.test(letters) ? 'time' : digitsIn(code);
}

const LONGEST_FORMAT = 255;
const signOfFormat = /"([^"]*)"|\\(.)|([0#?])|\[([^\]]*)\]|_.|\*.|([ ()+/:-])|(.)/gsu;

/** Phone numbers and codes, whose zeros only the format has: `00000000000`, `\(000\) 000-0000`; nothing for amounts. */
function digitsIn(code: string): readonly Digits[] | undefined {
  if (code.length > LONGEST_FORMAT) return undefined;
  const sections = (code.match(/(?:"[^"]*"|\\.|[^;"\\])+/gsu) ?? []).map(sectionIn);
  const first = sections.indexOf(undefined);
  const found = sections.slice(0, first < 0 ? undefined : first).flatMap((section) => section ?? []);
  return found.length > 0 ? found : undefined;
}

/** Undefined for one with another sign. */
function sectionIn(section: string): Digits | undefined {
  let limit: string | undefined;
  const signs: { sign: string; isDigit: boolean }[] = [];
  for (const [, quoted, escaped, digit, inside, plain, other] of section.matchAll(signOfFormat)) {
    if (other !== undefined) return undefined;
    limit ??= /^<=(\d+)$/.exec(inside ?? '')?.[1];
    const literal = quoted ?? escaped ?? plain ?? '';
    signs.push(...[...(digit ?? literal)].map((sign) => ({ sign, isDigit: digit !== undefined })));
  }
  const most = Number(limit ?? Number.MAX_SAFE_INTEGER);
  return signs.some(({ isDigit }) => isDigit) ? { signs, most } : undefined;
}

/** The digits of a whole number in the places of its format; more than there are places stand in front of the first. */
function inDigits(value: number, kind: readonly Digits[]): string {
  const signs = kind.find(({ most }) => value <= most)?.signs;
  if (signs === undefined || !Number.isSafeInteger(value) || value < 0) return String(value);
  const places = signs.filter(({ isDigit }) => isDigit).length;
  const digits = String(value).padStart(places, ' ');
  let at = 0;
  return signs
    .map(({ sign, isDigit }) => {
      if (!isDigit) return sign;
      const end = digits.length - places + 1 + at;
      const shown = at === 0 ? digits.slice(0, end) : digits.slice(end - 1, end);
      at += 1;
      return shown.replace(' ', sign === '0' ? '0' : '');
    })
    .join('')
    .trim();
}

/** ECMA-376, 18.8.30. */
function kindOfBuiltIn(id: number): Kind {
  const isIn = (from: number, to: number) => id >= from && id <= to;
  if (isIn(14, 17) || id === 22 || isIn(27, 31) || isIn(34, 36) || isIn(50, 54) || isIn(57, 58))
    return 'date';
  return isIn(18, 21) || isIn(32, 33) || isIn(45, 47) || isIn(55, 56) ? 'time' : undefined;
}

/** Excel's limit is far above. */
const MOST_COLUMNS = 1_000;

interface Cell {
  column: number;
  type: string;
  style: number;
}

async function sheetIn(xml: AsyncIterable<Tag>, looks: Looks, spend: Spend): Promise<Sheet> {
  const lines = csvLines(spend);
  let row: string[] = [];
  let number = 0;
  let cell: Cell | undefined;
  for await (const { name, attributes, text } of xml) {
    if (name === 'row') {
      lines.add(row, number);
      row = [];
      number = Number(attributes.r ?? number + 1);
      cell = undefined;
    } else if (name === 'c') cell = cellOf(attributes, (cell?.column ?? -1) + 1);
    else if (cell !== undefined && (name === 'v' || name === 't')) addText(row, cell, text, looks, spend);
  }
  lines.add(row, number);
  return lines.sheet();
}

const CHUNK = 2 ** 16;

/** Rows without text are left out at the end; those before one with text keep their numbers. */
function csvLines(spend: Spend) {
  const top: string[][] = [];
  const chunks: Buffer[] = [];
  let rows = 0;
  let text = '';
  const flush = () => {
    chunks.push(Buffer.from(text));
    text = '';
  };
  return {
    add(row: string[], number: number): void {
      if (row.length === 0) return;
      const blank = Math.max(0, (number || 0) - 1 - rows);
      spend('rows', blank + 1);
      for (let n = rows; n < rows + blank && n <= TITLE_LINES; n += 1) top.push([]);
      rows += blank + 1;
      if (rows <= TITLE_LINES + 1) top.push(row);
      text += '\r\n'.repeat(blank) + line(row);
      if (text.length >= CHUNK) flush();
    },
    sheet(): Sheet {
      flush();
      return { top, csv: Buffer.concat(chunks) };
    },
  };
}

const quoted = (cell: string): string => `"${cell.replaceAll('"', '""')}"`;
const line = (row: readonly string[]): string => `${row.map(quoted).join(',')}\r\n`;

const cellOf = ({ r, t = 'n', s = '0' }: Tag['attributes'], next: number): Cell => ({
  column: r === undefined ? next : columnOf(r),
  type: t,
  style: Number(s),
});

/** A cell costs its quotes and comma, also where it is blank before one with text. */
function addText(
  row: string[],
  { column, type, style }: Cell,
  text: string,
  looks: Looks,
  spend: Spend,
): void {
  const added = textOf(text, type, looks.kinds[style], looks);
  if (added === '' || !(column < MOST_COLUMNS)) return;
  const whole = (row[column] ?? '') + added;
  spend('bytes', Buffer.byteLength(quoted(whole)) + '"",'.length * Math.max(0, column - row.length) + 1);
  while (row.length < column) row.push('');
  row[column] = owned(whole);
}

/** `B3` is 1. */
const columnOf = (reference: string): number =>
  [...reference.replace(/(?<!\d)\d+$/, '')].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) -
  1;

function textOf(text: string, type: string, kind: Kind, { shared, epoch }: Looks): string {
  if (type === 's') return shared[Number(text)] ?? '';
  if (type === 'b') return text === '1' ? 'TRUE' : 'FALSE';
  const value = Number(text);
  if (type !== 'n') return unescaped(text);
  if (text.trim() === '' || !Number.isFinite(value)) return text;
  if (kind === undefined || value < 0) return String(value);
  if (typeof kind === 'object') return inDigits(value, kind);
  return whenOf(value, kind, epoch);
}

function whenOf(serial: number, kind: 'date' | 'time', epoch: number): string {
  const ms = Math.round((serial * DAY) / SECOND) * SECOND;
  const at = new Date(epoch + ms);
  if (Number.isNaN(at.getTime())) return String(serial);
  const time = at.toISOString().slice(11, ms % MINUTE === 0 ? 16 : 19);
  if (kind === 'time' && serial < 1) return time;
  const date = at.toISOString().slice(0, 10);
  return ms % DAY === 0 ? date : `${date} ${time}`;
}
