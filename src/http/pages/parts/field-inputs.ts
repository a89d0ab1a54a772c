import { type Booking, requiredFields, type SubmissionField } from '../../../domain/bookings/booking.ts';
import type { NamedNumber } from '../../../domain/bookings/booking-actions.ts';
import { readDate, readTime } from '../../../domain/date-time.ts';
import { type Html, html, type Part } from '../../../platform/text/html.ts';
import type { Locale } from '../../../platform/text/locale.ts';

/** By the name of a field. */
export type FieldTexts = Readonly<Record<string, string | undefined>>;

/** What the fields of a booking show, in a new one and in a correction. */
interface FieldsShown {
  /** As stored; of a new one nothing. */
  booking: Partial<Booking>;
  /** What was typed into a form that was refused, in place of what is stored. */
  typed: FieldTexts;
  /** Beside the fields that need a person. */
  problems: FieldTexts;
  /** Has the focus where no field has a problem; `none`: there is something above to be read first. */
  focus?: 'patient_name' | 'none' | undefined;
  choices: Readonly<Record<'doctor' | 'treatment', { all: readonly NamedNumber[] }>>;
  locale: Locale;
}

interface Field {
  name: Exclude<SubmissionField, 'doctor' | 'doctor_id' | 'treatment' | 'treatment_id'>;
  label: 'patient' | 'phone' | 'date' | 'time' | 'address' | 'note';
  type: 'text' | 'tel' | 'date' | 'time' | 'textarea';
}

const texts: readonly Field[] = [
  { name: 'patient_name', label: 'patient', type: 'text' },
  { name: 'patient_phone', label: 'phone', type: 'tel' },
  { name: 'appointment_date', label: 'date', type: 'date' },
  { name: 'appointment_time', label: 'time', type: 'time' },
  { name: 'address', label: 'address', type: 'text' },
  { name: 'note', label: 'note', type: 'textarea' },
];

const kinds = ['doctor', 'treatment'] as const;

/** The first field with a problem has the focus, which also scrolls to it. */
export function fieldInputs(shown: FieldsShown): Html {
  const names = [...texts.map(({ name }) => name), ...kinds];
  const faulty = names.find((name) => problemOf(name, shown.problems) !== undefined);
  const first = shown.focus === 'none' ? undefined : (faulty ?? shown.focus);
  return html`
    <div class="fields">
      ${texts.map((field) => input(field, shown, first))}${kinds.map((kind) => select(kind, shown, first))}
    </div>
  `;
}

const focused = (name: string, first: string | undefined): Part => name === first && html` autofocus`;

/** A dentist or treatment is chosen by number, whatever is wrong with it. */
const problemOf = (name: string, problems: FieldTexts): string | undefined =>
  problems[name] ?? problems[`${name}_id`];

function problem(name: string, { problems }: FieldsShown): Part {
  const words = problemOf(name, problems);
  return words !== undefined && html` <mark>${words}</mark>`;
}

const emptied = (name: string, { booking, typed, locale }: FieldsShown): Part =>
  !requiredFields.some((one) => one === name) &&
  booking.unreadable_fields?.includes(name) &&
  html`
    <label class="check">
      <input type="checkbox" name="empty_${name}"${typed[`empty_${name}`] && html` checked`}>
      ${locale.t('leave_empty')}
    </label>
  `;

/** Shows a date or time that is none in a text field, because a browser would blank it in a date field. */
function input({ name, label, type }: Field, shown: FieldsShown, first: string | undefined): Html {
  const { booking, typed, locale } = shown;
  const value = typed[name] ?? String(booking[name] ?? '');
  const text = html`${locale.t(label)}${problem(name, shown)}`;
  const empty = emptied(name, shown);
  if (type === 'textarea')
    // HTML drops the first line break of a text area.
    return html`<div><label>${text}<textarea name="${name}"${focused(name, first)}>
${value}</textarea></label>${empty}</div>`;
  const readable = { date: readDate, time: readTime }[type as string];
  const isShown = value === '' || readable === undefined || readable(value) === value;
  return html`
    <div>
      <label>
        ${text}<input name="${name}" type="${isShown ? type : 'text'}" value="${value}"${focused(name, first)}>
      </label>
      ${empty}
    </div>
  `;
}

/** The clinic's own names. A sent name that is none of them stays first in the list until a person chooses. */
function select(kind: 'doctor' | 'treatment', shown: FieldsShown, first: string | undefined): Html {
  const { booking, typed, choices, locale } = shown;
  const { t } = locale;
  const name = `${kind}_id` as const;
  const { all } = choices[kind];
  const [id, sent] = [booking[name] ?? null, booking[kind] ?? null];
  const isKnown = id !== null && all.some((one) => one.id === id);
  // The empty value means "not changed": any number that it had stays.
  const kept = id !== null && !isKnown ? String(id) : '';
  const chosen = typed[name] ?? (isKnown ? String(id) : kept);
  const option = (value: string, text: Part) =>
    html`<option value="${value}"${value === chosen && html` selected`}>${text}</option>`;
  return html`
    <div>
      <label>
        ${t(kind === 'doctor' ? 'dentist' : 'treatment')}${problem(kind, shown)}
        <select name="${name}"${focused(kind, first)}>
          ${option(kept, sent !== null && !isKnown ? t('as_sent', { name: sent }) : kept || t('not_chosen'))}
          ${sent !== null && !isKnown && option('none', t('not_chosen'))}
          ${all.map((one) => option(String(one.id), one.name))}
        </select>
      </label>
      ${emptied(kind, shown) || emptied(name, shown)}
    </div>
  `;
}
