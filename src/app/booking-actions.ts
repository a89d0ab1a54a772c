import type { Bookings } from '../bookings/bookings.ts';
import type { Booking } from '../domain/bookings/booking.ts';
import type { RefusalCode } from '../domain/bookings/refusals.ts';
import type { AdminActions, Done } from '../http/admin.ts';
import { Failure } from '../platform/failure.ts';
import { localeOf } from '../platform/text/locale.ts';
import { sentences } from '../platform/text/sentences.ts';

const done = (message: string): Done => ({ ok: true, message });
export const about = (
  ref: string,
  said: NonNullable<Done['said']>,
  message = localeOf('en').t(`said_${said}`, { ref }),
): Done => ({ ok: true, message, said, ref });

/** Decisions about bookings; `bookings` itself checks which are available. */
export function bookingActions(
  bookings: Bookings,
): Pick<
  AdminActions,
  'approve' | 'take' | 'edit' | 'resolve' | 'drop' | 'undo' | 'acknowledge' | 'reconcile'
> {
  const released = ({ ref, state, message }: Booking) =>
    state === 'held'
      ? about(ref, 'not_sent', sentences(`${ref} is not sent yet.`, message))
      : about(ref, 'approved');
  const undoOf = async ({ ref }: Booking): Promise<Pick<Done, 'undo'>> => {
    const seen = await bookings.undoable(ref);
    return seen === undefined ? {} : { undo: { ref, seen } };
  };

  return {
    async approve(ref, by, asked) {
      const booking = await bookings.approve(ref, by, undefined, asked);
      return { ...released(booking), ...(await undoOf(booking)) };
    },
    take: async (ref, by, asked) => released(await bookings.take(ref, by, undefined, asked)),
    async edit(ref, edit, by, asked) {
      const booking = await bookings.edit(ref, edit, by, asked);
      const said =
        asked?.send === true
          ? released(booking)
          : about(ref, 'corrected', `${ref} is corrected and now ${booking.state}.`);
      return { ...said, ...(await undoOf(booking)) };
    },
    async resolve(ref, resolution, by, asked) {
      if (resolution.as === 'not-booked') {
        await bookings.resolve(
          ref,
          { as: 'not-booked', send_again: true, confirm: resolution.confirm ?? false },
          by,
          asked,
        );
        return about(ref, 'settled', `${ref} is sent again.`);
      }
      const resolved = await bookings.resolve(ref, resolution, by, asked);
      if (resolved.ok) return about(ref, 'settled', `${ref} is now ${resolved.booking.state}.`);
      const { appointment_id, clinic, asked: wanted } = resolved.comparison;
      const message = `Appointment ${appointment_id} is on ${clinic.date} at ${clinic.time}; ${wanted.date} at ${wanted.time} was asked for. ${resolved.differences.join(' ')}`;
      const hint = 'If it is the right one anyway, tick the box that says so.';
      const refusal: RefusalCode = { name: 'number_differs', ref };
      throw new Failure({ kind: 'refused', message, hint, refusal });
    },
    async drop(ref, why, by, asked) {
      const dropped = await bookings.drop(ref, by, why, asked);
      return { ...about(ref, 'dropped'), ...(await undoOf(dropped)) };
    },
    async undo(ref, seen, by) {
      await bookings.undo(ref, by, seen);
      return about(ref, 'taken_back');
    },
    async acknowledge(ref, by, asked) {
      await bookings.acknowledge(ref, by, asked);
      return about(ref, 'seen');
    },
    async reconcile(ref, by) {
      const { sentence } = await bookings.reconcile(ref, by);
      return done(sentence);
    },
  };
}
