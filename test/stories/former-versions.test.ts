import { describe, expect, it } from 'vitest';
import { startStory } from '../support/daemon/clinic-story.ts';
import { formerDatabase, formerVersions } from '../support/store/former-database.ts';
import { until } from '../support/until.ts';

const isLongRun = Number(process.env.VERIFY_RUNS ?? 1) > 1;

describe.each(formerVersions)('a daemon on the database of %s', (version) => {
  it('starts, keeps every booking, and books the next lead', { timeout: 120_000 }, async () => {
    await using story = await startStory({ name: 'former', here: !isLongRun });
    formerDatabase(version, story.database);

    await story.start();
    const former = await story.read((store) => store.bookings.list({}));
    const lead = await story.submit(story.lead());
    const ref = lead?.body.ref ?? '';
    const isPaused = async () => (await story.status()).clinics[0]?.lane.state === 'paused';
    // The clinic's number of appointments is not that of then: a person has to look at what waited, if it has not expired before.
    await until(
      'the lead is booked, or sending waits for a person',
      async () => (await isPaused()) || (await story.booking(ref))?.state === 'booked',
    );
    if (await isPaused()) await story.resumeSending();
    const booked = await story.untilBooking(ref, 'booked');

    expect(lead?.status).toBe(200);
    expect(former.length).toBeGreaterThan(50);
    expect(booked.appointment_id).toBeGreaterThan(0);
    const kept = await story.read((store) => store.bookings.list({}));
    expect(new Set(kept.map(({ ref }) => ref))).toEqual(
      new Set([...former.map(({ ref }) => ref), booked.ref]),
    );
    // What was on the wire when the former daemon ended is never sent again.
    const { body } = story.sandbox.control.ledger().at(-1) ?? {};
    expect(body?.note).toContain(booked.ref);
    expect(story.sandbox.control.ledger()).toHaveLength(1);
  });
});
