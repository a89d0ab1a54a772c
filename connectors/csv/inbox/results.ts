import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import type { BookingDoor } from '../../../src/connector.ts';
import type { Booking, BookingState } from '../../../src/domain/booking.ts';
import { type Clock, toMs } from '../../../src/platform/clock.ts';
import { stampOf } from '../export/file-stamp.ts';
import { replaceFile, sha256, statOf } from '../files.ts';
import { BYTE_ORDER_MARK, dialectOf, renderCells } from '../render-csv.ts';
import { type CsvSettings, fileModeOf } from '../settings.ts';
import { type DroppedFile, openDropped } from './dropped-file.ts';
import { type Folders, readPlainFile } from './folders.ts';
import { ownColumns, resultColumns } from './headers.ts';
import type { Ledger, RowFate } from './ledger.ts';

/** The files that tell what became of each row. */
export interface Results {
  /** Writes the file's results. False when they were already so. */
  write(stem: string, file: DroppedFile, fates: readonly RowFate[], signal: AbortSignal): Promise<boolean>;
  /** Rewrites the results of these bookings, of all when it is not known which moved on. Resolves to how many. */
  refresh(moved: ReadonlySet<string> | undefined, signal: AbortSignal): Promise<number>;
}

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
  /** What the results say now, and of which bookings, so that an unmoved file is not even read. */
  const written = new Map<string, Written>();
  const mode = fileModeOf(settings);

  async function statesOf(fates: readonly RowFate[]): Promise<Map<string, State>> {
    const states = new Map<string, State>();
    for (const fate of fates) {
      if (!('ref' in fate) || states.has(fate.ref)) continue;
      const booking = await bookings.find(source, fate.ref);
      if (booking === undefined) continue;
      const { ref, state, appointment_id, message, changed_at } = booking;
      states.set(ref, { ref, state, appointment_id, message, changed_at });
      if (states.size % 50 === 0) await turn();
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
    const mark = dialect.forExcel || file.wantsMark ? BYTE_ORDER_MARK : '';
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
    if (!same) await replaceFile(path, bytes, mode);
    else await stampOf(path, mode);
    written.set(stem, writtenOf(fates, states));
    return !same;
  }

  async function fromDone(stem: string, signal: AbortSignal): Promise<DroppedFile | undefined> {
    const path = join(folders.done, `${stem}.csv`);
    if (!(await statOf(path))?.isFile()) return undefined;
    const read = await readPlainFile(path);
    return 'bytes' in read ? (await openDropped(read.bytes, settings.columns, signal)).file : undefined;
  }

  return {
    write: async (stem, file, fates, signal) => write(stem, file, fates, await statesOf(fates), signal),
    async refresh(moved, signal) {
      let count = 0;
      for (const { stem, sha256: hash, at } of await ledger.open()) {
        signal.throwIfAborted();
        const known = written.get(stem);
        const there = (await statOf(join(folders.results, `${stem}.results.csv`))) !== undefined;
        const old = clock.now() - toMs(at) > KEEP_OPEN_MS;
        if (there && known && moved?.isDisjointFrom(known.refs)) {
          if (known.settled && old) await ledger.close(stem);
          continue;
        }
        const fates = await ledger.fates(hash);
        const states = await statesOf(fates);
        const now = writtenOf(fates, states);
        if (!there || known?.digest !== now.digest) {
          const file = await fromDone(stem, signal);
          if (file?.sha256 === hash) count += (await write(stem, file, fates, states, signal)) ? 1 : 0;
          // Removed from done/, which ends its results; or still being booked, which opens them again.
          else await ledger.close(stem);
        }
        if (now.settled && old) await ledger.close(stem);
      }
      return count;
    },
  };
}

interface Written {
  digest: string;
  refs: ReadonlySet<string>;
  settled: boolean;
}

const writtenOf = (fates: readonly RowFate[], states: ReadonlyMap<string, State>): Written => ({
  digest: sha256(JSON.stringify([fates, [...states.values()]])),
  refs: new Set(states.keys()),
  settled: [...states.values()].every(({ state }) => settledStates.includes(state)),
});
