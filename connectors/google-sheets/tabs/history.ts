import { setImmediate as turn } from 'node:timers/promises';
import type { ClinicFacts, Memory, MirrorView, Row } from '../../../src/connector.ts';
import type { Change } from '../../../src/domain/clinics/change.ts';
import type { TabKey } from '../settings.ts';
import {
  type Content,
  dateSerial,
  instantSerial,
  money,
  numberCell,
  textCell,
  timeSerial,
} from '../sheet/cells.ts';
import type { DesiredRow } from '../sheet/tab-spec.ts';

/** Tabs of tables that grow with a clinic's history. */
type HistoryTab = 'fee_history' | 'statistics' | FollowedTab;
/** Tables whose rows the change log names by id. */
type FollowedTab = 'appointments' | 'leads';

/** Rows per clinic of such a tab that are kept up to date: the most recently changed. Older ones stay as they are. */
export const KEPT_ROWS = 5_000;
const PAGE = 500;

/** Where the next portion starts. Stored as JSON. */
interface Position {
  /** Sequence in the change log. */
  sequence?: number | undefined;
  /** Id of the last row that was read. */
  after?: string | number | undefined;
  /** The initial rows were read, so that changes are now followed. */
  isFollowing?: boolean;
}

interface Kept {
  /** By id, in the order of their last change. */
  readonly rows: Map<string | number, DesiredRow>;
  readonly position: Position;
  /** The newest row that is no longer kept. */
  dropped: string | number | undefined;
  stored: string | undefined;
}

interface Portion {
  rows: readonly DesiredRow[];
  isLast: boolean;
}

export const isHistoryTab = (tab: TabKey): tab is HistoryTab => Object.hasOwn(read, tab);

type ReadPortion = (view: MirrorView, facts: ClinicFacts, position: Position) => Promise<Portion>;

/** Reads all rows once, then those named in the change log. `keyOf` is the row at a position. */
function followed(table: FollowedTab, keyOf: (place: Position['after']) => Row): ReadPortion {
  return async (view, facts, position) => {
    const { clinic } = facts;
    // Before the rows, so that changes meanwhile are read twice rather than missed.
    position.sequence ??= await lastSequence(view, clinic);
    const { sequence, after } = position;
    const made = async (rows: readonly Row[]) =>
      rows.length === 0 ? [] : rows.map(await rowMakers[table](view, facts));
    if (position.isFollowing) {
      const { rows, through } = await view.rowsChangedSince(table, clinic, sequence, PAGE);
      position.sequence = through;
      return { rows: await made(rows), isLast: through === sequence };
    }
    const rows = await made(await view.page(table, clinic, PAGE, after === undefined ? after : keyOf(after)));
    const last = rows.at(-1);
    position.after = last === undefined ? after : placeOf(last);
    position.isFollowing = rows.length < PAGE;
    return { rows, isLast: false };
  };
}

const placeOf = ({ id, place = id }: DesiredRow): string | number => place;

const read: Record<HistoryTab, ReadPortion> = {
  async fee_history(view, { clinic, timezone }, position) {
    const { after = 0 } = position;
    const changes = await view.changes(clinic, Number(after), PAGE);
    position.after = changes.at(-1)?.sequence ?? after;
    return { rows: changes.flatMap((one) => feeRow(one, timezone) ?? []), isLast: changes.length < PAGE };
  },
  async statistics(view, facts, position) {
    const { after } = position;
    const rows = await view.page(
      'organization_statistics',
      facts.clinic,
      PAGE,
      after === undefined ? after : { at: after },
    );
    position.after = rows.at(-1)?.at ?? after;
    return { rows: rows.map((row) => statisticsRow(row, facts)), isLast: rows.length < PAGE };
  },
  appointments: followed('appointments', (at) => ({ appointment_id: at ?? null })),
  leads: followed('leads', (at) => {
    const [received_at = '', ref = ''] = String(at).split(' ');
    return { received_at, ref };
  }),
};

