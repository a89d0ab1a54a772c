import * as z from 'zod';
import type { Bookings } from '../../bookings/bookings.ts';
import { isNumberField, type Submission, submissionFields } from '../../domain/bookings/booking.ts';
import type { AdminData } from '../../http/admin.ts';
import { Failure } from '../../platform/failure.ts';
import { sentences } from '../../platform/text/sentences.ts';

/** The source of bookings that are typed into the page; the command line is another. */
const DESK = 'front-desk';

type Faults = ReturnType<AdminData['faults']>;
type Typed = Readonly<Record<string, string>>;

export const newBooking = z
  .object({
    ...Object.fromEntries(submissionFields.map((name) => [name, z.string().optional()])),
    clinic: z.string().optional().meta({ description: 'Its key, where several are configured.' }),
    submission_id: z.string().optional().meta({ description: 'The same one books once.' }),
  })
  .meta({ id: 'NewBooking' });

/**
 * What was typed, as a connector would submit it. The page gives each form an id of its own, so that a second click, or
 * the same form sent again, is the same booking.
 */
export function submissionTyped(typed: Typed): Submission {
  const given = submissionFields.flatMap((name) => {
    const text = typed[name]?.trim() ?? '';
    if (text === '') return [];
    const isNumber = isNumberField(name) && /^\d+$/.test(text);
    return [[name, isNumber ? Number(text) : text]];
  });
  return {
    source: DESK,
    fields: Object.fromEntries(given),
    by_hand: true,
    ...(typed.clinic && { clinic: typed.clinic }),
    ...(typed.submission_id && { submission_id: typed.submission_id }),
  };
}

/** What keeps it from being sent. Whoever types it is still on the phone, so nothing is stored until that is right. */
export async function faultsTyped(bookings: Pick<Bookings, 'faults'>, typed: Typed): Faults {
  const faults = await bookings.faults(submissionTyped(typed));
  return faults.filter(({ isBlocking }) => isBlocking);
}

export const notTaken = (faults: Awaited<Faults>): Failure =>
  new Failure({
    kind: 'refused',
    status: 422,
    message: 'Nothing is booked yet',
    hint: sentences('Check the marked fields.', ...faults.map(({ message }) => message)),
    refusal: { name: 'not_taken', ref: '' },
  });
