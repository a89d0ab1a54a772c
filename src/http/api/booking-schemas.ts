import * as z from 'zod';
import type { AuditEntry } from '../../domain/audit.ts';
import {
  type Booking,
  bookingKinds,
  bookingStates,
  type Evidence,
  probeVerdicts,
  requiredFields,
  submissionFields,
  verifications,
} from '../../domain/bookings/booking.ts';
import { actionNames } from '../../domain/bookings/booking-actions.ts';
import { campaignFields, clickIds } from '../../domain/campaign.ts';
import { type Change, changedResources, changeTypes } from '../../domain/clinics/change.ts';
import type { Json } from '../../platform/json.ts';
import type { BookingDetail } from '../admin.ts';
import { count, exactly, instant, maybe, orNull, text } from './schema.ts';

const json: z.ZodType<Json> = z.json().meta({ id: 'Json', description: 'Any JSON value.' });
const fields = z.record(text, json);
const state = z.enum(bookingStates);
const id = z.int();

const ok = z.literal(true);

const reading = z.strictObject({ value: orNull(z.number()), at: instant });

const shows = z.strictObject({ date: orNull(text), time: orNull(text), name_matches: orNull(z.boolean()) });

const evidence = exactly<Evidence>()(
  z
    .strictObject({
      sent_at: maybe(instant),
      answer: maybe(text),
      refused: maybe(orNull(z.int())),
      answered_id: maybe(id),
      late_word: maybe(orNull(z.strictObject({ appointment_id: id, at: instant }))),
      body_hash: maybe(text),
      counter_before: maybe(reading),
      counter_after: maybe(reading),
      own_between: maybe(z.number()),
      highest_own_id: maybe(id),
      probed_ids: maybe(z.array(id)),
      matching_ids: maybe(z.array(id)),
      verdict: maybe(z.enum(probeVerdicts)),
      verification: maybe(z.enum(verifications)),
      asked_at: maybe(instant),
      before_asked: maybe(
        z.strictObject({
          verification: maybe(z.enum(verifications)),
          mismatch: maybe(z.array(text)),
          shows: maybe(shows),
        }),
      ),
      left_out: maybe(z.array(text)),
      seen_by: maybe(text),
      absent: maybe(z.boolean()),
      restored: maybe(z.boolean()),
      doubted_at: maybe(instant),
      shown_at: maybe(instant),
      asked_again: maybe(instant),
      changed_back: maybe(instant),
      released_beside: maybe(instant),
      mismatch: maybe(z.array(text)),
      shows: maybe(shows),
    })
    .meta({ id: 'Evidence', description: 'Facts about a send whose outcome is in doubt.' }),
);

const bookingShape = z.strictObject({
  ref: text.meta({ example: 'CS-7K3Q9F' }),
  clinic: text,
  source: text,
  submission_id: orNull(text),
  kind: z.enum(bookingKinds),
  state,
  reason: orNull(text),
  message: orNull(text),
  patient_name: orNull(text),
  patient_phone: orNull(text),
  phone_e164: orNull(text),
  address: orNull(text),
  appointment_date: orNull(text),
  appointment_time: orNull(text),
  doctor_id: orNull(id),
  doctor: orNull(text),
  treatment_id: orNull(id),
  treatment: orNull(text),
  note: orNull(text),
  appointment_id: orNull(id),
  attempt: count,
  not_before: orNull(instant),
  sending_since: orNull(instant),
  merged: count,
  duplicate_of: orNull(text),
  unreadable_fields: z.array(text),
  acknowledged_duplicates: z.array(text),
  changed_fields: z.array(text),
  refusals: count,
  verified_at: orNull(instant),
  evidence: orNull(evidence),
  utm_source: orNull(text),
  utm_medium: orNull(text),
  campaign: orNull(text).meta({ description: 'utm_campaign' }),
  utm_term: orNull(text),
  utm_content: orNull(text),
  channel: orNull(text).meta({ example: 'google / cpc' }),
  click_id: orNull(text),
  click_id_kind: orNull(z.enum(clickIds)),
  landing_page: orNull(text),
  referrer: orNull(text),
  first_campaign: orNull(text),
  first_channel: orNull(text),
  first_touch_at: orNull(instant),
  received_at: instant,
  changed_at: instant,
});

const booking = exactly<Booking>()(bookingShape.meta({ id: 'Booking' }));
const chosen = z
  .strictObject({ doctor: orNull(text), treatment: orNull(text) })
  .meta({ id: 'ChosenNames', description: 'The clinic’s names for the numbers.' });

const named = z.array(z.strictObject({ id, name: text }));
const choices = z.strictObject({ all: named, near: named }).meta({
  id: 'Choices',
  description: 'The clinic’s dentists or treatments, and whom the name sent may mean.',
});

