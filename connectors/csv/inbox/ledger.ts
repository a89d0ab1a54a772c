import { randomBytes } from 'node:crypto';
import type { Memory } from '../../../src/connector.ts';
import type { Instant } from '../../../src/platform/clock.ts';
import { sha256 } from '../files.ts';
import { type KnownRow, seriesOf } from './versions.ts';

/** The ref of a row's booking or, rarely, why the row was refused for good. */
export type RowFate = { ref: string } | { refused: string };

export interface OpenFile {
  stem: string;
  sha256: string;
  /** When its results were opened. */
  at: Instant;
}

/** What was read of a file in `done` or `failed`, to notice when its writer goes on. */
export interface Reading {
  /** Its name in `processing`. */
  name: string;
  sha256: string;
  size: number;
  mtimeMs: number;
  /** The last change of its inode after which its content was still the same. */
  ctimeMs?: number;
  at: Instant;
  rows: number;
}

/** What was read of a series, in every version. */
interface Family {
  rows: KnownRow[];
  /** References of the version before the one that is being read; of the file before, if this is its first. */
  previous: ReadonlySet<string>;
}

export interface Place {
  folder: 'done' | 'failed';
  stem: string;
}

export interface Holder extends Place {
  at: Instant | null;
}

/** Durable record of dropped files: their names, and which row became which booking. */
export interface Ledger {
  /** The hash of the file with this name, if there ever was one. */
  fileNamed(stem: string): Promise<string | undefined>;
  /** Gives a file its name and opens its results; it is now the latest version of its family and series. */
  name(stem: string, table: { family: string; headers: readonly string[] }, reading: Reading): Promise<void>;
  /** Whether a file of its series was read since rows are remembered. */
  knows(family: string): Promise<boolean>;
  /** Whose results the file of this name in `results` has. */
  holder(results: string): Promise<Holder | undefined>;
  /** Gives results this name; those that had it get another. */
  hold(results: string, holder: Holder, former?: { holder: Holder; results: string }): Promise<void>;
  /** Hashes of what we wrote under this name in the inbox lately; undefined: nothing, or by a version that noted none. */
  wrote(path: string): Promise<string[] | undefined>;
  noteWrote(path: string, hashes: readonly string[]): Promise<void>;
  /** Counts a reading of this content that begins; those that the process survived are forgotten when they end. */
  attempt(sha256: string): Promise<number>;
  attempted(sha256: string): Promise<void>;
  /** The name of a file's results. */
  answer(place: Place): Promise<string>;
  /** Names of files in `done` by that of their results, where it is not their own. */
  answers(): Promise<ReadonlyMap<string, string>>;
  /** The columns of the family's latest version, else of the latest file of its series. */
  header(family: string): Promise<string[] | undefined>;
  family(family: string): Promise<Family>;
  /** The key of the digests of rows. */
  salt(): Promise<string>;
  /** Forgets the digests of these bookings' rows. */
  forgetRows(isForgotten: (ref: string) => boolean): Promise<void>;
  /** Notes what was read of a file; undefined: it is no longer watched. */
  note(place: Place, reading: Reading | undefined): Promise<void>;
  readings(): Promise<(Place & Reading)[]>;
  /** What was read of the file with this name in `done`. */
  reading(stem: string): Promise<Reading | undefined>;
  /** The names of all files that ever were in `done`. */
  stems(): Promise<string[]>;
  /** When we took each file, by its name; those that an earlier version took count from now on. */
  taken(now: Instant): Promise<ReadonlyMap<string, Instant>>;
  /** Files whose results are kept up to date. */
  open(): Promise<OpenFile[]>;
  close(stem: string): Promise<void>;
  /** Replaces the content of the named file and the outcomes of its rows. */
  rename(
    stem: string,
    file: { sha256: string; fates: readonly RowFate[]; reading: Reading | undefined },
  ): Promise<void>;
  /** The outcomes of the file's rows so far, in order. */
  fates(sha256: string): Promise<RowFate[]>;
  /** Notes rows of a file that was booked before its family remembered them. */
  adopt(sha256: string, fresh: FreshRows): Promise<void>;
  /** Appends the outcomes of the next rows, after the first `from`, and what their family did not know yet. */
  add(sha256: string, from: number, fates: readonly RowFate[], fresh: FreshRows): Promise<void>;
}

