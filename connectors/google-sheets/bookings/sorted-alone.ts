import { inputs } from '../tabs/columns.ts';
import { type Claim, changedInputs, type InputHashes } from './claims.ts';
import { type BookingRow, inputHashesOf } from './read-row.ts';
import type { CellChange } from './result.ts';

type Input = keyof typeof inputs;
type Doubts = Map<string, Input | null>;

const keys = Object.keys(inputs) as Input[];
const blank = inputHashesOf({});
/** Of rows that no tab shows any more. */
const MOST_FORMER = 20_000;
/** Unbooked rows that a restart remembers. */
const MOST_OPEN = 2_000;

const wholeOf = (parts: InputHashes): string => keys.map((key) => parts[key] ?? '').join(' ');
const besides = (column: Input, parts: InputHashes): string => wholeOf({ ...parts, [column]: '' });

type Seen = Pick<BookingRow, 'parts' | 'ref' | 'send'>;

/** What cannot be taken as somebody's doing. */
export interface Unsure {
  /** Rows in which one column comes from another row. */
  mixed: ReadonlyMap<BookingRow, Input>;
  /** Rows whose tick may be another's. */
  moved: ReadonlySet<BookingRow>;
}

/** What a start has to know of the last reading, beside the claims. */
interface Remembered {
  /** Rows without a Ref: what they said, whether they were ticked, and the column to ask about. */
  open: [whole: string, send: boolean, doubt: Input | null][];
  /** Refs of rows without a tick. */
  unticked: string[];
  /** Number of ticks in rows without anything else. */
  stray: number;
}

/** Recognizes rows in which one column comes from another row. */
export type SortedAlone = ReturnType<typeof createSortedAlone>;

/**
 * Compares each reading with the one before. Sorting a column alone leaves the rest of its rows as they were, while
 * what one of them said comes to stand in another. How a row was first seen decides: undoing the sort settles all of
 * them.
 */
export function createSortedAlone() {
  const first = new Map() as Doubts;
  let before: readonly Seen[] | undefined;
  let latest: readonly (Seen & Pick<BookingRow, 'row'>)[] = [];
  /** Before, and in the latest reading. */
  const strayTicks = { before: 0, latest: 0 };
  return {
    /**
     * The rows to ask about; `stray` counts the ticks in rows without anything else. `claims` and `seen` stand for the
     * reading before a start.
     */
    find(
      { rows, stray }: { rows: readonly BookingRow[]; stray: number },
      claims: readonly Claim[],
      seen: string | undefined,
    ): Unsure {
      if (before === undefined) {
        const last = JSON.parse(seen ?? '{}') as Partial<Remembered>;
        before = remembered(claims, first, last);
        strayTicks.before = last.stray ?? 0;
      }
      const fresh = rows.filter(({ parts }) => !first.has(wholeOf(parts)));
      const reading = { before, rows, fresh };
      const taken = new Map(fresh.length === 0 ? [] : keys.flatMap((column) => takenIn(column, reading)));
      const doubts = fresh.map((row) => taken.get(row) ?? inherited(row, reading, first) ?? null);
      for (const [at, row] of fresh.entries()) first.set(wholeOf(row.parts), doubts[at] ?? null);
      const mixed = new Map<BookingRow, Input>();
      for (const row of rows) {
        const column = first.get(wholeOf(row.parts));
        if (column) mixed.set(row, column);
      }
      const moved = movedTicks(reading, stray < strayTicks.before);
      forgetFormer(first, rows);
      latest = rows.map(({ row, parts, ref, send }) => ({ row, parts, ref, send }));
      strayTicks.latest = stray;
      return { mixed, moved };
    },
    /**
     * Call once the reading was acted on: the next is compared with it, after a start by what this returns.
     *
     * @param cells What we write: nobody lost a tick that we take away.
     */
    settle(cells: readonly CellChange[]): string {
      const written = new Map(cells.map(({ row, column, value }) => [`${column} ${row}`, value]));
      before = latest.map(({ row, parts, ...shown }) => {
        const ref = written.get(`ref ${row}`);
        return {
          parts,
          ref: ref === undefined ? shown.ref : typeof ref === 'string' ? ref : null,
          send: shown.send && written.get(`send ${row}`) !== false,
        };
      });
      const open = before
        .filter(({ ref, parts }) => ref === null && wholeOf(parts) !== wholeOf(blank))
        .slice(-MOST_OPEN)
        .map(({ parts, send }) => [wholeOf(parts), send, first.get(wholeOf(parts)) ?? null]);
      const unticked = before.flatMap(({ ref, send }) => (ref === null || send ? [] : ref));
      strayTicks.before = strayTicks.latest;
      return JSON.stringify({ open, unticked, stray: strayTicks.latest });
    },
  };
}

