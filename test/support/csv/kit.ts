import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { csv } from '../../../connectors/csv/csv.ts';
import type {
  BookingPort,
  Connector,
  ConnectorContext,
  Converged,
  Memory,
  MirrorTable,
  MirrorView,
  Row,
} from '../../../src/connector.ts';
import type { Booking, Submission } from '../../../src/domain/bookings/booking.ts';
import type { Change } from '../../../src/domain/clinics/change.ts';
import { type Clock, instant } from '../../../src/platform/clock.ts';
import { silentLog } from '../../../src/platform/log.ts';
import { answered, fakeBooking, notesIn } from '../bookings/fake-booking.ts';
import { pagedRows } from '../paged-rows.ts';

/** What a test says about the clinic; change it and converge again. */
export interface FakeMirror {
  rows: Partial<Record<MirrorTable, Row[]>>;
  changes: Change[];
  asOf: string;
}

/** Bookings and notes that survive a kill, when they have a file. */
export interface FakeBookings {
  port: BookingPort;
  memory: Memory;
  bookings: Booking[];
  /** Every submission that was handed in, repeated ones too. */
  submissions: Submission[];
  move(ref: string, change: Partial<Booking>): void;
  /** Refs in the order of their moves. */
  readonly moves?: string[];
}

const MERGE_WITHIN_MS = 15 * 60_000;

export function desk(clock: Clock, file?: string): FakeBookings {
  const stored = file && existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  const bookings: Booking[] = stored.bookings ?? [];
  const notes: Record<string, string> = stored.notes ?? {};
  const submissions: Submission[] = stored.submissions ?? [];
  const moves: string[] = [];
  const save = () => {
    if (!file) return;
    writeFileSync(`${file}.tmp`, JSON.stringify({ bookings, notes, submissions }));
    renameSync(`${file}.tmp`, file);
  };
  const contentOf = (one: Booking) =>
    JSON.stringify([
      one.patient_name,
      one.patient_phone,
      one.appointment_date,
      one.appointment_time,
      one.doctor,
      one.treatment,
    ]);
  const byId = new Map(bookings.map((one) => [one.submission_id, one]));
  const byContent = new Map(bookings.map((one) => [contentOf(one), one]));

  const toBooking = (submission: Submission): Booking =>
    fakeBooking(submission, {
      ref: `CS-${String(bookings.length + 1).padStart(6, '0')}`,
      at: instant(clock.now()),
    });

  return {
    bookings,
    submissions,
    moves,
    move(ref, change) {
      moves.push(ref);
      const booking = bookings.find((one) => one.ref === ref);
      Object.assign(booking ?? {}, change, { changed_at: instant(clock.now()) });
    },
    port: {
      async accept(submission) {
        submissions.push(submission);
        const fresh = toBooking(submission);
        const alike = byContent.get(contentOf(fresh));
        const recent =
          alike?.state !== 'dropped' &&
          alike &&
          clock.now() - Date.parse(alike.received_at) < MERGE_WITHIN_MS;
        const known = byId.get(fresh.submission_id) ?? (recent ? alike : undefined);
        if (known === undefined) {
          bookings.push(fresh);
          byId.set(fresh.submission_id, fresh);
          byContent.set(contentOf(fresh), fresh);
        } else if (known.submission_id !== fresh.submission_id) known.merged += 1;
        save();
        return answered(known ?? fresh, !known);
      },
      validate: async () => [],
      async find(source, ref) {
        const found = bookings.find((one) => one.source === source && one.ref === ref);
        return found && answered(found, false);
      },
      async withdraw(source, ref, why) {
        const found = bookings.find((one) => one.source === source && one.ref === ref);
        if (found?.state !== 'held') return found?.state === 'dropped' && found.message === why;
        Object.assign(found, { state: 'dropped', message: why, changed_at: instant(clock.now()) });
        moves.push(ref);
        save();
        return true;
      },
    },
    memory: notesIn(notes, save),
  };
}

export interface Rig {
  directory: string;
  inbox: string;
  mirror: FakeMirror;
  desk: FakeBookings;
  connector: Connector;
  converge(signal?: AbortSignal): Promise<Converged>;
  forget(refs: string[]): Promise<void>;
}

interface RigOptions {
  clock: Clock;
  settings?: Record<string, unknown>;
  root?: string;
  deskFile?: string;
  clinics?: { clinic: string; timezone: string; country?: string }[];
  includePatient?: boolean;
  desk?: FakeBookings;
  mirror?: FakeMirror;
}

