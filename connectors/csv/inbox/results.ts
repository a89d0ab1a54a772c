import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import type { BookingDoor } from '../../../src/connector.ts';
import type { Booking, BookingState } from '../../../src/model/booking.ts';
import { type Clock, toMs } from '../../../src/model/clock.ts';
import { replaceFile, sha256, statOf } from '../files.ts';
import { BYTE_ORDER_MARK, dialectOf, renderCells } from '../render-csv.ts';
import type { CsvSettings } from '../settings.ts';
import { type DroppedFile, openDropped } from './dropped-file.ts';
import { type Folders, readPlainFile } from './folders.ts';
import { ownColumns, resultColumns } from './headers.ts';
import type { Ledger, RowFate } from './ledger.ts';

/** The files that tell what became of each row. */
export interface Results {
  /** Writes the file's results. False when they were already so. */
  write(
    stem: string,
    file: DroppedFile,
    fates: readonly RowFate[],
    own: OwnBookings,
    signal: AbortSignal,
  ): Promise<boolean>;
  /** Rewrites the results whose bookings have moved on. Resolves to how many. */
  refresh(own: OwnBookings, signal: AbortSignal): Promise<number>;
}

export type OwnBookings = () => Promise<ReadonlyMap<string, Booking>>;

interface Options {
  folders: Folders;
  settings: CsvSettings;
  source: string;
  bookings: BookingDoor;
  ledger: Ledger;
  clock: Clock;
}

type State = Pick<Booking, 'ref' | 'state' | 'appointment_id' | 'message' | 'changed_at'>;

/** A booking in one of these may still be moved by a person, but not by itself. */
const settledStates: readonly BookingState[] = ['booked', 'booked_no_id', 'rejected', 'expired', 'dropped'];
/** Results whose bookings are all settled are looked after for this long, then left as they are. */
const KEEP_OPEN_MS = 30 * 86_400_000;

export function createResults({ folders, settings, source, bookings, ledger, clock }: Options): Results {
  const dialect = dialectOf(settings);
  /** What the results say now, so that an unmoved file is not even read. */
  const written = new Map<string, string>();

  async function statesOf(fates: readonly RowFate[], own: OwnBookings): Promise<Map<string, State>> {
    const known = await own();
    const states = new Map<string, State>();
    for (const fate of fates) {
      if (!('ref' in fate) || states.has(fate.ref)) continue;
      const booking = known.get(fate.ref) ?? (await bookings.find(source, fate.ref));
      if (booking === undefined) continue;
      const { ref, state, appointment_id, message, changed_at } = booking;
      states.set(ref, { ref, state, appointment_id, message, changed_at });
      if (states.size % 500 === 0) await turn();
    }
    return states;
  }

  function cellsOf(fate: RowFate | undefined, states: ReadonlyMap<string, State>): string[] {
    if (fate === undefined) return ['', '', '', '', ''];
    if ('refused' in fate) return ['', '', '', `Not stored: ${fate.refused}`, ''];
    const state = states.get(fate.ref);
    if (state === undefined) return [fate.ref, '', '', 'This booking is not known any more.', ''];
    const { appointment_id, message, changed_at } = state;
    return [fate.ref, state.state, String(appointment_id ?? ''), message ?? '', changed_at];
  }

  async function render(
    file: DroppedFile,
    fates: readonly RowFate[],
    states: ReadonlyMap<string, State>,
    signal: AbortSignal,
  ) {
    const own = ownColumns(file.headers);
    const original = (cells: readonly string[]) =>
      file.headers.flatMap((_, index) => (own.has(index) ? [] : [cells[index] ?? '']));
    const dialectOfFile = { ...dialect, delimiter: file.delimiter };
    const mark = dialect.forExcel ? BYTE_ORDER_MARK : '';
    const pieces = [
      Buffer.from(mark + renderCells([[...original(file.headers), ...resultColumns]], dialectOfFile)),
    ];
    let lines: string[][] = [];
    let row = 0;
    for await (const cells of file.records()) {
      lines.push([...original(cells), ...cellsOf(fates[row], states)]);
      row += 1;
      if (lines.length < 500 && row < file.rows) continue;
      pieces.push(Buffer.from(renderCells(lines, dialectOfFile)));
      lines = [];
      await turn();
      signal.throwIfAborted();
    }
    return Buffer.concat(pieces);
  }

  async function write(
    stem: string,
    file: DroppedFile,
    fates: readonly RowFate[],
    states: ReadonlyMap<string, State>,
    signal: AbortSignal,
  ) {
    const path = join(folders.results, `${stem}.results.csv`);
    const bytes = await render(file, fates, states, signal);
    const stat = await statOf(path);
    const same = stat?.isFile() && stat.size === bytes.length && bytes.equals(await readFile(path));
    if (!same) await replaceFile(path, bytes);
    written.set(stem, digest(fates, states));
    return !same;
  }

  async function fromDone(stem: string, signal: AbortSignal): Promise<DroppedFile | undefined> {
    const path = join(folders.done, `${stem}.csv`);
    if (!(await statOf(path))?.isFile()) return undefined;
    const read = await readPlainFile(path);
    return 'bytes' in read ? (await openDropped(read.bytes, settings.columns, signal)).file : undefined;
  }

  return {
    write: async (stem, file, fates, own, signal) =>
      write(stem, file, fates, await statesOf(fates, own), signal),
    async refresh(own, signal) {
      let count = 0;
      for (const { stem, sha256: hash, at } of await ledger.open()) {
        signal.throwIfAborted();
        const fates = await ledger.fates(hash);
        const states = await statesOf(fates, own);
        const there = (await statOf(join(folders.results, `${stem}.results.csv`))) !== undefined;
        if (!there || written.get(stem) !== digest(fates, states)) {
          const file = await fromDone(stem, signal);
          if (file?.sha256 === hash) count += (await write(stem, file, fates, states, signal)) ? 1 : 0;
          // Removed from done/, which ends its results; or still being booked, which opens them again.
          else await ledger.close(stem);
        }
        const settled = [...states.values()].every(({ state }) => settledStates.includes(state));
        if (settled && clock.now() - toMs(at) > KEEP_OPEN_MS) await ledger.close(stem);
      }
      return count;
    },
  };
}

const digest = (fates: readonly RowFate[], states: ReadonlyMap<string, State>) =>
  sha256(JSON.stringify([fates, [...states.values()]]));
