import type { BookingBody } from '../../src/clinic/booking-body.ts';
import type { Clock } from '../../src/platform/clock.ts';
import { instant } from '../../src/platform/clock.ts';
import type { SandboxDatabase } from './database.ts';
import { type IdPolicy, nextId } from './ids.ts';
import { between, pick, type Random } from './random.ts';

/** Statuses the sandbox sets; an operator may set any text. The first, fourth and fifth are in the specification. */
const appointmentStates = [
  'Scheduled',
  'Confirmed',
  'Checked in',
  'Completed',
  'Cancelled',
  'No show',
] as const;
export type AppointmentState = (typeof appointmentStates)[number];

/** The states an appointment may move to; empty means it is over. */
export const nextStates: Record<AppointmentState, readonly AppointmentState[]> = {
  Scheduled: ['Confirmed', 'Confirmed', 'Confirmed', 'Cancelled'],
  Confirmed: ['Checked in', 'Checked in', 'Checked in', 'Cancelled', 'No show'],
  'Checked in': ['Completed'],
  Completed: [],
  Cancelled: [],
  'No show': [],
};

export interface SandboxAppointment {
  id: number;
  status: string;
  name: string;
  phone: string;
  /** YYYY-MM-DD and HH:MM in the clinic's time zone. */
  date: string;
  time: string;
  /** Created by a call to /appointments/book, or at the front desk. */
  origin: 'api' | 'staff';
}

/** One committed call to /appointments/book, written in the transaction that created the appointment. */
interface LedgerEntry {
  /** 1, 2, 3 … without gaps, across restarts. */
  number: number;
  appointment_id: number;
  /** Number of the HTTP request since the sandbox started. */
  request: number;
  at: string;
  body: BookingBody;
}

export interface AppointmentBook {
  /** Creates the appointment and its ledger entry, durably, before it returns. */
  book(body: BookingBody, request: number): number;
  /** Creates an appointment at the front desk: in the book, but not in the ledger. */
  addByStaff(appointment?: Partial<Omit<SandboxAppointment, 'id' | 'origin'>>): number;
  get(id: number): SandboxAppointment | undefined;
  list(): SandboxAppointment[];
  /** False if there is no such appointment. */
  edit(id: number, fields: Partial<Pick<SandboxAppointment, 'status' | 'name' | 'date' | 'time'>>): boolean;
  counts(): { appointments: number; phones: number };
  ledger(): LedgerEntry[];
}

const walkIns = ['Nasrin Sultana', 'Habibur Rahman', 'Elora Gomes', 'Sajid Karim', 'Ruma D’Silva'];

interface Options {
  database: SandboxDatabase;
  clock: Clock;
  ids: IdPolicy;
  random: Random;
  /** Ids start above this number. */
  lastId: number;
}

export function createAppointmentBook({ database, clock, ids, random, lastId }: Options): AppointmentBook {
  const insert = database.prepare(
    'INSERT INTO appointments (id, status, name, phone, date, time, origin) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  const write = database.prepare(
    'INSERT INTO ledger (appointment_id, request, at, body) VALUES (?, ?, ?, ?)',
  );
  const one = database.prepare<[number], SandboxAppointment>('SELECT * FROM appointments WHERE id = ?');
  const all = database.prepare<[], SandboxAppointment>('SELECT * FROM appointments ORDER BY id');
  const highest = database.prepare<[], number | null>('SELECT max(id) FROM appointments').pluck();
  const change = database.prepare(
    'UPDATE appointments SET status = ?, name = ?, date = ?, time = ? WHERE id = ?',
  );
  const count = database.prepare<[], { appointments: number; phones: number }>(
    'SELECT count(*) AS appointments, count(DISTINCT phone) AS phones FROM appointments',
  );
  const entries = database.prepare<[], Omit<LedgerEntry, 'body'> & { body: string }>(
    'SELECT * FROM ledger ORDER BY number',
  );

  const freeId = () =>
    nextId(ids, {
      highest: Math.max(highest.get() ?? 0, lastId),
      taken: (id) => one.get(id) !== undefined,
      random,
    });

  const addByStaff: AppointmentBook['addByStaff'] = (given = {}) => {
    const id = freeId();
    insert.run(
      id,
      given.status ?? 'Scheduled',
      given.name ?? pick(random, walkIns) ?? 'Walk-in',
      given.phone ?? `+88017${between(random, 10_000_000, 99_999_999)}`,
      given.date ?? instant(clock.now()).slice(0, 10),
      given.time ?? `${between(random, 10, 20)}:${pick(random, ['00', '15', '30', '45'])}`,
      'staff',
    );
    return id;
  };

  const book = database.transaction((body: BookingBody, request: number) => {
    if (ids === 'staff_beside') for (let extra = between(random, 0, 2); extra > 0; extra -= 1) addByStaff();
    const id = freeId();
    const { patient_name, patient_phone, appointment_date, appointment_time } = body;
    insert.run(id, 'Scheduled', patient_name, patient_phone, appointment_date, appointment_time, 'api');
    write.run(id, request, instant(clock.now()), JSON.stringify(body));
    return id;
  });

  return {
    book: (body, request) => book.immediate(body, request),
    addByStaff,
    get: (id) => one.get(id),
    list: () => all.all(),
    edit(id, fields) {
      const known = one.get(id);
      if (known === undefined) return false;
      const { status, name, date, time } = { ...known, ...fields };
      change.run(status, name, date, time, id);
      return true;
    },
    counts: () => count.get() ?? { appointments: 0, phones: 0 },
    ledger: () => entries.all().map((entry) => ({ ...entry, body: JSON.parse(entry.body) })),
  };
}
