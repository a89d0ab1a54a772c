import * as z from 'zod';
import type { Bookings } from '../bookings/bookings.ts';
import {
  type Booking,
  isNumberField,
  type NumberField,
  type SubmissionField,
  submissionFields,
} from '../domain/bookings/booking.ts';
import type { RefusalCode } from '../domain/bookings/refusals.ts';
import { positiveNumber } from '../domain/bookings/typed-number.ts';
import type { Done, OperationDescription, OperationRequest } from '../http/admin.ts';
import { Failure } from '../platform/failure.ts';
import { localeOf } from '../platform/text/locale.ts';
import { printable } from '../platform/text/printable.ts';
import { sentences } from '../platform/text/sentences.ts';
import type { Store } from '../store/store.ts';

/** What a person may do: all of it in one entry of a table, by route. */
export interface BookingOperation<Context> extends OperationDescription {
  run(context: Context, request: OperationRequest): Promise<Done>;
}

interface Context {
  bookings: Bookings;
  store: Pick<Store, 'bookings'>;
}

export const about = (
  ref: string,
  said: NonNullable<Done['said']>,
  message = localeOf('en').t(`said_${said}`, { ref }),
): Done => ({ ok: true, message, said, ref });

const released = ({ ref, state, message }: Booking) =>
  state === 'held'
    ? about(ref, 'not_sent', sentences(`${ref} is not sent yet.`, message))
    : about(ref, 'approved');

const undoOf = async ({ bookings }: Context, { ref }: Booking): Promise<Pick<Done, 'undo'>> => {
  const seen = await bookings.undoable(ref);
  return seen === undefined ? {} : { undo: { ref, seen } };
};

const tick = z.union([z.boolean(), z.enum(['on', 'true'])]).optional();
const isTicked = (value: string | undefined): boolean => value === 'on' || value === 'true';

const correction = z
  .strictObject(Object.fromEntries(submissionFields.map((name) => [name, z.string().optional()])))
  .catchall(z.string())
  .meta({ id: 'Correction', description: '`empty_FIELD: on` confirms that a field stays empty.' });

/** Decisions about bookings; `bookings` itself checks which are available. */
export const bookingOperations = {
  '/admin/bookings/:ref/approve': {
    summary: 'Release a booking to be sent; with fields that differ, correct it first',
    many: 'Release many bookings, each checked on its own',
    body: correction,
    async run(context, request) {
      const { subject: ref, by, asked } = request;
      const edit = await changedFields(context, request);
      const booking =
        edit === undefined
          ? await context.bookings.approve(ref, by, undefined, asked)
          : await context.bookings.edit(ref, edit, by, { ...asked, send: true });
      return { ...released(booking), ...(await undoOf(context, booking)) };
    },
  },
  '/admin/bookings/:ref/take': {
    summary: 'Send a changed submission instead of the first one; with fields that differ, correct it first',
    body: correction,
    async run(context, request) {
      const { subject: ref, by, asked } = request;
      const fields = await changedFields(context, request);
      return released(
        await context.bookings.take(ref, by, undefined, { ...asked, ...(fields && { fields }) }),
      );
    },
  },
  '/admin/bookings/:ref/edit': {
    summary: 'Correct what will be sent',
    body: correction,
    async run(context, request) {
      const { subject: ref, fields, by, asked } = request;
      const edit = await changedFields(context, request);
      if (edit === undefined)
        throw unclear('Nothing was changed', 'Change a field first.', { name: 'nothing_changed', ref });
      const send = fields.then === 'send';
      const booking = await context.bookings.edit(ref, edit, by, { ...asked, send });
      const corrected = about(ref, 'corrected', `${ref} is corrected and now ${booking.state}.`);
      return { ...(send ? released(booking) : corrected), ...(await undoOf(context, booking)) };
    },
  },
  '/admin/bookings/:ref/resolve': {
    summary: 'Resolve a booking',
    body: z.object({
      as: z.enum(['booked', 'booked-no-id', 'not-booked']),
      appointment_id: z
        .union([z.int().min(1), z.string()])
        .optional()
        .meta({ description: 'Needed as `booked`.' }),
      confirm: tick.meta({
        description: 'Even though the clinic shows something else, or may still be working.',
      }),
    }),
    async run({ bookings }, { subject: ref, fields, by, asked }) {
      const resolved = await bookings.resolve(ref, resolution(fields), by, asked);
      if (fields.as === 'not-booked') return about(ref, 'settled', `${ref} is sent again.`);
      if (resolved.ok) return about(ref, 'settled', `${ref} is now ${resolved.booking.state}.`);
      const { appointment_id, clinic, asked: wanted } = resolved.comparison;
      const message =
        `Appointment ${appointment_id} is on ${clinic.date} at ${clinic.time}; ${wanted.date} at ` +
        `${wanted.time} was asked for. ${resolved.differences.join(' ')}`;
      const hint = 'If it is the right one anyway, tick the box that says so.';
      const refusal: RefusalCode = { name: 'number_differs', ref };
      throw new Failure({ kind: 'refused', message, hint, refusal });
    },
  },
  '/admin/bookings/:ref/drop': {
    summary: 'Drop a booking',
    many: 'Drop many bookings, each on its own',
    body: z.object({ why: z.string().optional() }),
    async run(context, { subject: ref, fields, by, asked }) {
      const dropped = await context.bookings.drop(ref, by, fields.why ?? '', asked);
      return { ...about(ref, 'dropped'), ...(await undoOf(context, dropped)) };
    },
  },
  '/admin/bookings/:ref/reopen': {
    summary: 'Hold a dropped booking again that was never sent',
    async run({ bookings }, { subject: ref, by, asked }) {
      await bookings.reopen(ref, by, undefined, asked);
      return about(ref, 'taken_back');
    },
  },
  '/admin/bookings/:ref/undo': {
    summary: 'Undo a decision within ten seconds',
    many: 'Undo decisions of the last ten seconds',
    body: z.object({ as_of: z.string() }),
    async run({ bookings }, { subject: ref, fields, by }) {
      await bookings.undo(ref, by, fields.as_of ?? '');
      return about(ref, 'taken_back');
    },
  },
  '/admin/bookings/:ref/acknowledge': {
    summary: 'Accept a difference from what was requested',
    async run({ bookings }, { subject: ref, by, asked }) {
      await bookings.acknowledge(ref, by, asked);
      return about(ref, 'seen');
    },
  },
  '/admin/bookings/:ref/reconcile': {
    summary: 'Look for it at the clinic',
    async run({ bookings }, { subject: ref, by }) {
      const { sentence } = await bookings.reconcile(ref, by);
      return { ok: true, message: sentence };
    },
  },
} satisfies Record<string, BookingOperation<Context>>;

