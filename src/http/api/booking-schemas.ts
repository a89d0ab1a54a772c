import * as z from 'zod';
import { auditEntry } from '../../domain/audit.ts';
import {
  bookingEvent,
  bookingShape,
  bookingStates,
  requiredFields,
  submissionFields,
} from '../../domain/bookings/booking.ts';
import { actionNames } from '../../domain/bookings/booking-actions.ts';
import { campaignFields } from '../../domain/campaign.ts';
import { change, jsonFields } from '../../domain/clinics/change.ts';
import { countSchema, instantSchema, orNull, textSchema } from '../../domain/outward.ts';

const state = z.enum(bookingStates);
const id = z.int();

const ok = z.literal(true);

const booking = bookingShape.meta({ id: 'Booking' });
const chosen = z
  .strictObject({ doctor: orNull(textSchema), treatment: orNull(textSchema) })
  .meta({ id: 'ChosenNames', description: 'The clinic’s names for the numbers.' });

const named = z.array(z.strictObject({ id, name: textSchema }));
const choices = z.strictObject({ all: named, near: named }).meta({
  id: 'Choices',
  description: 'The clinic’s dentists or treatments, and whom the name sent may mean.',
});

const detail = z.strictObject({
  booking,
  /** What happened and what is known, for people. */
  sentence: textSchema,
  /** Oldest first. */
  events: z.array(bookingEvent),
  /** What a person can do with it now, the most likely action first. */
  actions: z.array(z.strictObject({ action: z.enum(actionNames), needs: z.array(textSchema) })),
  chosen,
  choices: z.strictObject({ doctor: choices, treatment: choices }),
  visit: orNull(
    z.strictObject({
      date: orNull(textSchema),
      time: orNull(textSchema),
      status: textSchema,
      read_at: instantSchema,
    }),
  ).meta({ description: 'The visit as the clinic last showed it; null before, and if it is gone.' }),
  zone: textSchema.meta({ description: 'The clinic’s wall clock.' }),
  /** When the clinic may be searched for it; null: now, or never. */
  looks_from: orNull(instantSchema),
  undo: orNull(textSchema).meta({ description: 'Send it as `as_of` to undo the last decision.' }),
  /** The booking that it is held beside. */
  resembles: orNull(bookingShape.extend({ chosen })),
  repeats: orNull(textSchema).meta({ description: 'The booking that it repeats in everything it says.' }),
  /** Others made of the same submission that were not dropped, newest first. */
  versions: z.array(bookingShape.extend({ chosen })),
});
export type BookingDetail = z.infer<typeof detail>;
export const bookingAnswer = z.strictObject({ ok, ...detail.shape }).meta({ id: 'BookingDetail' });

export const bookingList = z
  .strictObject({
    ok,
    bookings: z.array(booking),
    next: orNull(textSchema).meta({ description: 'Where to continue: `?after=…`; null on the last page.' }),
  })
  .meta({ id: 'Bookings' });

export const changeListSchema = z
  .strictObject({
    ok,
    clinic: textSchema,
    changes: z.array(change).meta({ description: 'Oldest first.' }),
    next: countSchema.meta({ description: 'Where to continue: `?after=…`.' }),
    latest: countSchema.meta({
      description: 'The newest sequence of the clinic: nothing is left once `next` equals it.',
    }),
  })
  .meta({ id: 'Changes' });

export const sessionList = z
  .strictObject({
    ok,
    sessions: z.array(
      z.strictObject({
        id: textSchema,
        person: textSchema,
        by: textSchema,
        address: textSchema,
        started_at: instantSchema,
        seen_at: instantSchema,
        ends_at: instantSchema,
      }),
    ),
  })
  .meta({ id: 'Sessions' });

export const auditList = z
  .strictObject({ ok, audit: z.array(z.strictObject({ n: countSchema, ...auditEntry.shape })) })
  .meta({ id: 'Audit' });

/** What a sender learns about its booking; without the right to read it, only that it arrived. */
const told = z.strictObject({
  ok,
  ref: textSchema.meta({ example: 'CS-7K3Q9F' }),
  state,
  reason: textSchema.optional(),
  message: textSchema.optional(),
  duplicate_of: textSchema.optional(),
});

export const receipt = told.meta({ id: 'Receipt' });
export const bookingState = told
  .extend({ appointment_id: id.optional(), changed_at: instantSchema })
  .meta({ id: 'BookingState' });

const fault = z.strictObject({ field: textSchema, message: textSchema });
export const checkedSchema = z.strictObject({ ok }).meta({ id: 'Checked' });
export const unmapped = z
  .strictObject({ ok: z.literal(false), errors: z.array(fault) })
  .meta({ id: 'FieldFaults' });
export const rehearsalSchema = z
  .looseObject({
    ok,
    rehearsal: ok,
    stored: z.literal(false),
    would_be: z.enum(['sent', 'held']),
    fields: jsonFields,
    errors: z.array(fault),
    could_be: z
      .array(z.strictObject({ format: textSchema, date: textSchema }))
      .optional()
      .meta({ description: 'What a date that was not read means in each format that it may have.' }),
    not_used: z.array(textSchema),
  })
  .meta({ id: 'Rehearsal' });
export const ignored = z.strictObject({ ok, message: textSchema }).meta({ id: 'Ignored' });

const numbers = ['doctor_id', 'treatment_id'];
const asked = Object.fromEntries(
  submissionFields.map((name) => [
    name,
    (numbers.includes(name) ? z.union([id, textSchema]) : textSchema).optional(),
  ]),
);

/** A booking by the API's own names, for the presets `native` and `html-form`. */
export const submission = z
  .looseObject({
    ...asked,
    clinic: textSchema.optional().meta({ description: 'Its key, where several are configured.' }),
    submission_id: textSchema
      .optional()
      .meta({ description: 'The sender’s own id: the same one books once.' }),
    ...Object.fromEntries(campaignFields.map((name) => [name, textSchema.optional()])),
  })
  .meta({
    id: 'Submission',
    description: `${requiredFields.join(', ')} are needed; without them the booking is held for a person.`,
  });
