import { describe, expect, it } from 'vitest';
import { instant } from '../../src/platform/clock.ts';
import { DAY, HOUR, MINUTE } from '../../src/platform/duration.ts';
import { silentLog } from '../../src/platform/log.ts';
import { createMirror } from '../../src/sync/mirror-poller.ts';
import { runningBookings } from '../support/bookings/running-bookings.ts';
import { clinicSettings } from '../support/bookings/world.ts';

const running = runningBookings();
const signal = new AbortController().signal;

/** A booked and verified visit, and the rounds that follow it. */
async function booked() {
  const { world } = running;
  const { clinic, store, clock } = world;
  const mirror = createMirror({ clinic, store, clock, log: silentLog, settings: clinicSettings('main') });
  const rounds = async (minutes: number) => {
    for (let minute = 0; minute < minutes; minute += 1) {
      await world.advance(MINUTE);
      await mirror.poll('appointments', signal);
    }
  };
  const ref = await running.send();
  await rounds(2);
  const [visit] = clinic.ledger;
  expect.assert(visit);
  const lead = async (of = ref) => (await store.mirror.rows('leads', 'main')).find((row) => row.ref === of);
  return {
    ...{ world, ref, visit, rounds, lead },
    remove: () => clinic.ledger.splice(clinic.ledger.indexOf(visit), 1),
    restore: () => clinic.ledger.push(visit),
    need: async (of = ref) => (await world.bookings.reviewItems()).find(({ subject }) => subject === of),
    row: async () => (await store.mirror.rows('appointments', 'main'))[0],
    events: async () => (await store.changes.after('main', 0, 100)).map(({ type }) => type),
    restart: async () => {
      await running.stop();
      await world.start();
    },
  };
}

describe('a visit that disappears after it was booked', () => {
  it('is said after three answers over ten minutes, and the lead is lost', async () => {
    const { remove, rounds, need, row, lead, events, world } = await booked();
    remove();

    await rounds(9);
    expect([await need(), (await row())?.removed_at, (await lead())?.outcome]).toEqual([
      undefined,
      null,
      'booked',
    ]);
    await rounds(240);

    expect(await need()).toMatchObject({
      reason: 'missing',
      sentence: expect.stringContaining('no longer knows'),
    });
    expect(await lead()).toMatchObject({ outcome: 'lost', lost_reason: 'missing' });
    expect(await row()).toMatchObject({ status: 'Scheduled', removed_at: expect.any(String) });
    expect((await events()).filter((type) => type === 'appointment.missing')).toHaveLength(1);
    expect(world.clinic.posts).toHaveLength(1);
  });

  it('is urgent within a day of the visit', async () => {
    const { remove, rounds, need, world } = await booked();
    await world.advance(3 * HOUR);
    remove();

    await rounds(400);

    expect(await need()).toMatchObject({ reason: 'missing', urgent: true });
  });

  it('is withdrawn when it can be read again', async () => {
    const { remove, restore, rounds, need, row, lead, events } = await booked();
    remove();
    await rounds(240);
    restore();

    await rounds(300);

    expect(await need()).toBeUndefined();
    expect(await row()).toMatchObject({ removed_at: null });
    expect(await lead()).toMatchObject({ outcome: 'booked', lost_reason: null });
    expect((await events()).slice(-2)).toEqual(['appointment.missing', 'appointment.updated']);
  });

  it('asks nobody about a visit that was cancelled before', async () => {
    const { visit, remove, rounds, need, lead, row, world } = await booked();
    visit.status = 'Cancelled';
    while ((await row())?.status !== 'Cancelled') await rounds(1);
    remove();

    // A final status is read again after ten minutes, an hour and on the evening of the visit.
    await rounds(65);
    await world.advance(2 * DAY);
    await rounds(5);

    expect(await row()).toMatchObject({ removed_at: expect.any(String) });
    expect(await need()).toBeUndefined();
    expect(await lead()).toMatchObject({ outcome: 'cancelled' });
  });

  it('takes another number from a person, and follows that', async () => {
    const { ref, remove, rounds, need, lead, world } = await booked();
    remove();
    await rounds(240);
    const id = world.clinic.bookByHand('Rahim Uddin', '2026-03-03', '10:00');

    await world.bookings.resolve(ref, { as: 'booked', appointment_id: id }, 'Mina');
    await rounds(5);

    expect(await need()).toBeUndefined();
    expect(await running.get(ref)).toMatchObject({ state: 'booked', appointment_id: id });
    expect(await lead()).toMatchObject({ outcome: 'booked', status: 'Scheduled' });
  });
});

