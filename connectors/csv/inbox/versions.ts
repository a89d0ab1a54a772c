import { createHmac } from 'node:crypto';
import { monthNamed, weekdayNamed } from '../../../src/domain/calendar-words.ts';
import { DAY } from '../../../src/platform/duration.ts';
import { fold } from '../../../src/platform/text/fold.ts';
import type { HeaderMap } from './content/headers.ts';
import type { RowReading } from './content/row.ts';
import { stemOf } from './folders.ts';

/**
 * What syncers, browsers and file managers add to the name of another version of a file: Syncthing, Dropbox, Nextcloud,
 * ownCloud, Seafile, OneDrive (the computer's name), Synology Drive, rclone, Resilio, downloads, copies and shortcuts.
 * The words are those of the twelve languages and of others that these programs speak.
 */
const COPY =
  'copy|copied|kopie|copie|copia|c[oó]pia|k[oó]pia|kopi|kopio|kopya|kopyas[ıi]|m[aá]solat[ai]?|копия|копія|' +
  'αντίγραφο|נסחה|עותק|نسخة|प्रति|प्रतिलिपि|कॉपी|কপি|অনুলিপি|salinan|コピー|副本|拷贝|拷貝|사본|복사본';
const SHORTCUT =
  'shortcut|verkn[uü]pfung|raccourci|acceso directo|collegamento|atalho|snelkoppeling|skr[oó]t|k[ıi]sayol|' +
  'اختصار|शॉर्टकट|শর্টকাট';
const CONFLICT =
  'conflict|sfconflict|konflikt|conflit|conflicto|conflito|conflitto|[cç]ak[ıi][sş]|sprzeczn|ristiriit|ütköz|' +
  'конфл[иі]кт|σύγκρουσ|تعارض|متعارضة|विरोध|দ্বন্দ্ব|সংঘাত|競合|冲突|衝突|충돌';
const additions: readonly RegExp[] = [
  /\.sync-conflict-\d{8}-\d{6}(?:-[a-z0-9]{7})?$/iu,
  // Also inside the brackets of a conflict: `leads (Anna’s conflicted copy (1))`.
  /(?<!\s)\s*[([]\d{1,3}[)\]](?=[)\]]?$)/u,
  new RegExp(`[ ._-]*[([][^()[\\]]*(?:${CONFLICT})[^()[\\]]*[)\\]]$`, 'iu'),
  new RegExp(`[ ._-](?:case )?(?:${CONFLICT})\\p{L}*(?:[ ._-]?[\\d._-]+)?$`, 'iu'),
  /_[^_]+_[a-z]{3}-\d{2}-\d{4,6}-\d{4}(?:_conflict)?$/iu,
  // `leads (copy 2)`, `leads (another copy)`, `leads (3. Kopie)`.
  new RegExp(`(?<!\\s)\\s*[([](?:[\\p{L}\\p{N}.]+ )?(?:${COPY})(?: ?\\d{1,3})?[)\\]]$`, 'iu'),
  new RegExp(`(?<!\\s)\\s*[-–—]\\s*(?:${COPY}|${SHORTCUT})(?: \\d{1,3})?$`, 'iu'),
  new RegExp(
    `(?<![\\s-])(?:\\s+(?:öğesinin |adlı dosyanın |dosyasının |की |এর )?|\\s*(?:の|的|의 ))(?:${COPY})(?:\\s+\\d{1,3})?$`,
    'iu',
  ),
  /\.results(?:-\d+)*$|\.\d{4}-\d{2}-\d{2}-\d{6}$|\.csv(?: \d{4}-\d{2}-\d{2} \d{6})?$|~\d{8}-\d{6}$|~\d$|\.variant-[0-9a-f]+$/iu,
  new RegExp(
    `^(?:${COPY})(?: \\(?\\d{1,3}\\)?)? (?:(?:of|von|de|di|van|z|pliku|souboru|av|af|من) )?(?=\\S)`,
    'iu',
  ),
];
/** Names of computers are in capitals. */
const computer =
  /-([A-Z][A-Z0-9-]{2,14}(?:-\d{1,2})?|[\p{L}\p{N}’' -]*(?:MacBook|iMac|Mac ?mini)[\p{L}\p{N}’' -]*)$/u;

/** A part in capitals behind a name that is not: no month and no day. */
function withoutComputer(stem: string): string {
  const [end, name = ''] = computer.exec(stem) ?? [];
  const rest = end === undefined ? '' : stem.slice(0, -end.length);
  const word = fold(name);
  const isOther = !/\p{Ll}/u.test(rest) || monthNamed(word) !== undefined || weekdayNamed(word) !== undefined;
  return isOther ? stem : rest;
}

