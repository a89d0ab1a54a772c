import { afterEach, beforeEach, expect } from 'vitest';
import type { Booking } from '../../../src/domain/bookings/booking.ts';
import { outcomeReader } from '../../../src/domain/bookings/status-outcome.ts';
import type { ClinicRecord } from '../../../src/domain/clinics/resource.ts';
import { instant } from '../../../src/platform/clock.ts';
import { silentLog } from '../../../src/platform/log.ts';
import { openFileStore } from '../../../src/store/sqlite.ts';
import { changesOf, diff } from '../../../src/sync/diff.ts';
import { fakeClock } from '../fake-clock.ts';
import type { AnswerName } from './scripted-clinic.ts';
import { bookingsWorld, type World } from './world.ts';

export const MINUTE = 60_000;

/** A world of its own for each test of the file or block that calls this. */
export function runningBookings(options: { approval?: 'none' | 'required' } = {}) {
  let world: World;
  beforeEach(async () => {
    const clock = fakeClock();
    const store = await openFileStore({ file: ':memory:', clock, log: silentLog, mode: 'daemon' });
    world = bookingsWorld({ store, clock, ...options });
    await world.start();
  });
  afterEach(async () => {
    await stop();
    await world.store.close();
  });

  const stop = async () => {
    const stopped = world.bookings.stop();
    await world.advance(10_000);
    await stopped;
  };
  /** One lead, met by these answers. */
  const send = async (...answers: AnswerName[]): Promise<string> => {
    world.clinic.script.push(...answers);
    const { ref } = await world.accept();
    await world.advance(1_000);
    return ref;
  };

  return {
    get world() {
      return world;
    },
    async get(ref: string): Promise<Booking> {
      const booking = await world.store.bookings.get(ref);
      expect.assert(booking);
      return booking;
    },
    stop,
    send,
    /** A booking that the clinic was never seen to confirm, after it has settled. */
    async unknown(answer: AnswerName): Promise<string> {
      const ref = await send(answer);
      await world.advance(11 * MINUTE);
      return ref;
    },
    /** What the clinic shows of a booked visit, as a round of the tracker would have recorded it. */
    async observe(
      ref: string,
      seen: { status?: string; date?: string; time?: string; done?: boolean },
    ): Promise<void> {
      const booking = await world.store.bookings.get(ref);
      expect.assert(booking);
      const { appointment_id, appointment_date, appointment_time } = booking;
      const { status = 'Scheduled', done = false } = seen;
      const { date = appointment_date, time = appointment_time } = seen;
      await world.store.appointments.observe({
        clinic: 'main',
        appointment_id: appointment_id ?? 0,
        at: instant(world.clock.now()),
        seen: { status, name: null, date, time, raw: {}, outcome: outcomeReader({})(status) },
        next_due_at: null,
        done,
        changes: [],
      });
    },
    /** The clinic's dentists, as a poll would have recorded them; of those in `unseen`, a guard holds the removal. */
    async mirrorDentists(names: Record<number, string>, unseen: readonly string[] = []) {
      const answer = Object.entries(names).map(([id, doctor_name]) => dentist(Number(id), doctor_name));
      const hashes = await world.store.mirror.hashes('main', 'dentists');
      const found = { ...diff(hashes, answer), removed: [] };
      const touched = found.changed.map(({ id }) => id);
      const before = await world.store.mirror.records('main', 'dentists', touched);
      await world.store.mirror.record({
        clinic: 'main',
        poll: 'dentists',
        at: instant(world.clock.now()),
        upserts: answer,
        removals: [],
        changes: changesOf('dentists', found, before),
        unseen,
      });
      world.bookings.wake('main');
    },
  };
}

function dentist(doctor_id: number, doctor_name: string): ClinicRecord {
  const fields = {
    doctor_id,
    doctor_name,
    specialization: '',
    qualification: '',
    experience_years: 1,
    consultation_fee: '1.00',
    signature_image_url: '',
  };
  return { id: String(doctor_id), fields, raw: fields, hash: `${doctor_id} ${doctor_name}` };
}
