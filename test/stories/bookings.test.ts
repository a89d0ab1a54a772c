import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../sandbox/clinic/clinic.ts';
import type { FaultName } from '../../sandbox/clinic/faults/catalog.ts';
import { type Bookings, createBookings } from '../../src/bookings/bookings.ts';
import { createClinic } from '../../src/clinic/client.ts';
import type { Clinic } from '../../src/clinic/clinic.ts';
import type { BookingState } from '../../src/domain/bookings/booking.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { silentLog } from '../../src/platform/log.ts';
import { openFileStore } from '../../src/store/sqlite.ts';
import type { Store } from '../../src/store/store.ts';
import { startBookings } from '../support/bookings/start-bookings.ts';
import { clinicSettings } from '../support/bookings/world.ts';
import { until } from '../support/until.ts';

const tomorrow = new Date(Date.now() + 30 * 3_600_000).toISOString().slice(0, 10);

/** Over real sockets: the sandbox writes its ledger before it answers, and the ledger is the judge. */
describe('bookings against a clinic', () => {
  let sandbox: Sandbox;
  let store: Store;
  let clinic: Clinic;
  let bookings: Bookings;

  beforeEach(async () => {
    sandbox = await startSandbox();
    store = await openFileStore({ file: ':memory:', clock: systemClock, log: silentLog, mode: 'daemon' });
    clinic = await createClinic({
      key: 'main',
      base_url: sandbox.url,
      ...sandbox.credentials,
      clock: systemClock,
      log: silentLog,
      memory: { load: () => Promise.resolve(undefined), save: () => Promise.resolve() },
      version: 'test',
    });
    bookings = createBookings({
      store,
      clinics: new Map([['main', { clinic, settings: clinicSettings('main') }]]),
      sources: new Map([['form', { approval: 'none' }]]),
      clock: systemClock,
      log: silentLog,
    });
    await startBookings(bookings, clinic);
  });
  afterEach(async () => {
    await bookings.stop();
    await clinic.close();
    await store.close();
    await sandbox.close();
  });

  const accept = (patient_phone = '01712-345678') =>
    bookings.accept({
      source: 'form',
      fields: {
        patient_name: `Rahim Uddin ${patient_phone}`,
        patient_phone,
        appointment_date: tomorrow,
        appointment_time: '10:00',
      },
    });
  const scriptBooking = (kind: FaultName) =>
    sandbox.control.script({ match: { endpoint: 'book' }, nth: 1, times: 1, fault: { kind } });
  /** Looked for in its table: real sockets move at their own pace. */
  const reaches = (ref: string, state: BookingState) =>
    until(`${ref} is ${state}`, async () => {
      const booking = await store.bookings.get(ref);
      return booking?.state === state && booking;
    });
  const ledgerOf = (ref: string) =>
    sandbox.control.ledger().filter((entry) => JSON.stringify(entry).includes(ref));

  it('books a lead, under its reference, with the clinic’s own number', async () => {
    const { ref } = await accept();

    const { appointment_id } = await reaches(ref, 'booked');

    expect(sandbox.control.appointments()).toContainEqual(expect.objectContaining({ id: appointment_id }));
    expect(ledgerOf(ref)).toHaveLength(1);
  });

  it.each([
    ['reset_after_commit', 'unknown', 1],
    ['reset_after_body', 'unknown', 0],
    ['no_id', 'unknown', 1],
    ['id_string', 'booked', 1],
    ['restart_after_commit', 'unknown', 1],
    ['success_false', 'rejected', 0],
  ] as const)(
    'ends %s as %s with %i in the ledger, and sends nothing again',
    async (kind, state, committed) => {
      scriptBooking(kind);
      const first = await accept();

      await reaches(first.ref, state);
      const second = await accept('01911-222333');
      await reaches(second.ref, 'booked');

      expect(ledgerOf(first.ref)).toHaveLength(committed);
      expect((await store.bookings.get(first.ref))?.state).toBe(state);
    },
  );

  it('takes a new token after one was revoked, and books once', { tags: ['thorough'] }, async () => {
    await reaches((await accept()).ref, 'booked');
    sandbox.control.revokeTokens();

    const { ref } = await accept('01911-222333');
    await reaches(ref, 'booked');

    expect(ledgerOf(ref)).toHaveLength(1);
  });

  it('waits and says so when the clinic may not be asked, and loses nothing', async () => {
    scriptBooking('status_403');
    const { ref } = await accept();

    await until('sending is paused', () => bookings.sendingState('main').state === 'paused');

    expect(bookings.sendingState('main').reason).toContain('403');
    expect((await store.bookings.get(ref))?.state).toBe('queued');
    expect(ledgerOf(ref)).toEqual([]);
  });

  it('books a crowd of leads one after another, each once', async () => {
    const leads = await Promise.all(
      Array.from({ length: 20 }, (_, i) => accept(`01911-${String(300_000 + i)}`)),
    );

    for (const { ref } of leads) await reaches(ref, 'booked');

    expect(sandbox.control.ledger()).toHaveLength(20);
    for (const { ref } of leads) expect(ledgerOf(ref)).toHaveLength(1);
  });
});
