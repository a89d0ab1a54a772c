import type { FieldFault } from '../../../src/domain/bookings/booking.ts';
import { fieldWords } from '../../../src/domain/bookings/booking-content.ts';
import { DAY } from '../../../src/platform/duration.ts';
import type { Json, JsonObject } from '../../../src/platform/json.ts';
import { readMoment } from '../../../src/reading/moment.ts';
import { isVisitLabel, readSlot, type SentWhen } from '../../../src/reading/read-slot.ts';
import { unreadWhen } from '../../../src/reading/unread.ts';
import { fieldText } from './fields.ts';
import { type Filled, present } from './filled.ts';

/** Date and time on the clinic's wall clock. Unreadable text is kept as it came, for the person who decides. */
export function slotOf(
  date: Filled | undefined,
  time: Filled | undefined,
  clinicZone: string | undefined,
  problems: FieldFault[],
): Record<'appointment_date' | 'appointment_time', Json | undefined> {
  // A booking's own names are read by the intake.
  const sent = (filled: Filled | undefined): SentWhen | undefined =>
    filled && !filled.own
      ? { text: filled.text, format: filled.rule?.format, zone: filled.rule?.zone }
      : undefined;
  const slot = readSlot({ date: sent(date), time: sent(time) }, clinicZone);
  for (const [field, filled, read] of [
    ['appointment_date', date, slot.date],
    ['appointment_time', time, slot.time],
  ] as const) {
    const fault = read === undefined && filled ? unreadFault(field, filled) : undefined;
    if (fault !== undefined) problems.push({ field, message: fault });
  }
  problems.push(...slot.faults);
  const own = time?.own ? present(time) : undefined;
  return {
    appointment_date: slot.date ?? present(date),
    appointment_time: own ?? slot.time ?? present(time),
  };
}

function unreadFault(
  field: 'appointment_date' | 'appointment_time',
  { text, own, rule }: Filled,
): string | undefined {
  if (text === '') return undefined;
  // A booking's own names are read by the intake.
  if (own === 'first' || (own && readMoment(text, {}, 'UTC') !== undefined)) return undefined;
  const { format } = rule ?? {};
  const what = fieldWords([field]);
  if (format !== undefined)
    return `The ${what} is not written as ${format}, as this connector’s settings say.`;
  const from = own ? field : 'NAME OF THE FIELD';
  // YAML takes a colon or a space within braces only in quotes.
  const quoted = (one: string) => (/[: ]/.test(one) ? `"${one}"` : one);
  return unreadWhen(
    what,
    text,
    (one) => `\`fields: { ${field}: { from: ${from}, format: ${quoted(one)} } }\``,
  );
}

const AROUND_DAYS = 400;

/** Another field that names another day near the one found: nobody can tell which of them is the visit. */
export function otherDays(
  found: Json | undefined,
  fields: JsonObject,
  unused: readonly string[],
): FieldFault[] {
  if (typeof found !== 'string') return [];
  const isNear = (date: string) => Math.abs(Date.parse(date) - Date.parse(found)) <= AROUND_DAYS * DAY;
  const days = unused.filter(isVisitLabel).flatMap((name) => {
    const { date, writtenDate } = readMoment(fieldText(fields[name]), {}, undefined) ?? {};
    // Programs write moments with a zone.
    return date === undefined || writtenDate !== undefined || date === found ? [] : date;
  });
  const other = days.find(isNear);
  if (other === undefined) return [];
  return [
    {
      field: 'appointment_date',
      message:
        `Another field of the form names another day, ${other}, so it is not certain which is the visit’s. Say ` +
        'which field in this connector’s settings: `fields: { appointment_date: { from: NAME OF THE FIELD } ' +
        '}`.',
    },
  ];
}
