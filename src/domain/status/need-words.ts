import type { Locale } from '../../platform/text/locale.ts';
import { sentences } from '../../platform/text/sentences.ts';
import type { TextName } from '../../texts/texts.ts';
import { type BookingState, holdReasons } from '../bookings/booking.ts';
import type { FaultyField } from '../bookings/faulty-fields.ts';
import { polls } from '../clinics/resource.ts';
import { problemWords, remedyWords } from '../texts/problem.ts';
import type { HealthReason, Need, NeedSaid } from './report.ts';

export interface NeedWords {
  sentence: string;
  /** Null when a button does it. */
  todo: string | null;
  /** A message from a machine, in English. */
  detail: string | null;
}

type Name = NeedSaid['name'];

/** Needs whose text is not named after them. */
const needTexts: Partial<Record<Name, TextName>> = {
  lane_person: 'need_lane',
  lane_waits: 'need_lane',
  ...probes('need_probe'),
};
const todos: Partial<Record<Name, TextName>> = {
  connector_asks: 'todo_connector_failing',
  database_warning: 'todo_database',
  database_works: 'todo_test',
  silence_day: 'todo_silence',
  silence_week: 'todo_silence',
};

function probes(text: TextName): Partial<Record<Name, TextName>> {
  const steps = ['page', 'door', 'preset', 'mapping', 'storing', 'judging'] as const;
  return Object.fromEntries(steps.map((step) => [`probe_${step}`, text]));
}

type Asked = Pick<Need, 'said' | 'state' | 'reason' | 'fields' | 'subject' | 'count'> & {
  clinic?: string | null;
};

/** A need in the reader’s language; undefined for one that a former version stored. */
export function needWords(need: Asked, locale: Locale): NeedWords | undefined {
  const { said, state, subject, clinic } = need;
  if (state !== undefined) return bookingWords(need, state, locale);
  if (said === undefined) return undefined;
  const { name, poll, count = 0, of = 0, day, ms, what, detail = null } = said;
  const held = said.change === undefined ? '' : locale.t(`guard_${said.change}`, { count, of });
  const values = {
    name: what ?? (poll === undefined ? subject : locale.t(`poll_${poll}`)),
    what: ms === undefined ? held : locale.duration(ms),
    day: day === undefined ? '' : locale.date(Date.parse(`${day}T12:00:00Z`), { dateStyle: 'long' }),
    count,
  };
  // The values of all texts are checked together, in every language.
  const words = (text: TextName) => locale.t(text as 'need_guard', values as { name: string; what: string });
  const sentence = words(needTexts[name] ?? (`need_${name}` as TextName));
  const todo = unreachableTodo(said, locale) ?? words(todoOf(said, clinic));
  const whole = withProblem(sentence, { said, subject }, locale);
  return { sentence: whole ?? sentence, todo, detail: whole === undefined ? detail : null };
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
  const names = new Set(fields.map((field) => t(fieldNames[field])));
  return why.replace(/[.।]?$/, (end) => ` (${list([...names])})${end}`);
}

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
  return todos[name] ?? (`todo_${name}` as TextName);
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
