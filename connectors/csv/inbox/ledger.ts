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
export interface FileReading {
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

export interface FilePlace {
  folder: 'done' | 'failed';
  stem: string;
}

export interface Holder extends FilePlace {
  at: Instant | null;
}

interface Table {
  family: string;
  headers: readonly string[];
}

interface Renamed {
  sha256: string;
  fates: readonly RowFate[];
  reading: FileReading | undefined;
}

interface FreshRows {
  family: string;
  rows: readonly KnownRow[];
}

/** Durable record of dropped files: their names, and which row became which booking. */
export type Ledger = ReturnType<typeof createLedger>;

export function createLedger(memory: Memory) {
  const latestOf = async (family: string): Promise<{ sha256?: string; before?: string }> =>
    JSON.parse((await memory.get(`latest:${sha256(family)}`)) ?? '{}');

  const ledger = {
    ...resultsNames(memory),
    ...rememberedRows(memory),
    /** The hash of the file with this name, if there ever was one. */
    fileNamed: (stem: string) => memory.get(`file:${stem}`),
    /** Gives a file its name and opens its results; it is now the latest version of its family and series. */
    async name(stem: string, { family, headers }: Table, reading: FileReading): Promise<void> {
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
    /** Whether a file of its series was read since rows are remembered. */
    knows: async (family: string): Promise<boolean> =>
      (await latestOf(seriesOf(family))).sha256 !== undefined,
    /** The columns of the family's latest version, else of the latest file of its series. */
    async header(family: string): Promise<string[] | undefined> {
      const [own, ofSeries] = headerKeys(family);
      const text = (await memory.get(own)) ?? (await memory.get(ofSeries));
      return text === undefined ? undefined : (JSON.parse(text) as string[]);
    },
    async family(family: string): Promise<Family> {
      const series = seriesOf(family);
      const pages = await memory.list(pagesOf(family));
      const { before } = { ...(await latestOf(series)), ...(await latestOf(family)) };
      const fates = before === undefined ? [] : await ledger.fates(before);
      return {
        rows: Object.values(pages).flatMap((text) => JSON.parse(text) as KnownRow[]),
        previous: new Set(fates.flatMap((fate) => ('ref' in fate ? [fate.ref] : []))),
      };
    },
    /** Notes what was read of a file; undefined: it is no longer watched. */
    note: (place: FilePlace, reading: FileReading | undefined) =>
      memory.set({ [keyOf(place)]: reading && JSON.stringify(reading) }),
    async readings(): Promise<(FilePlace & FileReading)[]> {
      const entries = Object.entries(await memory.list('read:'));
      return entries.map(([key, text]) => ({ ...placeOf(key), ...(JSON.parse(text) as FileReading) }));
    },
    /** What was read of the file with this name in `done`. */
    async reading(stem: string): Promise<FileReading | undefined> {
      const text = await memory.get(keyOf({ folder: 'done', stem }));
      return text === undefined ? undefined : (JSON.parse(text) as FileReading);
    },
    /** The names of all files that ever were in `done`. */
    stems: async (): Promise<string[]> =>
      Object.keys(await memory.list('file:')).map((key) => key.slice('file:'.length)),
    /** When we took each file, by its name; those that an earlier version took count from now on. */
    async taken(now: Instant): Promise<ReadonlyMap<string, Instant>> {
      const known = await memory.list('taken:');
      const files = (await ledger.stems()).map((stem) => `taken:${stem}`);
      const fresh = files.filter((key) => known[key] === undefined);
      if (fresh.length > 0) await memory.set(Object.fromEntries(fresh.map((key) => [key, now])));
      return new Map(files.map((key) => [key.slice('taken:'.length), known[key] ?? now]));
    },
    /** Files whose results are kept up to date. */
    async open(): Promise<OpenFile[]> {
      const entries = Object.entries(await memory.list('open:'));
      return entries.map(([key, text]) => ({ stem: key.slice('open:'.length), ...JSON.parse(text) }));
    },
    /** Counts a reading of this content that begins; those that the process survived are forgotten when they end. */
    async attempt(hash: string): Promise<number> {
      const count = Number((await memory.get(`attempt:${hash}`)) ?? 0) + 1;
      await memory.set({ [`attempt:${hash}`]: String(count) });
      return count;
    },
    attempted: (hash: string) => memory.set({ [`attempt:${hash}`]: undefined }),
    close: (stem: string) => memory.set({ [`open:${stem}`]: undefined }),
    /** Replaces the content of the named file and the outcomes of its rows. */
    async rename(stem: string, { sha256, fates, reading }: Renamed): Promise<void> {
      const open = await memory.get(`open:${stem}`);
      await memory.set({
        [`file:${stem}`]: sha256,
        ...(open !== undefined && { [`open:${stem}`]: JSON.stringify({ ...JSON.parse(open), sha256 }) }),
        [`rows:${sha256}:00000000`]: JSON.stringify(fates.map(toText)),
        [keyOf({ folder: 'done', stem })]: reading && JSON.stringify(reading),
      });
    },
    /** The outcomes of the file's rows so far, in order. */
    async fates(sha256: string): Promise<RowFate[]> {
      const pages = Object.entries(await memory.list(`rows:${sha256}:`));
      pages.sort(([a], [b]) => (a < b ? -1 : 1));
      return pages.flatMap(([, text]) => (JSON.parse(text) as string[]).map(fromText));
    },
    /** Notes rows of a file that was booked before its family remembered them. */
    adopt: (hash: string, { family, rows }: FreshRows) =>
      memory.set({ [`${pagesOf(family)}${hash}:adopted`]: JSON.stringify(rows) }),
    /** Appends the outcomes of the next rows, after the first `from`, and what their family did not know yet. */
    add(hash: string, from: number, fates: readonly RowFate[], { family, rows }: FreshRows): Promise<void> {
      const page = `${hash}:${String(from).padStart(8, '0')}`;
      return memory.set({
        [`rows:${page}`]: JSON.stringify(fates.map(toText)),
        ...(rows.length > 0 && { [pagesOf(family) + page]: JSON.stringify(rows) }),
      });
    },
  };
  return ledger;
}

const rememberedRows = (memory: Memory) => ({
  /** The key of the digests of rows. */
  async salt(): Promise<string> {
    const known = await memory.get('salt');
    if (known !== undefined) return known;
    const salt = randomBytes(16).toString('base64url');
    await memory.set({ salt });
    return salt;
  },
  /** Forgets the digests of these bookings' rows. */
  async forgetRows(isForgotten: (ref: string) => boolean): Promise<void> {
    for (const [key, text] of Object.entries(await memory.list('family:'))) {
      const rows = JSON.parse(text) as KnownRow[];
      const kept = rows.filter(({ ref }) => !isForgotten(ref));
      if (kept.length < rows.length)
        await memory.set({ [key]: kept.length === 0 ? undefined : JSON.stringify(kept) });
    }
  },
});

const resultsNames = (memory: Memory) => ({
  /** Whose results the file of this name in `results` has. */
  async holder(results: string): Promise<Holder | undefined> {
    const text = await memory.get(`holder:${results}`);
    if (text !== undefined) return JSON.parse(text) as Holder;
    // As before results were given to the newest file of a name.
    const stem = results.replace(/\.results\.csv$/, '');
    const at = await memory.get(`taken:${stem}`);
    return (await memory.get(`file:${stem}`)) === undefined
      ? undefined
      : { folder: 'done', stem, at: at ?? null };
  },
  /** Gives results this name; those that had it get another. */
  hold: (results: string, holder: Holder, former?: { holder: Holder; results: string }) =>
    memory.set({
      [`holder:${results}`]: JSON.stringify(holder),
      [answerKey(holder)]: results,
      ...(former && {
        [answerKey(former.holder)]: former.results,
        [`holder:${former.results}`]: JSON.stringify(former.holder),
      }),
    }),
  /**
   * Hashes of what we wrote under this name in the inbox lately; undefined: nothing, or by a version that noted none.
   */
  async wrote(path: string): Promise<string[] | undefined> {
    const text = await memory.get(`wrote:${path}`);
    return text === undefined ? undefined : (JSON.parse(text) as string[]);
  },
  noteWrote: (path: string, hashes: readonly string[]) =>
    memory.set({ [`wrote:${path}`]: JSON.stringify(hashes) }),
  /** The name of a file's results. */
  answer: async (place: FilePlace): Promise<string> =>
    (await memory.get(answerKey(place))) ?? `${place.stem}.results.csv`,
  /** Names of files in `done` by that of their results, where it is not their own. */
  async answers(): Promise<ReadonlyMap<string, string>> {
    const entries = Object.entries(await memory.list('answer:done/'));
    return new Map(entries.map(([key, results]) => [results, key.slice('answer:done/'.length)]));
  },
});

/** Of all files of its series. */
const pagesOf = (family: string) => `family:${sha256(seriesOf(family))}:`;
const headerKeys = (family: string) =>
  [`header:${sha256(family)}`, `header:${sha256(seriesOf(family))}`] as const;
const answerKey = ({ folder, stem }: FilePlace) => `answer:${folder}/${stem}`;
const keyOf = ({ folder, stem }: FilePlace) => `read:${folder}/${stem}`;
const placeOf = (key: string): FilePlace => {
  const [folder = '', ...stem] = key.slice('read:'.length).split('/');
  return { folder: folder as FilePlace['folder'], stem: stem.join('/') };
};

const toText = (fate: RowFate) => ('ref' in fate ? fate.ref : `!${fate.refused}`);
const fromText = (text: string): RowFate =>
  text.startsWith('!') ? { refused: text.slice(1) } : { ref: text };