/** The name that all versions of a file share: `leads (1).csv` and `leads.sync-conflict-….csv` are `leads`. */
export function familyOf(name: string): string {
  let stem = stemOf(name).normalize('NFKC');
  for (let length = Infinity; stem.length < length; ) {
    length = stem.length;
    for (const addition of additions) stem = stem.replace(addition, '').trim() || stem;
    stem = withoutComputer(stem);
  }
  return fold(stem);
}

/**
 * The words that files of a series share, whose names differ by a day, a number or a random mark, or have none:
 * `bookings-2026-11-27`, `28 Nov 2026 bookings` and `bookings` are `bookings`.
 */
export function seriesOf(family: string): string {
  const words = family.replace(MARKS, '0').match(/\p{N}+|[\p{L}\p{M}]+/gu) ?? [];
  const isNumber = (word: string) => /^\p{N}/u.test(word);
  const isOfDay = (word: string) =>
    /^[tz]$/.test(word) || monthNamed(word) !== undefined || weekdayNamed(word) !== undefined;
  const hasNumber = words.some(isNumber);
  return words.filter((word) => !hasNumber || !(isNumber(word) || isOfDay(word))).join(' ') || '#';
}

/** Such as `3f2a9c10` or a UUID, between other words. */
const MARKS = /(?<![\p{L}\p{N}])(?=[a-f-]*\d)(?=[\d-]*[a-f])[0-9a-f]{8,}(?:-[0-9a-f]{4,})*(?![\p{L}\p{N}])/gu;

export interface RowPlace {
  file: string;
  number: number;
}

/** A row that was read before, without its content: keyed digests tell whether another says the same. */
export interface KnownRow {
  /** Of everything that is booked. */
  key: string;
  /** Of name, phone, day and time, and of each three of them: rows that differ in one share one. */
  near: string[];
  /** Of name and phone, and of each of them with the day or time; rows of an earlier version have the first alone. */
  pairs?: string[];
  person?: string;
  /** The day, when the row has a day and a time. */
  day?: string;
  submissionId: string;
  ref: string;
  /** The file and row in which it was read; unknown for older ones. */
  place?: RowPlace;
  /** Digest of the file's name, where others of its series have another. */
  from?: string;
  /**
   * The file ended in this row: its number, digest of its cells so far, how many, the length of the last, and whether
   * those before it have the person.
   */
  cut?: { row: number; digest: string; cells: number; length: number; hasPerson?: boolean };
}

export type RowDigests = Pick<KnownRow, 'key' | 'near' | 'day'> & { pairs: string[] };

const digest = (salt: string, parts: readonly unknown[]): string =>
  createHmac('sha256', salt).update(JSON.stringify(parts)).digest('base64url').slice(0, 16);

/** Which file of a series a row is of; nothing where a name has no day or number. */
export const fromOf = (family: string, salt: string): Pick<KnownRow, 'from'> =>
  seriesOf(family) === family ? {} : { from: digest(salt, ['from', family]) };

/** What a row says, however the program that wrote the file formats it. */
export function digestsOf(reading: RowReading, salt: string): RowDigests {
  const {
    patient_name,
    patient_phone,
    appointment_date: day,
    appointment_time: time,
    ...rest
  } = reading.fields;
  const name = fold(String(patient_name ?? ''));
  // Spreadsheet programs drop the plus and the zeros in front of a number.
  const phone = String(patient_phone ?? '')
    .replace(/\D/g, '')
    .replace(/^0+/, '');
  const four = [name, phone, String(day ?? ''), String(time ?? '')];
  const when = four.slice(2);
  const pairs = [[name, phone], ...when.map((one) => [name, one]), ...when.map((one) => [phone, one])];
  const of = (...parts: readonly unknown[]) => digest(salt, [reading.clinic ?? '', ...parts]);
  const near = four.flatMap((_, without) => {
    const three = four.filter((_part, index) => index !== without);
    // The time of a visit alone is nobody's: of two cut rows, neither may have a name and a phone in common.
    const hasPerson = three.slice(0, without < 2 ? 1 : 2).some((part) => part !== '');
    return !hasPerson || three.filter((part) => part !== '').length < 2 ? [] : [of(without, three)];
  });
  const others = Object.entries(rest).sort(([a], [b]) => (a < b ? -1 : 1));
  const folded = others.map(([field, value]) => [field, fold(String(value ?? ''))]);
  const hasSlot = /^\d{4}-\d{2}-\d{2}$/.test(String(day ?? '')) && time !== undefined;
  return {
    key: of(four, folded, reading.submissionId ?? ''),
    near: [of(four), ...near],
    pairs: pairs.flatMap((pair) => (pair.includes('') ? [] : [of(...pair)])),
    ...(hasSlot && { day: String(day) }),
  };
}

