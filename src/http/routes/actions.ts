import { isNumberField, type NumberField, submissionFields } from '../../domain/bookings/booking.ts';
import type { RefusalCode } from '../../domain/bookings/refusals.ts';
import { polls } from '../../domain/clinics/resource.ts';
import { Failure } from '../../platform/failure.ts';
import { printable } from '../../platform/text/printable.ts';
import type { AdminActions, AdminData, Asked, BookingEdit, Done, Resolution } from '../admin.ts';

interface Action {
  admin: AdminActions;
  data: AdminData;
  params: Record<string, string>;
  fields: Record<string, string>;
  by: string;
  /** Options of a decision about a booking. */
  asked?: Asked;
}

/** Every `POST /admin/…`, for the buttons of the pages and for scripts with a token. */
export const actions: Record<string, (action: Action) => Promise<Done>> = {
  '/admin/bookings/:ref/approve': ({ admin, params, by, asked }) => admin.approve(ref(params), by, asked),
  '/admin/bookings/:ref/take': ({ admin, params, by, asked }) => admin.take(ref(params), by, asked),
  '/admin/bookings/:ref/edit': async ({ admin, data, params, fields, by, asked }) =>
    admin.edit(ref(params), await edited(ref(params), fields, data), by, {
      ...asked,
      send: fields.then === 'send',
    }),
  '/admin/bookings/:ref/resolve': ({ admin, params, fields, by, asked }) =>
    admin.resolve(ref(params), resolution(fields), by, asked),
  '/admin/bookings/:ref/drop': ({ admin, params, fields, by, asked }) =>
    admin.drop(ref(params), fields.why ?? '', by, asked),
  '/admin/bookings/:ref/undo': ({ admin, params, fields, by }) =>
    admin.undo(ref(params), fields.as_of ?? '', by),
  '/admin/bookings/:ref/acknowledge': ({ admin, params, by, asked }) =>
    admin.acknowledge(ref(params), by, asked),
  '/admin/bookings/:ref/reconcile': ({ admin, params, by }) => admin.reconcile(ref(params), by),
  '/admin/connectors/:name/pause': ({ admin, params, by }) => admin.pauseConnector(params.name ?? '', by),
  '/admin/connectors/:name/resume': ({ admin, params, by }) => admin.resumeConnector(params.name ?? '', by),
  '/admin/connectors/:name/check': ({ admin, params, by }) => admin.checkConnector(params.name ?? '', by),
  '/admin/connectors/:name/deliveries/retry': ({ admin, params, fields, by }) =>
    admin.retryDeliveries(params.name ?? '', fields.id, by),
  '/admin/connectors/:name/deliveries/skip': ({ admin, params, fields, by }) =>
    admin.skipDeliveries(params.name ?? '', fields.id, by),
  '/admin/guards/:id/approve': ({ admin, params, by }) => admin.approveGuard(params.id ?? '', by),
  '/admin/clinics/:clinic/resume-lane': ({ admin, params, by }) =>
    admin.resumeSending(params.clinic ?? '', by),
  '/admin/clinics/:clinic/sync': ({ admin, params, fields, by }) =>
    admin.syncNow(params.clinic ?? '', poll(fields.resource), by),
  '/admin/silences/:clinic/answer': ({ admin, params, fields, by }) =>
    admin.answerSilence(params.clinic ?? '', fields.until ?? '', by),
};

const isTicked = (value: string | undefined): boolean => value === 'on' || value === 'true';

const ref = (params: Record<string, string>): string => (params.ref ?? '').toUpperCase();

const unclear = (message: string, hint: string, refusal?: RefusalCode) =>
  new Failure({ kind: 'refused', status: 400, message, hint, refusal });

function poll(name: string | undefined): (typeof polls)[number] | undefined {
  if (name === undefined || name === '') return undefined;
  const found = polls.find((one) => one === name);
  if (found === undefined)
    throw unclear('There is no such resource', `One of ${polls.join(', ')}, or none for all.`);
  return found;
}

function resolution({ as, appointment_id = '', ...fields }: Record<string, string>): Resolution {
  const confirm = isTicked(fields.confirm) && { confirm: true };
  if (as === 'booked-no-id') return { as };
  if (as === 'not-booked') return { as, ...confirm };
  if (as !== 'booked') {
    throw unclear('It is not clear how it was resolved', '`as` is booked, booked-no-id or not-booked.');
  }
  return { as, appointment_id: positiveNumber(appointment_id), ...confirm };
}

function positive(text: string, what: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text.trim()) || !Number.isSafeInteger(value) || value < 1) {
    throw unclear(`${what} is not a whole number above 0`, 'Copy it from the clinic’s calendar.', {
      name: 'number_unread',
      ref: '',
    });
  }
  return value;
}

/** An appointment’s number as typed. Throws `Failure` refused. */
export const positiveNumber = (text: string): number => positive(text, 'The appointment number');

const numberNames: Record<NumberField, string> = {
  doctor_id: 'The doctor’s number',
  treatment_id: 'The treatment’s number',
};

/**
 * The page's form sends every field; unchanged ones are left out, so that an edit holds only a person's changes.
 * `empty_FIELD` confirms that a field stays empty although its source could not be read.
 */
async function edited(ref: string, fields: Record<string, string>, data: AdminData): Promise<BookingEdit> {
  const before = (await data.booking(ref))?.booking;
  const edit: BookingEdit = {};
  for (const name of submissionFields) {
    const value = fields[name] && oneLineEnd(fields[name]);
    const was = oneLineEnd(String(before?.[name] ?? ''));
    // The page shows invisible characters as escapes.
    const isLeft = value === undefined || value === was || value === printable(was);
    if (isLeft && !isTicked(fields[`empty_${name}`])) continue;
    const text = value?.trim() || null;
    if (!isNumberField(name)) edit[name] = text;
    else edit[name] = numberOf(name, text);
  }
  if (Object.keys(edit).length === 0)
    throw unclear('Nothing was changed', 'Change a field first.', { name: 'nothing_changed', ref });
  return edit;
}

/** `none`: neither a number nor the name that was sent. */
const numberOf = (name: NumberField, text: string | null): number | null =>
  text === null || text === 'none' ? null : positive(text, numberNames[name]);

/** Browsers send every line break of a text area as CR LF. */
const oneLineEnd = (text: string): string => text.replace(/\r\n?/g, '\n');

/** The audit's name for a route: `connector.deliveries.retry` for `/admin/connectors/:name/deliveries/retry`. */
export function auditName(path: string): string {
  const [group = '', ...words] = path.split('/').slice(2);
  return [group.replace(/s$/, ''), ...words.filter((word) => !word.startsWith(':'))].join('.');
}
