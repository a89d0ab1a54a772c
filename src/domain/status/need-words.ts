import type { Instant } from '../../platform/clock.ts';
import { type Locale, localeOf } from '../../platform/text/locale.ts';
import { clause, sentences } from '../../platform/text/sentences.ts';
import type { TextName } from '../../texts/texts.ts';
import { type BookingState, holdReasons } from '../bookings/booking.ts';
import type { FaultyField } from '../bookings/faulty-fields.ts';
import { polls } from '../clinics/resource.ts';
import { problemWords, remedyWords } from '../texts/problem.ts';
import { type ConditionName, conditionOf } from './conditions.ts';
import type { HealthReason, Need, NeedSaid } from './report.ts';

interface NeedWords {
  sentence: string;
  /** Null for a booking: a button does it. */
  todo: string | null;
  /** A message from a machine, in English. */
  detail: string | null;
}

type Asked = Pick<Need, 'said' | 'state' | 'reason' | 'fields' | 'subject' | 'count'> & {
  clinic?: string | null;
};

/** A need in the reader’s language; undefined for one that a former version stored. */
export function needWords(need: Asked, locale: Locale): NeedWords | undefined {
  const { said, state, subject, clinic } = need;
  if (state !== undefined) return bookingWords(need, state, locale);
  return said && needWordsOf({ said, subject, clinic }, locale);
}

function needWordsOf(
  { said, subject, clinic }: { said: NeedSaid; subject: string; clinic?: string | null | undefined },
  locale: Locale,
): NeedWords & { todo: string } {
  const { name, poll, count = 0, of = 0, day, ms, what } = said;
  const detail = sentences(said.detail, said.remedy) || null;
  const held = said.change === undefined ? '' : locale.t(`guard_${said.change}`, { count, of });
  const values = {
    name: what ?? (poll === undefined ? subject : locale.t(`poll_${poll}`)),
    what: ms === undefined ? held : locale.duration(ms),
    day: day === undefined ? '' : locale.date(Date.parse(`${day}T12:00:00Z`), { dateStyle: 'long' }),
    count,
  };
  // The values of all texts are checked together, in every language.
  const words = (text: TextName) => locale.t(text as 'need_guard', values as { name: string; what: string });
  const sentence = words(conditionOf(name).text ?? (`need_${name}` as TextName));
  const todo = unreachableTodo(said, locale) ?? words(todoOf(said, clinic));
  const whole = withProblem(sentence, { said, subject }, locale);
  return { sentence: whole ?? sentence, todo, detail: whole === undefined ? detail : null };
}

interface Occurrence extends Omit<NeedSaid, 'name'> {
  /** Where the table has none. */
  subject?: string;
  clinic?: string | undefined;
  since: Instant;
  urgent?: boolean;
}

/** What a condition of the table asks of a person. */
export function conditionNeed(name: ConditionName, occurrence: Occurrence): Need {
  const { kind, subject: always = '', urgent = false, detail: place, commands = [] } = conditionOf(name);
  const { subject = always, clinic, since, urgent: isUrgent = urgent, ...values } = occurrence;
  const said = { name, ...values };
  const { sentence, todo } = needWordsOf({ said, subject, clinic }, localeOf('en'));
  const { detail, remedy } = said;
  const shown = commands.map((command) => `\`clinic-sync ${command.replace('{name}', subject)}\``);
  const whole = place === 'instead' && detail ? detail : sentence;
  return {
    kind,
    ...(clinic !== undefined && { clinic }),
    subject,
    said,
    sentence: sentences(whole === sentence && detail ? `${clause(sentence)}: ${detail}` : whole),
    action: sentences(remedy ?? (shown.length > 0 ? `${clause(todo)} (${shown.join(', ')})` : todo)),
    since,
    urgent: isUrgent,
  };
}