/** Each run reads only what changed since the last one; a restart reads at most the kept rows. */
export type History = ReturnType<typeof createHistory>;

export function createHistory(memory: Memory) {
  const kept = new Map<string, Kept>();
  const versions = new Map<HistoryTab, number>();
  const changed = (tab: HistoryTab) => versions.set(tab, (versions.get(tab) ?? 0) + 1);

  async function open(name: string): Promise<Kept> {
    const stored = await memory.get(name);
    const position = JSON.parse(stored ?? '{}') as Position;
    const opened: Kept = { rows: new Map(), position, dropped: position.after, stored };
    kept.set(name, opened);
    return opened;
  }

  return {
    /** Reads the kept rows of a clinic, the latest last. */
    rows: (tab: HistoryTab) => async (view: MirrorView, facts: ClinicFacts) => {
      const name = nameOf(tab, facts.clinic);
      const known = kept.get(name) ?? (await open(name));
      for (let isLast = false; !isLast; ) {
        const portion = await read[tab](view, facts, known.position);
        keep(known, portion.rows);
        if (portion.rows.length > 0) changed(tab);
        isLast = portion.isLast;
        // The database answers without yielding to the event loop.
        if (!isLast) await turn();
      }
      return [...known.rows.values()];
    },
    /** Equal versions mean equal rows. */
    version: (tab: HistoryTab): number => versions.get(tab) ?? 0,
    /** Reads these rows again; deleted ones are no longer kept. */
    async refresh(
      tab: FollowedTab,
      { view, facts, ids }: { view: MirrorView; facts: ClinicFacts; ids: readonly string[] },
    ): Promise<void> {
      const known = kept.get(nameOf(tab, facts.clinic));
      if (known === undefined || ids.length === 0) return;
      const made = await rowMakers[tab](view, facts);
      const rows = (await view.rowsById(tab, facts.clinic, ids)).map(made);
      const found = new Map(rows.map((row) => [String(row.id), row]));
      for (const id of known.rows.keys()) {
        if (!ids.includes(String(id))) continue;
        const row = found.get(String(id));
        if (row) known.rows.set(id, row);
        else known.rows.delete(id);
      }
      changed(tab);
    },
    /** Records that all rows so far were written: a restart continues here. */
    async written(): Promise<void> {
      for (const [name, one] of kept) {
        const { sequence } = one.position;
        // Only what a restart needs: where the kept rows begin, and where to follow changes from.
        const next = JSON.stringify({ sequence, after: one.dropped } satisfies Position);
        if (next === one.stored) continue;
        await memory.set({ [name]: next });
        one.stored = next;
      }
    },
  };
}

const nameOf = (tab: HistoryTab, clinic: string): string => `history:${tab}:${clinic}`;

function keep(known: Kept, rows: readonly DesiredRow[]): void {
  for (const row of rows) {
    known.rows.delete(row.id);
    known.rows.set(row.id, row);
  }
  for (const [id, row] of known.rows) {
    if (known.rows.size <= KEPT_ROWS) break;
    const place = placeOf(row);
    known.rows.delete(id);
    // The highest one, because everything above it is kept.
    if (known.dropped === undefined || place > known.dropped) known.dropped = place;
  }
}

/** The end of the change log, found in a few reads of one row. */
async function lastSequence(view: MirrorView, clinic: string): Promise<number> {
  const isBefore = async (sequence: number) => (await view.changes(clinic, sequence, 1)).length > 0;
  let [low, high] = [0, 1];
  while (await isBefore(high)) [low, high] = [high, high * 2];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (await isBefore(middle)) low = middle;
    else high = middle;
  }
  return (await isBefore(low)) ? high : low;
}

const fees = {
  treatment: { field: 'base_fee', name: 'treatment_name', kind: 'Treatment', label: 'Fee' },
  dentist: {
    field: 'consultation_fee',
    name: 'doctor_name',
    kind: 'Dentist',
    label: 'Consultation fee',
  },
} as const;

