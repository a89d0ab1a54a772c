import { bookingRefPattern } from '../../../src/domain/bookings/booking-ref.ts';
import type { Story } from '../daemon/clinic-story.ts';
import { clean, judge } from '../daemon/story-judge.ts';
import { until } from '../until.ts';
import { die } from './die.ts';
import { type Death, type Scenario, up } from './scenario.ts';
import { refsIn, settleDoubts } from './settle-doubts.ts';

/** Lets it die as described, starts it again, and throws unless everything has recovered automatically. */
export async function runScenario(story: Story, { deaths, wakesTo, proves }: Scenario): Promise<void> {
  for (const death of deaths) await die(story, death, 'SIGKILL');
  const onTheWire = await refsIn(story, 'sending');
  const before = commits(story);
  await up(story);

  await wakesTo?.(story);
  await booksAndTells(story);
  await stillInDoubt(story, onTheWire, before);
  await proves?.(story);
  await settleDoubts(story);
  for (const lead of story.unanswered.values()) await story.submit(lead);
  await holds(story, deaths);
}

async function holds(story: Story, deaths: readonly Death[]): Promise<void> {
  const verdict = await judge(story, { atRest: false });
  if (JSON.stringify(verdict) !== JSON.stringify(clean))
    throw new Error(`after ${deaths.map(({ point }) => point)}: ${JSON.stringify(verdict)}`);
}

/** Tells it to stop there instead, starts it once more, and throws unless it left everything recorded. */
export async function stopInScenario(story: Story, { deaths, wakesTo }: Scenario): Promise<void> {
  // What the first death was for is done by now, so each gets it again.
  const prepare = deaths[0]?.prepare;
  for (const death of deaths) {
    await die(story, { ...(prepare && { prepare }), ...death }, 'SIGTERM');
    const onTheWire = story.isRunning ? [] : await refsIn(story, 'sending');
    if (onTheWire.length > 0) throw new Error(`${onTheWire} were on the wire without being recorded`);
  }
  await up(story);
  await wakesTo?.(story);
  await settleDoubts(story);
  for (const lead of story.unanswered.values()) await story.submit(lead);
  await holds(story, deaths);
}

/** A new lead is booked, delivered to the receiver and shown in the files: everything works again. */
async function booksAndTells(story: Story): Promise<void> {
  const answer = await until('a lead is acknowledged', async () => {
    const given = await story.submit(story.lead());
    return given?.status === 200 && given;
  });
  const ref = answer.body.ref ?? '';
  await story.untilBooking(ref, 'booked');
  await until(`the receiver knows that ${ref} is booked`, () =>
    story.hook.events.some(({ type, data }) => type === 'booking.booked' && data.ref === ref),
  );
  const row = new RegExp(`${ref}.*booked`);
  await until(`bookings.csv shows that ${ref} is booked`, async () =>
    row.test(await story.csv('bookings.csv')),
  );
}

/** What was on the wire is unknown, and was not sent again although others were sent since. */
async function stillInDoubt(
  story: Story,
  refs: readonly string[],
  before: ReadonlyMap<string, number>,
): Promise<void> {
  const after = commits(story);
  for (const ref of refs) {
    const booking = await story.booking(ref);
    if (booking?.state !== 'unknown' || booking.reason !== 'interrupted')
      throw new Error(`${ref} was on the wire and is ${booking?.state} (${booking?.reason})`);
    if (after.get(ref) !== before.get(ref)) throw new Error(`${ref} was sent again automatically`);
  }
}

function commits(story: Story): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { body } of story.sandbox.control.ledger()) {
    const ref = bookingRefPattern.exec(body.note ?? '')?.[0] ?? '';
    counts.set(ref, (counts.get(ref) ?? 0) + 1);
  }
  return counts;
}