function bookingWords(need: Asked, state: BookingState, locale: Locale): NeedWords {
  const { subject, reason = null, fields = [], count = 1 } = need;
  const isBooked = state === 'booked' || state === 'booked_no_id';
  const why = isBooked ? locale.t(differenceText(reason)) : whyWords({ state, reason, fields }, locale);
  const more = count > 1 ? ` ${locale.t('and_more', { count: count - 1 })}` : '';
  return { sentence: `${subject}${more}: ${why}`, todo: null, detail: null };
}

const differences = ['asked_again', 'missing', 'someone_else', 'number_moved', 'twice'] as const;

type DifferenceText = 'state_differs' | `differs_${(typeof differences)[number]}`;

/** What is asked about a booked visit, by `evidence.verification`. */
export function differenceText(verification: string | null | undefined): DifferenceText {
  const named = differences.find((one) => one === verification);
  return named === undefined ? 'state_differs' : `differs_${named}`;
}

const fieldNames = {
  patient_name: 'patient',
  patient_phone: 'phone',
  address: 'address',
  appointment_date: 'date',
  appointment_time: 'time',
  doctor_id: 'dentist',
  doctor: 'dentist',
  treatment_id: 'treatment',
  treatment: 'treatment',
  note: 'note',
  clinic: 'clinic',
} as const satisfies Record<FaultyField, TextName>;

/**
 * What a booking’s state and reason mean, and the fields that it is about: `Etwas fehlt, das die Praxis braucht
 * (Telefon).`
 */
export function whyWords(
  { state, reason, fields = [] }: { state: BookingState } & Pick<Need, 'reason' | 'fields'>,
  { t, list }: Locale,
): string {
  const hold = state === 'held' ? holdReasons.find((one) => one === reason) : undefined;
  const why = t(hold ? `held_${hold}` : reason === 'task' ? 'state_task' : `state_${state}`);
  if (fields.length === 0) return why;
  return why.replace(/[.।]?$/, (end) => ` (${namesOfFields(fields, { t, list })})${end}`);
}

/** `Telefon und Datum`. */
export const namesOfFields = (
  fields: readonly FaultyField[],
  { t, list }: Pick<Locale, 't' | 'list'>,
): string => list([...new Set(fields.map((field) => t(fieldNames[field])))]);

/** With what the connector says; undefined when that is only known in English. */
function withProblem(
  sentence: string,
  { said: { name, problem, more }, subject }: { said: NeedSaid; subject: string },
  locale: Locale,
): string | undefined {
  // The page shows the cause of trouble beside it.
  const words = name === 'unreachable' ? undefined : problemWords(problem, locale);
  if (words === undefined) return undefined;
  return sentences(
    name === 'connector_asks' ? `${subject}: ${words}` : sentence,
    name !== 'connector_asks' && words,
    more !== undefined && `… ${locale.t('and_more', { count: more })}`,
  );
}

/** The remedy of what keeps the clinic from being reached, where it is known: a name, a certificate, a proxy. */
function unreachableTodo({ name, problem }: NeedSaid, locale: Locale): string | undefined {
  if (name !== 'unreachable') return undefined;
  return sentences(
    remedyWords(problem, locale) ?? locale.t('todo_unreachable'),
    locale.t('todo_bookings_wait'),
  );
}

function todoOf({ name, approvalOnly }: NeedSaid, clinic: string | null | undefined): TextName {
  if (name === 'guard' && approvalOnly === true) return 'guard_only_person';
  if (name === 'certificate_ends' || name === 'certificate_ended')
    return clinic == null ? 'todo_certificate' : 'todo_certificate_clinic';
  return conditionOf(name).todo ?? (`todo_${name}` as TextName);
}

/** A cause of trouble in the reader’s language; what exactly failed is in its sentence, which is English. */
export function causeOf({ kind, subject }: Pick<HealthReason, 'kind' | 'subject'>, { t }: Locale): string {
  const poll = polls.find((one) => one === subject);
  const name = poll === undefined ? subject : t(`poll_${poll}`);
  switch (kind) {
    case 'stale':
    case 'failing':
    case 'late':
    case 'connector':
    case 'probe':
      return t(`reason_${kind}`, { subject: name });
    default:
      return t(`reason_${kind}`);
  }
}