/** What was known before a restart; without `seen` no row counts as ticked. */
function remembered(
  claims: readonly Claim[],
  first: Doubts,
  { open = [], unticked }: Partial<Remembered>,
): Seen[] {
  const complete = claims.filter(({ parts }) => parts !== undefined && keys.every((key) => parts[key]));
  for (const { parts = {}, alone, phase } of complete)
    first.set(wholeOf(parts), phase === 'accepted' ? null : alone === 'send' ? null : (alone ?? null));
  for (const [whole, , doubt] of open) first.set(whole, doubt);
  return [
    ...complete
      .filter(({ phase }) => phase !== 'withdrawn')
      .map(({ parts = {}, shown, ref, booking = ref, phase }) => {
        const send = phase !== 'duplicate' && unticked?.includes(booking) === false;
        // What a row said that was changed since it was sent is not known.
        return { parts: shown === undefined ? parts : {}, ref: booking, send };
      }),
    ...open.map(([whole, send]) => ({ parts: partsIn(whole), ref: null, send })),
  ];
}

const partsIn = (whole: string): InputHashes =>
  Object.fromEntries(whole.split(' ').flatMap((part, at) => (part === '' ? [] : [[keys[at] ?? '', part]])));

interface Reading {
  before: readonly Seen[];
  rows: readonly BookingRow[];
  /** Rows that say what none said before. */
  fresh: readonly BookingRow[];
}

/** Rows whose cell in this column stood in another row before. */
function takenIn(column: Input, { before, rows, fresh }: Reading): [BookingRow, Input][] {
  const keyOf = ({ parts }: Pick<Seen, 'parts'>) => besides(column, parts);
  const idsOf = (one: Seen) => identities(column, one);
  const was = valuesBy(
    before.filter(({ parts }) => parts.patient !== undefined),
    column,
    idsOf,
  );
  const is = valuesBy(rows, column, idsOf);
  // A row without the Ref that it had is another one.
  const open = new Set(before.flatMap((one) => (one.ref === null ? idsOf(one) : [])));
  const isChanged = (row: BookingRow, id: string) =>
    (row.ref !== null || open.has(id)) && was.get(id)?.has(row.parts[column]) === false;
  const changed = rows.filter((row) => isChanged(row, keyOf(row)));
  /** The rows that said it before and say something else now. */
  const moved = new Map<string | undefined, Set<string>>();
  for (const row of rows)
    for (const id of idsOf(row).filter((one) => isChanged(row, one)))
      for (const value of was.get(id) ?? [])
        if (value !== undefined && value !== blank[column] && !is.get(id)?.has(value))
          moved.set(value, (moved.get(value) ?? new Set()).add(keyOf(row)));
  const isTaken = (row: BookingRow) => {
    const from = moved.get(row.parts[column]);
    if (from === undefined || (from.size === 1 && from.has(keyOf(row)))) return false;
    // A new value that others had by chance, such as an hour: only in a column that is in order now.
    const former = was.get(keyOf(row));
    const isNew = former === undefined || former.has(blank[column]);
    return !isNew || isInOrder(column, rows, [...changed, row]);
  };
  const taken = fresh.filter(isTaken);
  const emptied = changed.filter((row) => taken.length > 0 && row.parts[column] === blank[column]);
  return [...taken, ...emptied].map((row) => [row, column]);
}

