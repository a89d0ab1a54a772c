import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sampleBooking } from '../../test/support/bookings/sample-booking.ts';
import { scriptedClinic } from '../../test/support/bookings/scripted-clinic.ts';
import { clinicSettings } from '../../test/support/bookings/world.ts';
import { fakeClock } from '../../test/support/fake-clock.ts';

import { type Bookings, createBookings } from '../bookings/bookings.ts';
import { type Booking, bookingKinds, bookingStates } from '../domain/bookings/booking.ts';
import { type ActionName, actionNames } from '../domain/bookings/booking-actions.ts';
import { bookingPage } from '../http/pages/booking-page.ts';
import { instant } from '../platform/clock.ts';
import { asFailure } from '../platform/failure.ts';
import { silentLog } from '../platform/log.ts';
import { localeOf } from '../platform/text/locale.ts';
import { openFileStore } from '../store/sqlite.ts';
import type { Store } from '../store/store.ts';
import { type BookingOperation, bookingOperations } from './booking-operations.ts';
import { adminData } from './page-data/admin-data.ts';

const clock = fakeClock();
const folder = mkdtempSync(join(tmpdir(), 'clinic-sync-actions-'));
const clinic = scriptedClinic('main');
let store: Store;
let bookings: Bookings;
let rows: Database.Database;

beforeAll(async () => {
  const file = join(folder, 'clinic-sync.db');
  store = await openFileStore({ file, clock, log: silentLog, mode: 'daemon' });
  rows = new Database(file);
  // Never started: what a decision leads to is not sent.
  bookings = createBookings({
    store,
    clinics: new Map([['main', { clinic, settings: clinicSettings('main', { reconcile: 'on_request' }) }]]),
    sources: new Map([['form', { approval: 'none' }]]),
    clock,
    log: silentLog,
  });
});
afterAll(async () => {
  rows.close();
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

const mismatch = { evidence: { mismatch: ['The clinic shows another time.'] } };
const circumstances: Record<string, () => Partial<Booking>> = {
  'as it should be': () => ({}),
  'of no clinic': () => ({ clinic: '-' }),
  'of a clinic that was taken out': () => ({ clinic: 'gone' }),
  'for a time that has passed': () => ({ appointment_date: '2026-03-01' }),
  'without a name': () => ({ patient_name: null }),
  'with a field that could not be read': () => ({ unreadable_fields: ['treatment'] }),
  'never sent': () => ({ attempt: 0, evidence: null }),
  'never sent, of an erased person': () => ({
    attempt: 0,
    evidence: null,
    patient_name: null,
    patient_phone: null,
  }),
  'sent a moment ago': () => ({ evidence: { sent_at: instant(clock.now()) } }),
  'another than the clinic shows': () => mismatch,
  'changed after a first that waits': () => ({ duplicate_of: 'CS-FRSTQ2', changed_fields: ['patient_name'] }),
  'changed after a first that was sent': () => ({
    duplicate_of: 'CS-FRSTB3',
    changed_fields: ['patient_name'],
  }),
};

/** As its source, the clinic and people left it, however it came to that. */
const write = (booking: Booking): void => rows.transaction(() => overwrite(booking))();

function overwrite(booking: Booking): void {
  const entries = Object.entries(booking).map(([column, value]): [string, string | number | null] => [
    column,
    typeof value === 'object' && value !== null ? JSON.stringify(value) : value,
  ]);
  const columns = entries.map(([column]) => `"${column}"`).join(', ');
  const places = entries.map(() => '?').join(', ');
  rows.prepare('DELETE FROM bookings').run();
  const insert = (values: (string | number | null)[]) =>
    rows.prepare(`INSERT INTO bookings (${columns}) VALUES (${places})`).run(values);
  insert(entries.map(([, value]) => value));
  for (const [ref, state] of [
    ['CS-FRSTQ2', 'queued'],
    ['CS-FRSTB3', 'booked'],
  ] as const) {
    const first: Record<string, string | number> = {
      ref,
      state,
      clinic: 'main',
      phone_e164: '+8801999999999',
      patient_name: 'Somebody Else',
    };
    insert(entries.map(([column, value]) => first[column] ?? value));
  }
}

/** What a person gives with each, where the page asks for it. */
const given: Record<ActionName, [route: string, fields: Record<string, string>]> = {
  take: ['take', {}],
  approve: ['approve', {}],
  edit: ['edit', { note: 'Rang back' }],
  acknowledge: ['acknowledge', {}],
  reconcile: ['reconcile', {}],
  booked: ['resolve', { as: 'booked', appointment_id: '4711', confirm: 'on' }],
  booked_no_id: ['resolve', { as: 'booked-no-id' }],
  send_again: ['resolve', { as: 'not-booked', confirm: 'on' }],
  reopen: ['reopen', {}],
  drop: ['drop', { why: 'A test' }],
};

async function taken(action: ActionName, { ref }: Booking): Promise<boolean> {
  const [route, fields] = given[action];
  const byRoute: Record<string, BookingOperation<{ bookings: Bookings; store: Store }>> = bookingOperations;
  const operation = byRoute[`/admin/bookings/:ref/${route}`];
  try {
    const request = { subject: ref, fields, by: 'Mina', asked: {} };
    expect(await operation?.run({ bookings, store }, request)).toMatchObject({ ok: true });
    return true;
  } catch (error) {
    expect(asFailure(error, action)).toMatchObject({ kind: 'refused' });
    expect(asFailure(error, action).message).not.toContain('has changed');
    return false;
  }
}

const viewer = {
  canSignIn: true,
  by: 'Mina',
  role: 'desk',
  canSignOut: true,
  formToken: '',
  notice: undefined,
  locale: localeOf('en'),
  here: '/',
} as const;

/** What the page has a form for. */
async function offered({ ref }: Booking): Promise<(string | undefined)[]> {
  const detail = await adminData({ bookings, store, clock }).booking(ref);
  expect.assert(detail);
  const page = bookingPage(detail, viewer, clock.now());
  return [...page.matchAll(/<li data-action="([\w ]+)">/g)].flatMap(([, names = '']) => names.split(' '));
}

/** The command that the command line names for each. */
const commands: Record<ActionName, RegExp> = {
  take: / take /,
  approve: / approve /,
  edit: / edit /,
  acknowledge: / acknowledge /,
  reconcile: / reconcile /,
  booked: / --as booked /,
  booked_no_id: / --as booked-no-id/,
  send_again: / --as not-booked --send-again/,
  reopen: / reopen /,
  drop: / drop /,
};

const cases = bookingKinds.flatMap((kind) =>
  bookingStates.flatMap((state) => Object.keys(circumstances).map((name) => ({ kind, state, name }))),
);

it.each(cases)(
  'offers on the page and on the command line what is accepted: $kind, $state, $name',
  async ({ kind, state, name }) => {
    const booking = { ...sampleBooking({ kind, state, reason: null }), ...circumstances[name]?.() };
    write(booking);

    const { actions: available, ways } = await bookings.describe(booking.ref);
    const names = available.map(({ action }) => action);
    const onPage = await offered(booking);
    const accepted: ActionName[] = [];
    for (const action of actionNames) {
      write(booking);
      if (await taken(action, booking)) accepted.push(action);
    }

    expect(onPage).toEqual(names);
    expect(ways.map(({ command }) => actionNames.find((one) => commands[one].test(`${command} `)))).toEqual(
      names,
    );
    expect(accepted).toEqual(names);
  },
);