const unclear = (message: string, hint: string, refusal?: RefusalCode) =>
  new Failure({ kind: 'refused', status: 400, message, hint, refusal });

function resolution({ as, appointment_id = '', confirm: ticked }: OperationRequest['fields']) {
  const confirm = isTicked(ticked);
  if (as === 'booked-no-id') return { as } as const;
  if (as === 'not-booked') return { as, send_again: true, confirm } as const;
  if (as === 'booked') return { as, appointment_id: positiveNumber(appointment_id), confirm } as const;
  throw unclear('It is not clear how it was resolved', '`as` is booked, booked-no-id or not-booked.');
}

const numberNames: Record<NumberField, string> = {
  doctor_id: 'The doctor’s number',
  treatment_id: 'The treatment’s number',
};

/**
 * The page's form sends every field; unchanged ones are left out, so that an edit holds only a person's changes.
 * `empty_FIELD` confirms that a field stays empty although its source could not be read; `mean` is the field and the
 * number of a suggested name. Undefined if nothing differs.
 */
async function changedFields({ store }: Context, { subject, fields: sent }: OperationRequest) {
  const [meant = '', number] = (sent.mean ?? '').split(' ');
  const fields = number === undefined ? sent : { ...sent, [meant]: number };
  const before = submissionFields.some((name) => name in fields || `empty_${name}` in fields)
    ? await store.bookings.get(subject)
    : undefined;
  const edit: Partial<Pick<Booking, SubmissionField>> = {};
  for (const name of submissionFields) {
    const value = fields[name] && oneLineEnd(fields[name]);
    if (isAsShown(name, value, before) && !isTicked(fields[`empty_${name}`])) continue;
    const text = value?.trim() || null;
    if (!isNumberField(name)) edit[name] = text;
    else edit[name] = numberOf(name, text);
  }
  return Object.keys(edit).length === 0 ? undefined : edit;
}

/** The page shows invisible characters as escapes, and a browser drops line breaks from a field of one line. */
function isAsShown(name: SubmissionField, value: string | undefined, before: Booking | undefined): boolean {
  const was = oneLineEnd(String(before?.[name] ?? ''));
  const shown = [was, printable(was)];
  if (name !== 'note') shown.push(...shown.map((text) => text.replaceAll('\n', '')));
  return value === undefined || shown.includes(value);
}

/** `none`: neither a number nor the name that was sent. */
const numberOf = (name: NumberField, text: string | null): number | null =>
  text === null || text === 'none' ? null : positiveNumber(text, numberNames[name]);

/** Browsers send every line break of a text area as CR LF. */
const oneLineEnd = (text: string): string => text.replace(/\r\n?/g, '\n');
