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
import type { Done, OperationDescription, OperationRequest, Preview } from '../http/admin.ts';
import { Failure } from '../platform/failure.ts';
import { localeOf } from '../platform/text/locale.ts';
import { printable } from '../platform/text/printable.ts';
import { sentences } from '../platform/text/sentences.ts';
import type { Store } from '../store/store.ts';
import { faultsTyped, newBooking, notTaken, submissionTyped } from './page-data/new-booking.ts';

/** What a person may do: all of it in one entry of a table, by route. */
export interface BookingOperation<Context> extends OperationDescription {
  /** Its command as yargs writes it; without one, it can be done only on the pages. */
  command?: string;
  /** Command lines, each with its purpose. */
  examples?: Record<string, string>;
  /** It calls the clinic, for which a command needs the secrets. */
  callsClinic?: true;
  /** Options of the command that are not called as their field. */
  options?: Readonly<Record<string, string>>;
  /** It cannot be undone: many are done only by a person who has said yes. */
  isFinal?: true;
  /** What it would do, for the person who is asked first. Throws when there is nothing to do it to. */
  preview?(context: Context, subject: string, fields: OperationRequest['fields']): Promise<Preview>;
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

const released = (booking: Pick<Booking, 'ref' | 'state' | 'message'>): Done => {
  const { ref, state, message } = booking;
  const done =
    state === 'held'
      ? about(ref, 'not_sent', sentences(`${ref} is not sent yet.`, message))
      : about(ref, 'approved');
  return { ...done, data: booking };
};

const undoOf = async ({ bookings }: Context, { ref }: Booking): Promise<Pick<Done, 'undo'>> => {
  const seen = await bookings.undoable(ref);
  return seen === undefined ? {} : { undo: { ref, seen } };
};

const tick = z.union([z.boolean(), z.enum(['on', 'true', 'off', 'false'])]).optional();
const isTicked = (value: string | undefined): boolean => value === 'on' || value === 'true';
const text = (description: string) => z.string().optional().meta({ description });

const why = text('Stored with the decision');
const reasoned = z.object({ why });

const meanings: Record<SubmissionField, string> = {
  patient_name: 'The patient’s full name',
  patient_phone: 'The patient’s phone number',
  address: 'The patient’s address',
  appointment_date: 'YYYY-MM-DD',
  appointment_time: 'HH:MM on the clinic’s wall clock',
  doctor_id: 'The clinic’s number of the dentist',
  doctor: 'The dentist’s name, as the clinic has it',
  treatment_id: 'The clinic’s number of the treatment',
  treatment: 'The treatment’s name, as the clinic has it',
  note: 'For the front desk',
};

const correction = z
  .strictObject({
    ...Object.fromEntries(submissionFields.map((name) => [name, text(meanings[name])])),
    why,
  })
  .catchall(z.string())
  .meta({
    id: 'Correction',
    description:
      'Fields that differ are corrected first. `empty_FIELD: on` confirms that a field stays empty.',
  });

/** Decisions about bookings; `bookings` itself checks which are available. */
export const bookingOperations = {
  '/admin/bookings/add': {
    summary: 'Take down a booking, for a patient on the phone',
    body: newBooking,
    async run({ bookings }, { fields }) {
      const faults = await faultsTyped(bookings, fields);
      if (faults.length > 0) throw notTaken(faults);
      const { ref, created, state, message } = await bookings.accept(submissionTyped(fields));
      const added = state === 'held' ? released({ ref, state, message }) : about(ref, 'added');
      return { ...(created ? added : about(ref, 'known')), page: `/bookings/${ref}` };
    },
  },
  '/admin/bookings/:ref/approve': {
    summary: 'Release a held booking to be sent',
    many: 'Release many bookings, each checked on its own',
    command: 'bookings approve <refs..>',
    examples: { 'bookings approve CS-7K3Q9F': 'it is real: send it' },
    isFinal: true,
    body: correction,
    async run(context, request) {
      const { subject: ref, by, asked } = request;
      const edit = await changedFields(context, request);
      const booking =
        edit === undefined
          ? await context.bookings.approve(ref, by, request.fields.why, asked)
          : await context.bookings.edit(ref, edit, by, { ...asked, send: true });
      return { ...released(booking), ...(await undoOf(context, booking)) };
    },
  },
  '/admin/bookings/:ref/take': {
    summary: 'Send a changed submission instead of the first one, which was not sent yet',
    command: 'bookings take <refs..>',
    examples: { 'bookings take CS-7K3Q9F': 'they corrected the time in their form' },
    isFinal: true,
    body: correction,
    async run(context, request) {
      const { subject: ref, by, asked } = request;
      const fields = await changedFields(context, request);
      return released(
        await context.bookings.take(ref, by, request.fields.why, { ...asked, ...(fields && { fields }) }),
      );
    },
  },
  '/admin/bookings/:ref/edit': {
    summary: 'Correct what will be sent',
    command: 'bookings edit <ref>',
    examples: { 'bookings edit CS-7K3Q9F --note "rang back"': 'before it is approved' },
    body: correction.extend({ clinic: text('The clinic of a booking that names none of several') }),
    async run(context, request) {
      const { subject: ref, fields, by, asked } = request;
      const edit = await changedFields(context, request);
      if (edit === undefined)
        throw unclear('Nothing was changed', 'Change a field first.', { name: 'nothing_changed', ref });
      const send = fields.then === 'send';
      const booking = await context.bookings.edit(ref, edit, by, { ...asked, send, why: fields.why });
      const message = `${ref} is corrected and now ${booking.state}.`;
      const corrected = { ...about(ref, 'corrected', message), data: booking };
      return { ...(send ? released(booking) : corrected), ...(await undoOf(context, booking)) };
    },
  },
  '/admin/bookings/:ref/resolve': {
    summary: 'Say what became of an unknown booking',
    command: 'bookings resolve <ref>',
    examples: {
      'bookings resolve CS-7K3Q9F --as booked --appointment 1204': 'it is there, with this number',
    },
    options: { appointment_id: 'appointment' },
    callsClinic: true,
    body: z.object({
      as: z
        .enum(['booked', 'booked-no-id', 'not-booked'])
        .meta({ description: 'What was found at the clinic' }),
      appointment_id: z
        .union([z.int().min(1), z.string()])
        .optional()
        .meta({ description: 'Its number, needed with `as: booked`' }),
      send_again: tick.meta({ description: 'With `as: not-booked`: send it again; off: drop it' }),
      confirm: tick.meta({
        description: 'Even though the clinic shows something else, or may still be working',
      }),
      why,
    }),
    async run({ bookings }, { subject: ref, fields, by, asked }) {
      const decision = resolution(ref, fields);
      const resolved = await bookings.resolve(ref, decision, by, asked);
      if (resolved.ok) {
        const isAgain = decision.as === 'not-booked' && decision.send_again;
        const message = isAgain ? `${ref} is sent again.` : `${ref} is now ${resolved.booking.state}.`;
        return { ...about(ref, 'settled', message), data: resolved.booking };
      }
      const { appointment_id, clinic, asked: wanted } = resolved.comparison;
      const message =
        `Appointment ${appointment_id} is on ${clinic.date} at ${clinic.time}; ${wanted.date} at ` +
        `${wanted.time} was asked for. ${resolved.differences.join(' ')}`;
      const hint = 'If it is the right one anyway, confirm it.';
      const refusal: RefusalCode = { name: 'number_differs', ref };
      throw new Failure({ kind: 'refused', message, hint, refusal });
    },
  },
  '/admin/bookings/:ref/drop': {
    summary: 'Drop a booking; it will not be sent',
    many: 'Drop many bookings, each on its own',
    command: 'bookings drop <refs..>',
    examples: { 'bookings drop CS-7K3Q9F --why "a test"': 'it was never a real lead' },
    body: reasoned,
    async run(context, { subject: ref, fields, by, asked }) {
      const dropped = await context.bookings.drop(ref, by, fields.why ?? '', asked);
      return { ...about(ref, 'dropped'), data: dropped, ...(await undoOf(context, dropped)) };
    },
  },
  '/admin/bookings/:ref/reopen': {
    summary: 'Hold a dropped booking again that was never sent',
    command: 'bookings reopen <refs..>',
    examples: { 'bookings reopen CS-7K3Q9F': 'the wrong one was dropped' },
    body: reasoned,
    async run({ bookings }, { subject: ref, fields, by, asked }) {
      const data = await bookings.reopen(ref, by, fields.why, asked);
      return { ...about(ref, 'taken_back'), data };
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
    command: 'bookings acknowledge <ref>',
    examples: { 'bookings acknowledge CS-7K3Q9F': 'the other time was agreed by phone' },
    async run({ bookings }, { subject: ref, by, asked }) {
      await bookings.acknowledge(ref, by, asked);
      return about(ref, 'seen');
    },
  },
  '/admin/bookings/:ref/reconcile': {
    summary: 'Look for it at the clinic',
    command: 'bookings reconcile <ref>',
    examples: { 'bookings reconcile CS-7K3Q9F': 'is it there or not?' },
    callsClinic: true,
    async run({ bookings }, { subject: ref, by }) {
      const data = await bookings.reconcile(ref, by);
      return { ok: true, message: data.sentence, details: data.evidence, data };
    },
  },
} satisfies Record<string, BookingOperation<Context>>;

const unclear = (message: string, hint: string, refusal?: RefusalCode) =>
  new Failure({ kind: 'refused', status: 400, message, hint, refusal });

const LEAVE_OUT = 'Leave one of them out.';

/** The form has a box beside each button. A number beside another button is never just left out. */
function resolution(ref: string, { as, why, ...fields }: OperationRequest['fields']) {
  const confirm = isTicked(fields.confirm) || isTicked(fields[`confirm_${as}`]);
  const appointment_id = fields.appointment_id?.trim() || undefined;
  if (as !== 'booked' && appointment_id !== undefined)
    throw unclear('An `appointment_id` belongs to `as: booked`, “It is there”', LEAVE_OUT, {
      name: 'number_beside',
      ref,
    });
  if (as !== 'not-booked' && isTicked(fields.send_again))
    throw unclear('`send_again` belongs to `as: not-booked`', LEAVE_OUT);
  if (as === 'booked-no-id') return { as, why } as const;
  if (as === 'not-booked')
    return { as, send_again: isTicked(fields.send_again ?? 'on'), confirm, why } as const;
  if (as === 'booked' && appointment_id !== undefined)
    return { as, appointment_id: positiveNumber(appointment_id), confirm, why } as const;
  if (as === 'booked')
    throw unclear('`appointment_id` is missing', 'Add the number, or say `as: booked-no-id`.');
  throw unclear('It is not clear how it was resolved', '`as` is booked, booked-no-id or not-booked.');
}

const numberNames: Record<NumberField, string> = {
  doctor_id: 'The doctor’s number',
  treatment_id: 'The treatment’s number',
};

type Edit = Partial<Pick<Booking, SubmissionField>> & { clinic?: string };

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
  const edit: Edit = {};
  for (const name of submissionFields) {
    const value = fields[name] && oneLineEnd(fields[name]);
    if (isAsShown(name, value, before) && !isTicked(fields[`empty_${name}`])) continue;
    const text = value?.trim() || null;
    if (!isNumberField(name)) edit[name] = text;
    else edit[name] = numberOf(name, text);
  }
  if (sent.clinic) edit.clinic = sent.clinic;
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