/** Of the first cells of a row, the last of them only as far as the file has it. */
export const cutOf = ({ cells, row }: PlacedRow, { map }: { map: HeaderMap }, salt: string): Cut => ({
  row,
  digest: digestOfCut(cells, salt),
  cells: cells.length,
  length: cells.at(-1)?.length ?? 0,
  hasPerson: [map.patient_name, map.last_name, map.patient_phone].some((columns) =>
    columns?.some((column) => column < cells.length - 1),
  ),
});
type Cut = NonNullable<KnownRow['cut']>;
const digestOfCut = (cells: readonly string[], salt: string) => digest(salt, ['cut', cells]);

/** Without a whole name or phone, only in the same place: many names and days begin alike. */
function beginsWith({ cells, row, isKnown }: PlacedRow, cut: Cut | undefined, salt: string): boolean {
  if (cut === undefined || (cut.row !== row && (isKnown || cut.hasPerson !== true))) return false;
  const last = (cells[cut.cells - 1] ?? '').slice(0, cut.length);
  return digestOfCut([...cells.slice(0, cut.cells - 1), last], salt) === cut.digest;
}

/** A row with its number. */
export interface PlacedRow {
  cells: readonly string[];
  row: number;
  /** An earlier version had it whole. */
  isKnown?: boolean;
}

/** The rows of the earlier versions of a file. */
export interface Versions {
  /** The row that says the same. */
  known(row: RowDigests, isCut: boolean): KnownRow | undefined;
  /** Whether that row is the same lead: else a file of another day has it, with which this one shares nothing more. */
  isSame(row: KnownRow): boolean;
  /** Whether any row was ever cut. */
  hasCut: boolean;
  /** Cut rows that this one completes. */
  begun(row: RowDigests, placed: PlacedRow): KnownRow[];
  /** The row, no longer in the file, in whose place this one is, with one thing changed. */
  changed(row: RowDigests): KnownRow | undefined;
}

interface Options {
  rows: readonly KnownRow[];
  /** References of the rows of the version before this one. */
  previous: ReadonlySet<string>;
  /** Keys of all rows of the present file. */
  present: ReadonlySet<string>;
  /** As in the rows. */
  from: string | undefined;
  salt: string;
  nowMs: number;
}

/** So many rows do files share only when one is a later version of the other. */
const AGREEING = 2;

export function compareVersions({ rows, previous, present, from, salt, nowMs }: Options): Versions {
  const whole = new Map(rows.flatMap((row) => (row.cut ? [] : [[row.key, row]])));
  const cut = rows.filter((row) => row.cut !== undefined);
  // A visit that is over is not corrected any more: who comes again at the same time of day is booked.
  const over = new Date(nowMs - 2 * DAY).toISOString().slice(0, 10);
  const gone = [...whole.values()].filter(
    ({ key, day }) => !present.has(key) && (day === undefined || day > over),
  );
  const byNear = new Map(gone.flatMap((row) => row.near.map((near) => [near, row])));
  // A file of each day may be all there is so far, or that day's alone.
  const elsewhere = [...whole.values()].filter((row) => row.from !== from && present.has(row.key));
  const isSame = (row: KnownRow) => row.from === from || elsewhere.length >= AGREEING;
  // Only where the file shares rows with what was read before: else it may be another day's list of the same name.
  const isEdited = [...whole.values()].some((row) => isSame(row) && present.has(row.key));
  const pairsOf = ({ pairs, person = '' }: KnownRow) => pairs ?? [person].filter(Boolean);
  const byPair = new Map(isEdited ? gone.flatMap((row) => pairsOf(row).map((pair) => [pair, row])) : []);
  const isSameVisit = (one: Pick<KnownRow, 'near'>, other: RowDigests) =>
    one.near.some((near) => other.near.includes(near));
  return {
    isSame,
    known(row, isCut) {
      const found = isCut ? cut.find((one) => one.key === row.key && isSame(one)) : undefined;
      const same = found ?? whole.get(row.key);
      // Without a day the same words may be a new wish, unless the row has stood in the file since.
      const hasStood = same !== undefined && previous.has(same.ref) && isSame(same);
      return same?.day === undefined && !hasStood ? undefined : same;
    },
    hasCut: cut.length > 0,
    begun: (row, placed) =>
      cut.filter((one) => isSameVisit(one, row) || (isSame(one) && beginsWith(placed, one.cut, salt))),
    changed(row) {
      const found = [...row.near.map((one) => byNear.get(one)), ...row.pairs.map((one) => byPair.get(one))];
      return found.find((one) => one !== undefined);
    },
  };
}
