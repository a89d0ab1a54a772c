import type { Submission } from '../../../src/domain/booking.ts';
import type { JsonObject } from '../../../src/platform/json.ts';
import { asText } from '../mapping/fields.ts';
import type { FormFault } from './form-page.ts';
import { type FormSettings, inLanguage } from './form-settings.ts';
import { english } from './texts.ts';

/** What the form asks beyond the fields of a booking; the clinic's API has no place for it but the note. */
export interface Answers {
  /** For the note, in the clinic's own language. */
  lines: readonly string[];
  /** As sent, to be shown again. */
  values: Readonly<Record<string, string>>;
  faults: readonly FormFault[];
  /** The other fields. */
  rest: JsonObject;
}

/** Field names of a question's answer and of the consent. */
export const questionField = (name: string): string => `question_${name}`;
export const CONSENT = 'consent';

/** Characters of an answer; what is longer than its field takes was not typed there. */
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
    const given = oneLine(asText(body[field]));
    delete rest[field];
    if (given !== '') values[field] = given;
    return given;
  };

  if (ask.includes('email')) {
    const email = take('email');
    if (email !== '') lines.push(`${english.email}: ${email}`);
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

/** Before the visitor's own words, so that no length of those pushes them out. */
export function withAnswers(submission: Submission, { lines, faults }: Answers): Submission {
  const answered = { ...submission };
  if (lines.length > 0) {
    const note = [...lines, asText(submission.fields.note)].filter(Boolean).join('\n');
    answered.fields = { ...submission.fields, note };
  }
  if (faults.some(({ field }) => field === CONSENT))
    answered.problems = [
      ...(submission.problems ?? []),
      { field: CONSENT, message: 'The visitor did not give the consent that the form asks for.' },
    ];
  return answered;
}