interface FreshRows {
  family: string;
  rows: readonly KnownRow[];
}

export function createLedger(memory: Memory): Ledger {
  const latestOf = async (family: string): Promise<{ sha256?: string; before?: string }> =>
    JSON.parse((await memory.get(`latest:${sha256(family)}`)) ?? '{}');

  const ledger: Ledger = {
    ...resultsNames(memory),
    ...rememberedRows(memory),
    fileNamed: (stem) => memory.get(`file:${stem}`),
    async name(stem, { family, headers }, reading) {
      const { sha256: hash } = reading;
      const open = await memory.get(`open:${stem}`);
      const { at } = open === undefined ? reading : JSON.parse(open);
      const latest: Record<string, string> = {};
      for (const key of new Set([family, seriesOf(family)])) {
        const before = await latestOf(key);
        if (before.sha256 !== hash)
          latest[`latest:${sha256(key)}`] = JSON.stringify({ sha256: hash, before: before.sha256 });
      }
      await memory.set({
        [`file:${stem}`]: hash,
        [`open:${stem}`]: JSON.stringify({ sha256: hash, at }),
        [`taken:${stem}`]: reading.at,
        ...Object.fromEntries(headerKeys(family).map((key) => [key, JSON.stringify(headers)])),
        [keyOf({ folder: 'done', stem })]: JSON.stringify(reading),
        ...latest,
      });
    },
    knows: async (family) => (await latestOf(seriesOf(family))).sha256 !== undefined,
    async header(family) {
      const [own, ofSeries] = headerKeys(family);
      const text = (await memory.get(own)) ?? (await memory.get(ofSeries));
      return text === undefined ? undefined : (JSON.parse(text) as string[]);
    },
    async family(family) {
      const series = seriesOf(family);
      const pages = await memory.list(pagesOf(family));
      const { before } = { ...(await latestOf(series)), ...(await latestOf(family)) };
      const fates = before === undefined ? [] : await ledger.fates(before);
      return {
        rows: Object.values(pages).flatMap((text) => JSON.parse(text) as KnownRow[]),
        previous: new Set(fates.flatMap((fate) => ('ref' in fate ? [fate.ref] : []))),
      };
    },
    note: (place, reading) => memory.set({ [keyOf(place)]: reading && JSON.stringify(reading) }),
    async readings() {
      const entries = Object.entries(await memory.list('read:'));
      return entries.map(([key, text]) => ({ ...placeOf(key), ...(JSON.parse(text) as Reading) }));
    },
    async reading(stem) {
      const text = await memory.get(keyOf({ folder: 'done', stem }));
      return text === undefined ? undefined : (JSON.parse(text) as Reading);
    },
    stems: async () => Object.keys(await memory.list('file:')).map((key) => key.slice('file:'.length)),
    async taken(now) {
      const known = await memory.list('taken:');
      const files = (await ledger.stems()).map((stem) => `taken:${stem}`);
      const fresh = files.filter((key) => known[key] === undefined);
      if (fresh.length > 0) await memory.set(Object.fromEntries(fresh.map((key) => [key, now])));
      return new Map(files.map((key) => [key.slice('taken:'.length), known[key] ?? now]));
    },
    async open() {
      const entries = Object.entries(await memory.list('open:'));
      return entries.map(([key, text]) => ({ stem: key.slice('open:'.length), ...JSON.parse(text) }));
    },
    async attempt(hash) {
      const count = Number((await memory.get(`attempt:${hash}`)) ?? 0) + 1;
      await memory.set({ [`attempt:${hash}`]: String(count) });
      return count;
    },
    attempted: (hash) => memory.set({ [`attempt:${hash}`]: undefined }),
    close: (stem) => memory.set({ [`open:${stem}`]: undefined }),
    async rename(stem, { sha256, fates, reading }) {
      const open = await memory.get(`open:${stem}`);
      await memory.set({
        [`file:${stem}`]: sha256,
        ...(open !== undefined && { [`open:${stem}`]: JSON.stringify({ ...JSON.parse(open), sha256 }) }),
        [`rows:${sha256}:00000000`]: JSON.stringify(fates.map(toText)),
        [keyOf({ folder: 'done', stem })]: reading && JSON.stringify(reading),
      });
    },
    async fates(sha256) {
      const pages = Object.entries(await memory.list(`rows:${sha256}:`));
      pages.sort(([a], [b]) => (a < b ? -1 : 1));
      return pages.flatMap(([, text]) => (JSON.parse(text) as string[]).map(fromText));
    },
    adopt: (hash, { family, rows }) =>
      memory.set({ [`${pagesOf(family)}${hash}:adopted`]: JSON.stringify(rows) }),
    add(hash, from, fates, { family, rows }) {
      const page = `${hash}:${String(from).padStart(8, '0')}`;
      return memory.set({
        [`rows:${page}`]: JSON.stringify(fates.map(toText)),
        ...(rows.length > 0 && { [pagesOf(family) + page]: JSON.stringify(rows) }),
      });
    },
  };
  return ledger;
}