export const bookingAnswer = exactly<BookingDetail & { ok: true }>()(
  z
    .strictObject({
      ok,
      booking,
      sentence: text,
      events: z.array(
        z.strictObject({
          ref: text,
          at: instant,
          from: orNull(state),
          to: state,
          actor: z.enum(['daemon', 'person']),
          by: text,
          reason: orNull(text),
          message: orNull(text),
        }),
      ),
      actions: z.array(z.strictObject({ action: z.enum(actionNames), needs: z.array(text) })),
      chosen,
      choices: z.strictObject({ doctor: choices, treatment: choices }),
      visit: orNull(
        z.strictObject({ date: orNull(text), time: orNull(text), status: text, read_at: instant }),
      ).meta({ description: 'The visit as the clinic last showed it; null before, and if it is gone.' }),
      zone: text.meta({ description: 'The clinic’s wall clock.' }),
      looks_from: orNull(instant),
      undo: orNull(text).meta({ description: 'Send it as `as_of` to undo the last decision.' }),
      resembles: orNull(bookingShape.extend({ chosen })),
      versions: z.array(bookingShape.extend({ chosen })),
    })
    .meta({ id: 'BookingDetail' }),
);

export const bookingList = z
  .strictObject({
    ok,
    bookings: z.array(booking),
    next: orNull(text).meta({ description: 'Where to continue: `?after=…`; null on the last page.' }),
  })
  .meta({ id: 'Bookings' });

const change = exactly<Change>()(
  z
    .strictObject({
      clinic: text,
      sequence: z.int().min(1).meta({ description: 'Without gaps per clinic, from 1.' }),
      at: instant,
      type: z.enum(changeTypes),
      resource: z.enum(changedResources),
      id: text,
      data: fields,
      previous: orNull(fields).meta({ description: 'Former values of the changed fields.' }),
    })
    .meta({ id: 'Change' }),
);

export const changeList = z
  .strictObject({
    ok,
    clinic: text,
    changes: z.array(change).meta({ description: 'Oldest first.' }),
    next: count.meta({ description: 'Where to continue: `?after=…`.' }),
    latest: count.meta({
      description: 'The newest sequence of the clinic: nothing is left once `next` equals it.',
    }),
  })
  .meta({ id: 'Changes' });

export const sessionList = z
  .strictObject({
    ok,
    sessions: z.array(
      z.strictObject({
        id: text,
        person: text,
        by: text,
        address: text,
        started_at: instant,
        seen_at: instant,
        ends_at: instant,
      }),
    ),
  })
  .meta({ id: 'Sessions' });

const auditEntry = exactly<AuditEntry & { n: number }>()(
  z.strictObject({
    n: count,
    at: instant,
    actor: text,
    role: z.enum(['viewer', 'desk', 'admin', 'cli', 'none']),
    action: text,
    subject: orNull(text),
    result: text,
    address: orNull(text),
  }),
);

export const auditList = z.strictObject({ ok, audit: z.array(auditEntry) }).meta({ id: 'Audit' });

/** What a sender learns about its booking; without the right to read it, only that it arrived. */
const told = z.strictObject({
  ok,
  ref: text.meta({ example: 'CS-7K3Q9F' }),
  state,
  reason: text.optional(),
  message: text.optional(),
  duplicate_of: text.optional(),
});

export const receipt = told.meta({ id: 'Receipt' });
export const bookingState = told
  .extend({ appointment_id: id.optional(), changed_at: instant })
  .meta({ id: 'BookingState' });

const fault = z.strictObject({ field: text, message: text });
export const checked = z.strictObject({ ok }).meta({ id: 'Checked' });
export const unmapped = z
  .strictObject({ ok: z.literal(false), errors: z.array(fault) })
  .meta({ id: 'FieldFaults' });
export const rehearsal = z
  .looseObject({
    ok,
    rehearsal: ok,
    stored: z.literal(false),
    would_be: z.enum(['sent', 'held']),
    fields,
    errors: z.array(fault),
    could_be: z
      .array(z.strictObject({ format: text, date: text }))
      .optional()
      .meta({ description: 'What a date that was not read means in each format that it may have.' }),
    not_used: z.array(text),
  })
  .meta({ id: 'Rehearsal' });
export const ignored = z.strictObject({ ok, message: text }).meta({ id: 'Ignored' });

const numbers = ['doctor_id', 'treatment_id'];
const asked = Object.fromEntries(
  submissionFields.map((name) => [name, (numbers.includes(name) ? z.union([id, text]) : text).optional()]),
);

/** A booking by the API's own names, for the presets `native` and `html-form`. */
export const submission = z
  .looseObject({
    ...asked,
    clinic: text.optional().meta({ description: 'Its key, where several are configured.' }),
    submission_id: text.optional().meta({ description: 'The sender’s own id: the same one books once.' }),
    ...Object.fromEntries(campaignFields.map((name) => [name, text.optional()])),
  })
  .meta({
    id: 'Submission',
    description: `${requiredFields.join(', ')} are needed; without them the booking is held for a person.`,
  });
