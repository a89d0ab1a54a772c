import { expect, it } from 'vitest';
import { startStory } from '../support/daemon/clinic-story.ts';
import { startHookLedger } from '../support/daemon/hook-ledger.ts';
import { until } from '../support/until.ts';

it('sends a source every state of its own bookings only, signed', {
  timeout: 60_000,
}, async () => {
  await using callback = await startHookLedger();
  await using story = await startStory({
    name: 'callback',
    connectors: {
      website_callback: {
        use: 'webhook',
        url: callback.url,
        secret: callback.secret,
        events: ['booking.*'],
        where: { source: 'website' },
        allow_networks: ['127.0.0.0/8'],
      },
    },
  });
  await story.start();
  const told = (ref: string) =>
    callback.events.filter(({ data }) => data.ref === ref).map(({ type }) => type);

  const other = await story.ask('/in/counter', {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${story.formToken}` },
    body: JSON.stringify(story.lead()),
  });
  const lead = story.lead();
  const booked = (await story.submit(lead))?.body.ref ?? '';
  await story.untilBooking(booked, 'booked');
  story.sandbox.control.script({ match: { endpoint: 'book' }, fault: 'reset_after_commit' });
  const unknown = (await story.submit(story.lead()))?.body.ref ?? '';
  await story.untilBooking(unknown, 'unknown');
  await story.act(`/admin/bookings/${unknown}/drop`, { why: 'it is in the calendar' });
  await until('both bookings have reached their last state', async () =>
    [booked, unknown].every((ref) => ['booking.booked', 'booking.dropped'].includes(told(ref).at(-1) ?? '')),
  );

  expect(told(booked)).toEqual(['booking.received', 'booking.queued', 'booking.booked']);
  expect(told(unknown)).toEqual(['booking.received', 'booking.queued', 'booking.unknown', 'booking.dropped']);
  const { data } = callback.events.find(({ type }) => type === 'booking.booked') ?? {};
  expect(data).toMatchObject({ ref: booked, state: 'booked', appointment_id: expect.any(Number) });
  expect(other.body.ref).toMatch(/^CS-/);
  expect(told(other.body.ref ?? '')).toEqual([]);
  expect(callback.forged).toBe(0);
  expect(callback.bodies.join('')).not.toContain(String(lead.patient_name));
});
