import { describe, expect, it } from 'vitest';
import { MINUTE } from '../../src/platform/duration.ts';
import { runningBookings } from '../support/bookings/running-bookings.ts';
import type { AnswerName } from '../support/bookings/scripted-clinic.ts';

const running = runningBookings();

/** A first booking of our own, above whose number to search. */
const begin = () => running.send();
const ofLead = (ref: string) => running.world.clinic.ledger.filter((entry) => entry.ref === ref);
const later = { patient_name: 'Ada Rahman', patient_phone: '01711-222333', appointment_time: '11:00' };

describe('a clinic that commits a booking and then refuses it', () => {
  it.each<AnswerName>(['status_401_after', 'status_403_after', 'status_429_after'])(
    'gets it once, and a person is asked with the number (%s)',
    async (answer) => {
      await begin();
      const { world } = running;
      world.clinic.script.push(answer, answer, answer);
      const { ref } = await world.accept(later);

      await world.advance(30 * MINUTE);

      const [entry, ...more] = ofLead(ref);
      expect(more).toEqual([]);
      expect(await running.get(ref)).toMatchObject({
        state: 'unknown',
        reason: 'refused_but_there',
        evidence: { matching_ids: [entry?.id], absent: false },
      });
    },
  );

  it('gets it once more only if the front desk booked meanwhile, not us', async () => {
    await begin();
    const { world } = running;
    world.clinic.script.push('status_429');
    const { ref } = await world.accept(later);
    await world.advance(100);
    world.clinic.bookByHand('Somebody Else', '2026-03-09', '16:00');

    await world.advance(10 * MINUTE);

    expect(await running.get(ref)).toMatchObject({ state: 'booked' });
    expect(world.clinic.posts.filter((post) => post.ref === ref)).toHaveLength(2);
    expect(ofLead(ref)).toHaveLength(1);
  });

  it('is not blamed for what another booking of ours added', async () => {
    await begin();
    const { world } = running;
    world.clinic.script.push('status_403');
    const { ref } = await world.accept(later);
    await world.accept({
      ...later,
      patient_phone: '01811-222333',
      patient_name: 'Rina Das',
      appointment_time: '12:00',
    });

    await world.advance(20 * MINUTE);

    const { state } = await running.get(ref);
    expect(state).toBe('booked');
    expect(world.clinic.ledger).toHaveLength(3);
  });

  it('gets nothing when nobody has a number to search from', async () => {
    const { world } = running;
    world.clinic.script.push('status_429_after');
    const { ref } = await world.accept(later);

    await world.advance(10 * MINUTE);

    expect(ofLead(ref)).toHaveLength(1);
    expect(await running.get(ref)).toMatchObject({ state: 'unknown', reason: 'refused_but_there' });
  });

  it('gets nothing when a person approves it again, but a question', async () => {
    await begin();
    const { world } = running;
    world.clinic.script.push('refused_after');
    const { ref } = await world.accept(later);
    await world.advance(MINUTE);
    expect(await running.get(ref)).toMatchObject({ state: 'rejected' });

    await world.bookings.approve(ref, 'Mina');
    await world.advance(5 * MINUTE);

    expect(ofLead(ref)).toHaveLength(1);
    expect(await running.get(ref)).toMatchObject({ state: 'unknown', reason: 'refused_but_there' });
  });

  it('is compared again after a restart between the refusal and the next try', async () => {
    await begin();
    const { world } = running;
    world.clinic.script.push('status_403_after');
    const { ref } = await world.accept(later);
    await world.advance(1_000);
    world.crash();
    await world.start();

    await world.advance(15 * MINUTE);

    expect(ofLead(ref)).toHaveLength(1);
  });
});

describe('a clinic that does not say how many appointments it has', () => {
  it('gets a refused booking again once its newest appointments were read', async () => {
    await begin();
    const { world } = running;
    world.clinic.appointmentCount = async () => null;
    world.clinic.script.push('status_429');
    const { ref } = await world.accept(later);

    await world.advance(10 * MINUTE);

    expect(await running.get(ref)).toMatchObject({ state: 'booked' });
  });
});

describe('a proxy that delivers a booking twice', () => {
  it('is noticed, and a person is asked about the two numbers', async () => {
    const { world } = running;
    world.clinic.onPost = () => void world.clinic.bookByHand('Rahim Uddin', '2026-03-03', '10:00');
    const ref = await running.send();
    await world.advance(2 * MINUTE);

    const [twin, own] = world.clinic.ledger;
    expect((await world.bookings.reviewItems()).map(({ sentence }) => sentence).join()).toContain(
      `appointments ${own?.id} and ${twin?.id}`,
    );
    expect(await running.get(ref)).toMatchObject({ state: 'booked', evidence: { verification: 'twice' } });
  });

  it('is not suspected when the front desk books at the same moment', async () => {
    const { world } = running;
    world.clinic.onPost = () => void world.clinic.bookByHand('Somebody Else', '2026-03-03', '10:00');
    await running.send();

    await world.advance(2 * MINUTE);

    expect(await world.bookings.reviewItems()).toEqual([]);
  });
});
