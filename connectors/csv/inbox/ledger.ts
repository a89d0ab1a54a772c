import type { Memory } from '../../../src/connector.ts';
import type { Instant } from '../../../src/platform/clock.ts';

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
  at: Instant;
  rows: number;
  /** By row, the submission ids of last lines without a line end: the rest of such a line is the same submission. */
  ids: Readonly<Record<string, string>>;
}

interface Place {
  folder: 'done' | 'failed';
  stem: string;
}

/** Durable record of dropped files: their names, and which row became which booking. */
export interface Ledger {
  /** The hash of the file with this name, if there ever was one. */
  fileNamed(stem: string): Promise<string | undefined>;
  /**
   * Gives a file its name and opens its results. `start` is the outcomes of its first rows, if they were read before.
   */
  name(stem: string, reading: Reading, start: readonly RowFate[]): Promise<void>;
  /** Notes what was read of a file; undefined: it is no longer watched. */
  note(place: Place, reading: Reading | undefined): Promise<void>;
  readings(): Promise<(Place & Reading)[]>;
  /** What was read of the file with this name in `done`. */
  reading(stem: string): Promise<Reading | undefined>;
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
  /** Appends the outcomes of the next rows, after the first `from`. */
  add(sha256: string, from: number, fates: readonly RowFate[]): Promise<void>;
}

export function createLedger(memory: Memory): Ledger {
  return {
    fileNamed: (stem) => memory.get(`file:${stem}`),
    async name(stem, reading, start) {
      const { sha256 } = reading;
      const open = await memory.get(`open:${stem}`);
      const { at } = open === undefined ? reading : JSON.parse(open);
      await memory.set({
        [`file:${stem}`]: sha256,
        [`open:${stem}`]: JSON.stringify({ sha256, at }),
        [keyOf({ folder: 'done', stem })]: JSON.stringify(reading),
        ...(start.length > 0 && { [`rows:${sha256}:00000000`]: JSON.stringify(start.map(toText)) }),
      });
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
    async open() {
      const entries = Object.entries(await memory.list('open:'));
      return entries.map(([key, text]) => ({ stem: key.slice('open:'.length), ...JSON.parse(text) }));
    },
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
    add: (sha256, from, fates) =>
      memory.set({ [`rows:${sha256}:${String(from).padStart(8, '0')}`]: JSON.stringify(fates.map(toText)) }),
  };
}

const keyOf = ({ folder, stem }: Place) => `read:${folder}/${stem}`;
const placeOf = (key: string): Place => {
  const [folder = '', ...stem] = key.slice('read:'.length).split('/');
  return { folder: folder as Place['folder'], stem: stem.join('/') };
};

const toText = (fate: RowFate) => ('ref' in fate ? fate.ref : `!${fate.refused}`);
const fromText = (text: string): RowFate =>
  text.startsWith('!') ? { refused: text.slice(1) } : { ref: text };