/** A fee as of one change; undefined when the change is about something else. */
function feeRow(change: Change, zone: string): DesiredRow | undefined {
  const { clinic, sequence, at, type, resource, id, data, previous } = change;
  const fee = resource === 'treatment' || resource === 'dentist' ? fees[resource] : undefined;
  if (fee === undefined || type.endsWith('.removed')) return undefined;
  const now = decimal(data[fee.field]);
  const before = previous === null ? null : decimal(previous[fee.field]);
  const isChanged = previous === null || Object.hasOwn(previous, fee.field);
  if (!isChanged || now === null) return undefined;
  return {
    clinic,
    id: sequence,
    cells: {
      at: instantSerial(at, zone),
      kind: fee.kind,
      // In the format of the thing's own tab, so that lookups find it.
      thing: /^\d{1,15}$/.test(id) ? Number(id) : id,
      name: textCell(data[fee.name] as string),
      field: fee.label,
      old: money(before),
      new: money(now),
      difference: difference(before, now),
    },
  };
}

const decimal = (value: unknown): string | null =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : null;

function difference(before: string | null, now: string): Content {
  const [from, to] = [money(before), money(now)];
  if (typeof from !== 'number' || typeof to !== 'number') return null;
  const decimals = Math.max(...[before, now].map((value) => value?.split('.')[1]?.length ?? 0));
  return Number((to - from).toFixed(decimals));
}

const statisticsRow = (row: Row, { clinic, timezone }: ClinicFacts): DesiredRow => ({
  clinic,
  id: row.at ?? '',
  cells: {
    at: instantSerial(row.at, timezone),
    users: numberCell(row.total_users),
    patients: numberCell(row.total_patients),
    appointments: numberCell(row.total_appointments),
    dentists: numberCell(row.total_doctors),
  },
});

const appointmentRow = (row: Row, { clinic, timezone }: ClinicFacts): DesiredRow => ({
  clinic,
  id: row.appointment_id ?? '',
  cells: {
    status: textCell(row.status),
    patient: textCell(row.name),
    date: dateSerial(row.date),
    time: timeSerial(row.time),
    changed: instantSerial(row.changed_at, timezone),
  },
});

/** The treatment and dentist of a lead have names in the mirror, even after they were removed. */
async function leadRows(
  view: MirrorView,
  { clinic, timezone }: ClinicFacts,
): Promise<(row: Row) => DesiredRow> {
  const names = async (table: 'treatments' | 'dentists', id: string, name: string) =>
    new Map((await view.rows(table, clinic)).map((row) => [row[id], row[name]]));
  const treatments = await names('treatments', 'treatment_id', 'treatment_name');
  const dentists = await names('dentists', 'doctor_id', 'doctor_name');
  const moment = (at: Row[string] | undefined) => instantSerial(at ?? null, timezone);
  return (row) => ({
    clinic,
    id: row.ref ?? '',
    place: `${row.received_at} ${row.ref}`,
    cells: {
      received: moment(row.received_at),
      source: textCell(row.source),
      campaign: textCell(row.campaign),
      channel: textCell(row.channel),
      state: textCell(row.state),
      outcome: textCell(row.outcome),
      status: textCell(row.status),
      booked: moment(row.booked_at),
      completed: moment(row.completed_at),
      treatment: textCell(treatments.get(row.treatment_id ?? null) ?? row.treatment_id),
      dentist: textCell(dentists.get(row.doctor_id ?? null) ?? row.doctor_id),
      fee: money(row.fee_as_sent),
      currency: textCell(row.currency),
    },
  });
}

const rowMakers: Record<
  FollowedTab,
  (view: MirrorView, facts: ClinicFacts) => Promise<(row: Row) => DesiredRow>
> = {
  appointments: async (_view, facts) => (row) => appointmentRow(row, facts),
  leads: leadRows,
};