describe('a number that becomes another patient’s', () => {
  it('stores and exports nothing of that patient, converts nothing, and asks', async () => {
    const { visit, rounds, need, row, lead, events } = await booked();
    const before = await events();
    Object.assign(visit, { name: 'Somebody Else', status: 'Completed', time: '11:30' });

    await rounds(240);

    expect(await need()).toMatchObject({ reason: 'someone_else' });
    expect(await row()).toMatchObject({ name: 'Rahim Uddin', status: 'Scheduled', time: '10:00' });
    expect(await lead()).toMatchObject({ outcome: 'booked', converted_at: null });
    expect(await events()).toEqual(before);
  });

  it('holds the outcome when the first reading already shows another name', async () => {
    const { world } = running;
    world.clinic.script.push('id_of_another');
    world.clinic.bookByHand('Somebody Else', '2026-03-03', '10:00');
    const { rounds, lead, row } = await booked();
    const [other] = world.clinic.ledger;
    Object.assign(other ?? {}, { status: 'Completed' });

    await rounds(30);

    expect(await lead()).toMatchObject({ outcome: 'booked', converted_at: null });
    expect(await row()).toMatchObject({ name: null, status: null });
  });

  it('follows a name that a person has accepted, and asks about the next one', async () => {
    const { ref, visit, rounds, need, row, world } = await booked();
    visit.name = 'Rahim U. Ahmed';
    await rounds(240);
    await world.bookings.acknowledge(ref, 'Mina');
    visit.status = 'Confirmed';

    await rounds(240);
    expect(await row()).toMatchObject({ name: 'Rahim U. Ahmed', status: 'Confirmed' });
    expect(await need()).toBeUndefined();
    visit.name = 'Somebody Else';
    await rounds(240);

    expect(await need()).toMatchObject({ reason: 'someone_else' });
  });

  it('is asked about no longer once the clinic shows the patient again', async () => {
    const { visit, rounds, need } = await booked();
    visit.name = 'Somebody Else';
    await rounds(240);
    visit.name = 'RAHIM  UDDIN';

    await rounds(240);

    expect(await need()).toBeUndefined();
  });

  it('goes to the booking whose patient the clinic shows, and the former one asks', async () => {
    const { ref, visit, rounds, need, lead, world } = await booked();
    world.clinic.script.push('no_id');
    const { ref: later } = await world.accept({ patient_name: 'Ada Rahman', patient_phone: '01711-222333' });
    await rounds(12);
    Object.assign(visit, { name: 'Ada Rahman' });

    await world.bookings.resolve(later, { as: 'booked', appointment_id: visit.id }, 'Mina');
    await rounds(3);

    expect(await running.get(later)).toMatchObject({ state: 'booked', appointment_id: visit.id });
    expect(await running.get(ref)).toMatchObject({ state: 'booked_no_id', appointment_id: null });
    expect(await need()).toMatchObject({ reason: 'number_moved' });
    expect(await lead()).toMatchObject({ outcome: 'lost' });
    expect(await lead(later)).toMatchObject({ outcome: 'booked', status: 'Scheduled' });
  });

  it('stays with its booking while the clinic shows that patient', async () => {
    const { ref, visit, world } = await booked();
    world.clinic.script.push('no_id');
    const { ref: later } = await world.accept({ patient_name: 'Ada Rahman', patient_phone: '01711-222333' });
    await world.advance(11 * MINUTE);

    const taking = world.bookings.resolve(
      later,
      { as: 'booked', appointment_id: visit.id, confirm: true },
      'Mina',
    );

    await expect(taking).rejects.toThrow(`belongs to ${ref}`);
  });

  it('is in the evidence when the clinic gives it for another booking', async () => {
    const { visit, world } = await booked();
    world.clinic.script.push('id_of_another');
    const { ref } = await world.accept({ patient_name: 'Ada Rahman', patient_phone: '01711-222333' });
    await world.advance(MINUTE);

    const { evidence } = await world.bookings.describe(ref);

    expect(await running.get(ref)).toMatchObject({ state: 'unknown', evidence: { answered_id: visit.id } });
    expect(evidence).toContain(`The clinic answered with number ${visit.id}.`);
  });
});

describe('a final status', () => {
  it('is read again, and a visit that was not over after all is followed', async () => {
    const { visit, rounds, lead, events } = await booked();
    visit.status = 'Completed';
    await rounds(240);
    expect(await lead()).toMatchObject({ outcome: 'completed', converted_at: expect.any(String) });
    visit.status = 'Scheduled';

    await rounds(36 * 60);

    expect(await lead()).toMatchObject({ outcome: 'booked', converted_at: null });
    expect((await events()).filter((type) => type.startsWith('lead.'))).toEqual([
      'lead.converted',
      'lead.conversion_retracted',
    ]);
  });
});

describe('a clock that was ahead for a minute', () => {
  it('ends no visit for good', async () => {
    const { visit, rounds, lead, world } = await booked();
    world.clock.jump(400 * DAY);
    await rounds(2);
    world.clock.jump(-400 * DAY);
    visit.status = 'Confirmed';

    await rounds(240);

    expect(await lead()).toMatchObject({ status: 'Confirmed', outcome: 'booked' });
    expect(instant(world.clock.now()) < '2026-03-04').toBe(true);
  });

  it('declares nothing over that still lies ahead', async () => {
    const { rounds, world } = await booked();
    world.clinic.failReads = Number.POSITIVE_INFINITY;
    const { ref: queued } = await world.accept({ patient_phone: '01911-111222', appointment_time: '12:00' });
    const { ref: held } = await world.accept({ patient_phone: '01911-111333', patient_name: '' });
    world.clock.jump(400 * DAY);
    await rounds(3);
    world.clock.jump(-400 * DAY);

    await rounds(5);

    expect([await running.get(queued), await running.get(held)]).toMatchObject([
      { state: 'queued' },
      { state: 'held', reason: 'missing_field' },
    ]);
  });

  it('puts before a person again what it had declared over after its doubt had ended', async () => {
    const { rounds, need, world } = await booked();
    const { ref } = await world.accept({ patient_phone: '01911-111333', patient_name: '' });
    world.clock.jump(400 * DAY);
    await world.advance(25 * HOUR);
    expect(await running.get(ref)).toMatchObject({ state: 'expired' });
    world.clock.jump(-400 * DAY - 25 * HOUR);

    await rounds(6);

    expect(await running.get(ref)).toMatchObject({ state: 'held', reason: 'missing_field' });
    expect(await need(ref)).toBeDefined();
  });
});
