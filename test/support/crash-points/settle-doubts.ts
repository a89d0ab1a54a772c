import { existsSync } from 'node:fs';
import type { Story } from '../daemon/clinic-story.ts';

/** A person checks the clinic's calendar, resolves what is there, and resumes the rest. */
export async function settleDoubts(story: Story): Promise<void> {
  const doubtful = await refsIn(story, 'unknown');
  for (const ref of doubtful) {
    const entry = story.sandbox.control.ledger().find(({ body }) => body.note?.includes(ref));
    if (entry === undefined) story.released.set(ref, (story.released.get(ref) ?? 0) + 1);
    const { status, text } = await story.act(
      `/admin/bookings/${ref}/resolve`,
      entry === undefined
        ? { as: 'not-booked', confirm: 'true' }
        : { as: 'booked', appointment_id: String(entry.appointment_id) },
    );
    if (status !== 200) throw new Error(`${ref} could not be resolved: ${status} ${text}`);
    await story.untilBooking(ref, 'booked');
  }
  if (doubtful.length > 0) await story.act('/admin/clinics/main/resume-lane');
}

export const refsIn = async (story: Story, state: 'sending' | 'unknown'): Promise<string[]> =>
  // It may have died before it ever had a database.
  existsSync(story.database)
    ? story.peek<{ ref: string }>('select ref from bookings where state = ?', state).map(({ ref }) => ref)
    : [];