/** Loaded only in a test: the child of the crash tests has no test runner around it. */
const newFolder = async () => (await import('../temporary-folder.ts')).temporaryFolder();

/** A csv connector over a temporary directory, a fake mirror and fake bookings. */
export async function rig(options: RigOptions): Promise<Rig> {
  const { clock, clinics = [{ clinic: 'main', timezone: 'Asia/Dhaka' }], includePatient = false } = options;
  const root = options.root ?? (await newFolder());
  const mirror = options.mirror ?? { rows: {}, changes: [], asOf: '2026-03-02T08:59:00.000Z' };
  const office = options.desk ?? desk(clock, options.deskFile);
  // As the store does: each move is in the log, and its row can be read by it.
  const moved: FakeMirror = {
    get rows() {
      const own = office.bookings.map((one) => ({ ...one, evidence: null }) as unknown as Row);
      return { ...mirror.rows, bookings: [...(mirror.rows.bookings ?? []), ...own] };
    },
    get changes() {
      const last = mirror.changes.at(-1)?.sequence ?? 0;
      const moves = (office.moves ?? []).map((ref, index) =>
        change(last + 1 + index, { type: 'booking.booked', resource: 'booking', id: ref }),
      );
      return [...mirror.changes, ...moves];
    },
    asOf: mirror.asOf,
  };
  const view: MirrorView = {
    clinics: clinics.map((one) => ({ ...one, name: null, currency: null, currency_symbol: null })),
    rows: async (table, clinic) => (mirror.rows[table] ?? []).filter((row) => row.clinic === clinic),
    ...pagedRows(mirror),
    rowsChangedSince: (...asked) => pagedRows(moved).rowsChangedSince(...asked),
    ownBookings: async (clinic, refs) =>
      office.bookings.filter((one) => one.clinic === clinic && refs.includes(one.ref)).reverse(),
    ownBookingsBySubmission: async (clinic, ids) =>
      office.bookings
        .filter((one) => one.clinic === clinic && ids.includes(one.submission_id ?? ''))
        .reverse(),
    changes: async (clinic, after, limit) =>
      mirror.changes.filter((one) => one.clinic === clinic && one.sequence > after).slice(0, limit),
    leadCounts: async () => ({ sources: [], states: {} }),
    month: async () => undefined,
    freshness: async () =>
      ['organization', 'website', 'treatments', 'dentists', 'appointments'].map((poll) => ({
        poll,
        rows: 0,
        as_of: mirror.asOf,
        next_due_at: null,
      })),
  };
  const directory = join(root, 'csv');
  const inbox = join(root, 'inbox');
  const context: ConnectorContext<never> = {
    name: 'reports',
    settings: csv.settings.parse({ directory, ...options.settings }) as never,
    clinics,
    includePatient,
    instance: 'test',
    bookings: office.port,
    memory: office.memory,
    clock,
    log: silentLog,
    wake() {},
  };
  const connector = await csv.create(context);
  const { state } = connector;
  if (!state) throw new Error('the csv connector synchronizes files');
  return {
    directory,
    inbox,
    mirror,
    desk: office,
    connector,
    converge: (signal = new AbortController().signal) => state.converge(view, signal),
    async forget(refs) {
      await connector.forget?.({ refs, appointments: [] }, view, new AbortController().signal);
    },
  };
}

export const treatment = (id: number, change: Row = {}): Row => ({
  clinic: 'main',
  treatment_id: id,
  treatment_name: `Treatment ${id}`,
  description: 'Cleans, "polishes"\nand more',
  base_fee: '1500.00',
  duration_minutes: 30,
  image_url: 'https://clinic.example/t.png',
  first_seen_at: '2026-02-01T00:00:00.000Z',
  changed_at: '2026-02-01T00:00:00.000Z',
  seen_at: '2026-03-02T08:59:00.000Z',
  removed_at: null,
  raw: '{}',
  ...change,
});

export const change = (sequence: number, fields: Partial<Change> = {}): Change => ({
  clinic: 'main',
  sequence,
  at: '2026-03-01T10:00:00.000Z',
  type: 'treatment.updated',
  resource: 'treatment',
  id: '1',
  data: { treatment_id: 1, base_fee: `${sequence}.00` },
  previous: { base_fee: `${sequence - 1}.00` },
  ...fields,
});