const rememberedRows = (memory: Memory): Pick<Ledger, 'salt' | 'forgetRows'> => ({
  async salt() {
    const known = await memory.get('salt');
    if (known !== undefined) return known;
    const salt = randomBytes(16).toString('base64url');
    await memory.set({ salt });
    return salt;
  },
  async forgetRows(isForgotten) {
    for (const [key, text] of Object.entries(await memory.list('family:'))) {
      const rows = JSON.parse(text) as KnownRow[];
      const kept = rows.filter(({ ref }) => !isForgotten(ref));
      if (kept.length < rows.length)
        await memory.set({ [key]: kept.length === 0 ? undefined : JSON.stringify(kept) });
    }
  },
});

type Names = Pick<Ledger, 'holder' | 'hold' | 'answer' | 'answers' | 'wrote' | 'noteWrote'>;

const resultsNames = (memory: Memory): Names => ({
  async holder(results) {
    const text = await memory.get(`holder:${results}`);
    if (text !== undefined) return JSON.parse(text) as Holder;
    // As before results were given to the newest file of a name.
    const stem = results.replace(/\.results\.csv$/, '');
    const at = await memory.get(`taken:${stem}`);
    return (await memory.get(`file:${stem}`)) === undefined
      ? undefined
      : { folder: 'done', stem, at: at ?? null };
  },
  hold: (results, holder, former) =>
    memory.set({
      [`holder:${results}`]: JSON.stringify(holder),
      [answerKey(holder)]: results,
      ...(former && {
        [answerKey(former.holder)]: former.results,
        [`holder:${former.results}`]: JSON.stringify(former.holder),
      }),
    }),
  async wrote(path) {
    const text = await memory.get(`wrote:${path}`);
    return text === undefined ? undefined : (JSON.parse(text) as string[]);
  },
  noteWrote: (path, hashes) => memory.set({ [`wrote:${path}`]: JSON.stringify(hashes) }),
  answer: async (place) => (await memory.get(answerKey(place))) ?? `${place.stem}.results.csv`,
  async answers() {
    const entries = Object.entries(await memory.list('answer:done/'));
    return new Map(entries.map(([key, results]) => [results, key.slice('answer:done/'.length)]));
  },
});

/** Of all files of its series. */
const pagesOf = (family: string) => `family:${sha256(seriesOf(family))}:`;
const headerKeys = (family: string) =>
  [`header:${sha256(family)}`, `header:${sha256(seriesOf(family))}`] as const;
const answerKey = ({ folder, stem }: Place) => `answer:${folder}/${stem}`;
const keyOf = ({ folder, stem }: Place) => `read:${folder}/${stem}`;
const placeOf = (key: string): Place => {
  const [folder = '', ...stem] = key.slice('read:'.length).split('/');
  return { folder: folder as Place['folder'], stem: stem.join('/') };
};

const toText = (fate: RowFate) => ('ref' in fate ? fate.ref : `!${fate.refused}`);
const fromText = (text: string): RowFate =>
  text.startsWith('!') ? { refused: text.slice(1) } : { ref: text };
