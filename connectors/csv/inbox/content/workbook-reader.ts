import { posix } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { DAY, MINUTE, SECOND } from '../../../../src/platform/duration.ts';
import { partsOf } from './unzip.ts';

/** The sheets of a workbook that people see, as texts; days are YYYY-MM-DD and times HH:MM. */
export async function readSheets(bytes: Buffer): Promise<string[][][]> {
  const part = partsOf(bytes);
  const workbook = [...tags(await part('xl/workbook.xml'))];
  const targets = new Map(
    [...tags(await part('xl/_rels/workbook.xml.rels'))].map(({ attributes }) => [
      attributes.Id,
      attributes.Target ?? '',
    ]),
  );
  const has1904 = workbook.some(({ attributes }) => /^(?:1|true)$/.test(attributes.date1904 ?? ''));
  const looks: Looks = {
    shared: texts(await part('xl/sharedStrings.xml')),
    kinds: kindsIn(await part('xl/styles.xml')),
    epoch: has1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, 30),
  };
  const shown = workbook.filter(
    ({ name, attributes }) => name === 'sheet' && (attributes.state ?? 'visible') === 'visible',
  );
  const sheets: string[][][] = [];
  for (const { attributes } of shown) {
    const target = targets.get(attributes.id) ?? '';
    const path = target.startsWith('/') ? target.slice(1) : posix.join('xl', target);
    sheets.push(await rowsIn(await part(path), looks));
  }
  return sheets;
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

function* tags(xml: string): Generator<Tag> {
  if (xml.includes('<![CDATA[')) throw new RangeError('sections are not read');
  for (const [, close = '', name = '', inside = '', text = ''] of xml.matchAll(tag)) {
    const attributes: Record<string, string> = Object.create(null);
    for (const [, key = '', one, other] of inside.matchAll(attribute))
      attributes[key] = decoded(one ?? other ?? '');
    yield { name: close + name, attributes, text: decoded(text) };
  }
}

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
function texts(xml: string): string[] {
  const found: string[] = [];
  let isPhonetic = false;
  for (const { name, text } of tags(xml)) {
    if (name === 'si') found.push('');
    if (name === 'rPh' || name === '/rPh') isPhonetic = name === 'rPh';
    if (name === 't' && !isPhonetic) found[found.length - 1] += unescaped(text);
  }
  return found;
}

type Kind = 'date' | 'time' | undefined;

interface Looks {
  shared: readonly string[];
  /** Of each style of cells. */
  kinds: readonly Kind[];
  /** The day from which days are counted. */
  epoch: number;
}

function kindsIn(xml: string): Kind[] {
  const formats = new Map<number, Kind>();
  const kinds: Kind[] = [];
  let isOfCells = false;
  for (const { name, attributes } of tags(xml)) {
    if (name === 'numFmt')
      formats.set(Number(attributes.numFmtId), kindOfFormat(attributes.formatCode ?? ''));
    if (name.endsWith('cellXfs')) isOfCells = name === 'cellXfs';
    const id = Number(attributes.numFmtId);
    if (name === 'xf' && isOfCells) kinds.push(formats.has(id) ? formats.get(id) : kindOfBuiltIn(id));
  }
  return kinds;
}

function kindOfFormat(code: string): Kind {
  const letters = code.replace(/"[^"]*"|\[[^[\]]*\]|\\./g, '');
  if (/[dy]|mmm/i.test(letters)) return 'date';
  return /[hs]/i.test(letters) ? 'time' : undefined;
}

/** ECMA-376, 18.8.30. */
function kindOfBuiltIn(id: number): Kind {
  const isIn = (from: number, to: number) => id >= from && id <= to;
  if (isIn(14, 17) || id === 22 || isIn(27, 31) || isIn(34, 36) || isIn(50, 54) || isIn(57, 58))
    return 'date';
  return isIn(18, 21) || isIn(32, 33) || isIn(45, 47) || isIn(55, 56) ? 'time' : undefined;
}

/** Excel's limits are far above those of the inbox. */
const MOST_ROWS = 210_000;
const MOST_COLUMNS = 1_000;
const ROWS_A_TURN = 500;

async function rowsIn(xml: string, looks: Looks): Promise<string[][]> {
  const rows: string[][] = [];
  let row: string[] = [];
  let cell: Cell | undefined;
  for (const { name, attributes, text } of tags(xml)) {
    if (name === 'row') {
      if (rows.length % ROWS_A_TURN === 0) await turn();
      row = rowAt(rows, Number(attributes.r ?? rows.length + 1));
    } else if (name === 'c') cell = cellOf(attributes, row.length);
    else if (cell !== undefined && (name === 'v' || name === 't')) addText(row, cell, text, looks);
  }
  return rows;
}

interface Cell {
  column: number;
  type: string;
  style: number;
}

const cellOf = ({ r, t = 'n', s = '0' }: Tag['attributes'], next: number): Cell => ({
  column: r === undefined ? next : columnOf(r),
  type: t,
  style: Number(s),
});

/** Blank rows are left out of the part, and keep their numbers. */
function rowAt(rows: string[][], number: number): string[] {
  const row: string[] = [];
  while (rows.length < Math.min(number - 1, MOST_ROWS)) rows.push([]);
  if (rows.length < MOST_ROWS) rows.push(row);
  return row;
}

function addText(row: string[], { column, type, style }: Cell, text: string, looks: Looks): void {
  if (!(column < MOST_COLUMNS)) return;
  while (row.length < column) row.push('');
  row[column] = (row[column] ?? '') + textOf(text, type, looks.kinds[style], looks);
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
