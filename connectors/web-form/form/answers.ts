import type { Submission } from '../../../src/domain/bookings/booking.ts';
import type { JsonObject } from '../../../src/platform/json.ts';
import { readTimeOfDay } from '../../../src/reading/time-of-day.ts';
import { fieldText } from '../mapping/fields.ts';
import { type FormSettings, inLanguage } from './form-settings.ts';
import { catalogue, type FormTextName } from './pages/languages.ts';

/** A field to correct. */
export interface FormFault {
  field: string;
  text: FormTextName;
  /** Something was typed that cannot be an answer. */
  isTyped?: true;
}

/** Answers beyond the fields of a booking; in the clinic's API only the note has room for them. */
export interface Answers {
  /** Lines for the note, in the clinic's language. */
  lines: readonly string[];
  /** As sent, to fill the form again. */
  values: Readonly<Record<string, string>>;
  faults: readonly FormFault[];
  /** All other fields. */
  rest: JsonObject;
}

/** Field names of answers and of the consent. */
export const questionField = (name: string): string => `question_${name}`;
export const CONSENT = 'consent';
/** A choice of `appointment_time`, with the visitor's own words in another field. */
export const OTHER_TIME = 'other';
export const TIME_WISH = 'time_wish';

/** Characters of an answer; a longer one was not typed into the form's own field. */
export const LONGEST_ANSWER = 500;

const oneLine = (text: string): string =>
  text.replace(/\s+/g, ' ').trim().slice(0, LONGEST_ANSWER).toWellFormed();

export function readAnswers(settings: FormSettings, body: JsonObject): Answers {
  const { ask, consent, questions, lang } = settings;
  const lines: string[] = [];
  const faults: FormFault[] = [];
  const values: Record<string, string> = {};
  const rest = { ...body };
  const take = (field: string): string => {
    const given = oneLine(fieldText(body[field]));
    delete rest[field];
    if (given !== '') values[field] = given;
    return given;
  };

  readWish(take, { rest, lines, faults });
  if (ask.includes('email')) {
    const email = take('email');
    if (email !== '') lines.push(`${catalogue.en.email}: ${email}`);
  }
  for (const { name, label, required } of questions) {
    const field = questionField(name);
    const given = take(field);
    if (given !== '') lines.push(`${inLanguage(label, lang, lang)}: ${given}`);
    else if (required) faults.push({ field, text: 'error_answer' });
  }
  if (consent !== undefined) {
    const given = take(CONSENT);
    if (given !== '') lines.push(['Consent: yes', consent.link].filter(Boolean).join(', '));
    else if (consent.required) faults.push({ field: CONSENT, text: 'error_consent' });
  }
  return { lines, values, faults, rest };
}

/** A free wish becomes the time, where it is one, and else a line of the note. */
function readWish(
  take: (field: string) => string,
  { rest, lines, faults }: { rest: JsonObject; lines: string[]; faults: FormFault[] },
): void {
  const isOther = rest.appointment_time === OTHER_TIME;
  if (isOther) take('appointment_time');
  const wish = take(TIME_WISH);
  if (isOther && wish === '') faults.push({ field: TIME_WISH, text: 'choose_time' });
  else if (isOther && readTimeOfDay(wish) !== undefined) rest.appointment_time = wish;
  else if (wish !== '') lines.push(`${catalogue.en.time_wish} ${wish}`);
}

/** What a visitor answers who answers everything: the probe, which must not fail at what the form itself asks. */
export function everyAnswer({ ask, consent, questions, lang }: FormSettings): Record<string, string> {
  const answers = questions.map(({ name, type, options: [first = ''] }) => {
    const answer = { text: 'clinic-sync probe', choice: inLanguage(first, lang, lang), tick: 'yes' }[type];
    return [questionField(name), answer];
  });
  return {
    ...Object.fromEntries(answers),
    ...(ask.includes('email') && { email: 'probe@example.com' }),
    ...(consent !== undefined && { [CONSENT]: 'yes' }),
  };
}

/** Puts the answers before the visitor's note, so that a long note cannot push them out. */
export function withAnswers(submission: Submission, { lines, faults }: Answers): Submission {
  const answered = { ...submission };
  if (lines.length > 0) {
    const note = [...lines, fieldText(submission.fields.note)].filter(Boolean).join('\n');
    answered.fields = { ...submission.fields, note };
  }
  if (faults.some(({ field }) => field === CONSENT))
    answered.problems = [
      ...(submission.problems ?? []),
      { field: CONSENT, message: 'The visitor did not give the consent that the form asks for.' },
    ];
  return answered;
}