/**
 * What tells which row it was: all else in it, its Ref, its patient. The first alone would miss a row in which somebody
 * also typed something else between two readings.
 */
function identities(column: Input, { parts, ref }: Seen): string[] {
  const { patient, phone } = parts;
  const isPerson =
    column !== 'patient' && column !== 'phone' && patient !== blank.patient && phone !== blank.phone;
  return [
    besides(column, parts),
    ...(ref === null ? [] : [`Ref ${ref}`]),
    ...(isPerson ? [`patient ${patient} ${phone}`] : []),
  ];
}

function valuesBy(
  rows: readonly Seen[],
  column: Input,
  idsOf: (row: Seen) => string[],
): Map<string, Set<string | undefined>> {
  const found = new Map<string, Set<string | undefined>>();
  for (const row of rows)
    for (const id of idsOf(row)) found.set(id, (found.get(id) ?? new Set()).add(row.parts[column]));
  return found;
}

const { compare } = new Intl.Collator('en', { sensitivity: 'base' });

/** Whether these rows, and all between them, go up or down. */
function isInOrder(column: Input, rows: readonly BookingRow[], of: readonly BookingRow[]): boolean {
  const places = of.map(({ row }) => row);
  const [from, to] = [Math.min(...places), Math.max(...places)];
  const values = rows
    .filter(({ row }) => row >= from && row <= to)
    .flatMap(({ fields }) => fields[inputs[column].field] ?? [])
    .map(String);
  const steps = values.slice(1).map((value, at) => Math.sign(compare(value, values[at] ?? '')));
  return !(steps.includes(1) && steps.includes(-1));
}

/** A row in doubt stays so while people complete it. */
function inherited(
  { parts }: BookingRow,
  { before, rows }: Reading,
  first: Readonly<Doubts>,
): Input | undefined {
  const isThere = (one: Seen) => rows.some((row) => wholeOf(row.parts) === wholeOf(one.parts));
  const isSame = (one: Seen, key: Input) => one.parts[key] === parts[key] && parts[key] !== blank[key];
  for (const one of before) {
    const column = first.get(wholeOf(one.parts));
    if (!column || !isSame(one, column) || isThere(one)) continue;
    if ((['patient', 'phone'] as const).some((key) => key !== column && isSame(one, key))) return column;
  }
  return undefined;
}

/**
 * Rows that stood there without a tick and got one as others lost theirs: nobody can tell whose tick that is, even if
 * somebody also ticked.
 */
function movedTicks({ before, rows }: Reading, fromBlank: boolean): ReadonlySet<BookingRow> {
  // Inputs come first: they may be sorted without Send and the answers.
  const keysOf = ({ parts, ref }: Seen) => {
    const whole = wholeOf(parts);
    const person = `${parts.patient} ${parts.phone}`;
    return [`${whole} ${ref}`, whole, person, ...(ref === null ? [] : [`Ref ${ref}`])];
  };
  const were = new Map<string, Set<boolean>>();
  for (const one of before)
    for (const key of keysOf(one)) were.set(key, (were.get(key) ?? new Set()).add(one.send));
  const was = (row: BookingRow, send: boolean) =>
    were.get(keysOf(row).find((key) => were.has(key)) ?? '')?.has(send) === true;
  const isLost = fromBlank || rows.some((row) => !row.send && was(row, true));
  return new Set(isLost ? rows.filter((row) => row.send && was(row, false)) : []);
}

function forgetFormer(first: Doubts, rows: readonly BookingRow[]): void {
  if (first.size <= MOST_FORMER + rows.length) return;
  const shown = new Set(rows.map(({ parts }) => wholeOf(parts)));
  for (const [whole, column] of first) if (column === null && !shown.has(whole)) first.delete(whole);
}

/** The question that was asked about exactly this row before. */
export const askedBefore = (claims: readonly Claim[], row: BookingRow): Claim | undefined =>
  claims.find(
    (claim) =>
      claim.phase === 'duplicate' && claim.alone !== undefined && changedInputs(claim, row).length === 0,
  );
