import { wallClockAt } from '../../../src/domain/date-time.ts';
import { DAY } from '../../../src/platform/duration.ts';
import { attributes, type Html, html, type Part } from '../../../src/platform/html.ts';
import type { Choice, ClinicShown } from './clinic-facts.ts';
import type { HiddenFields } from './form-pass.ts';
import type { FormSettings } from './form-settings.ts';
import type { Hours } from './hours.ts';
import { callUs, type PageStyle, page, say } from './page.ts';
import type { TextName } from './texts.ts';

const STEP_MINUTES = 5;

export interface FormPage {
  style: PageStyle;
  settings: FormSettings;
  /** Where the form is sent, relative to where it is shown. */
  action: string;
  /** True: the response takes the whole window, even from a frame. */
  wholeWindow: boolean;
  shown: ClinicShown;
  hidden: HiddenFields;
  nowMs: number;
  zone: string;
  /** The last selectable day, in days from today. */
  daysAhead: number;
  /** What was typed or chosen before, by field. */
  values: Readonly<Record<string, string>>;
  /** Why it is shown again; undefined the first time. */
  again?: TextName | undefined;
  /** Fields to correct. */
  faults?: readonly { field: string; text: TextName }[];
}

/** The booking form: plain HTML without scripts; browsers check required fields. */
export function formPage(form: FormPage): Html {
  const { style, shown, action, wholeWindow, again } = form;
  const { texts } = style;
  const title = say(style, 'title', shown.name);
  return page(style, {
    title: again === undefined ? title : `${texts.error_prefix}: ${title}`,
    colour: shown.colour,
    body: html`${shown.name !== null && html`<p class="faint">${shown.name}</p>`}<h1>${title}</h1>
${texts.intro !== '' && html`<p class="faint">${say(style, 'intro', shown.name)}</p>`}
${again !== undefined && summary(form, again)}
<form method="post" action="${action}" accept-charset="utf-8"${wholeWindow && html` target="_top"`}>
${Object.entries(form.hidden).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">\n`)}
${carriedOver(form)}<fieldset><legend>${texts.about_you}</legend>
${input(form, 'patient_name', 'name', { type: 'text', autocomplete: 'name', required: true, maxlength: 200 })}
${input(form, 'patient_phone', 'phone', { type: 'tel', autocomplete: 'tel', required: true, minlength: 5, maxlength: 50 }, texts.phone_hint)}
${asked(form, 'address') && input(form, 'address', 'address', { type: 'text', autocomplete: 'address-line1', maxlength: 500 })}
</fieldset>
<fieldset><legend>${texts.about_visit}</legend>
${asked(form, 'treatment') && select(form, 'treatment', shown.treatments)}
${asked(form, 'dentist') && select(form, 'dentist', shown.dentists)}
${input(form, 'appointment_date', 'date', { type: 'date', required: true, ...days(form) })}
${input(form, 'appointment_time', 'time', { type: 'time', required: true, ...times(shown.hours) })}
${hours(form)}
${asked(form, 'note') && note(form)}
</fieldset>
<div class="trap" aria-hidden="true"><label>${texts.trap}<input type="text" name="_gotcha" tabindex="-1" autocomplete="off"></label></div>
<button>${texts.send}</button>
</form>
${callUs(style, shown.phone)}`,
  });
}

const asked = ({ settings }: FormPage, what: FormSettings['ask'][number]): boolean =>
  settings.ask.includes(what);

/** Focused first, so that screen readers announce it; each fault links to its field. */
const summary = ({ style: { texts }, faults = [] }: FormPage, again: TextName): Html =>
  html`<div class="summary" role="alert" tabindex="-1" autofocus><h2>${texts.error_title}</h2>
${faults.length === 0 && html`<p>${texts[again]}</p>`}
${faults.length > 0 && html`<ul>${faults.map(({ field, text }) => html`<li><a href="#${field}">${texts[text]}</a></li>`)}</ul>`}</div>`;

function input(
  { style: { texts }, values, faults = [] }: FormPage,
  field: string,
  label: TextName,
  more: Record<string, string | number | boolean | undefined>,
  hint?: string,
): Html {
  const fault = faults.find((one) => one.field === field);
  const own = more['aria-describedby'];
  const described = [own, hint && `${field}-hint`, fault && `${field}-fault`].filter(Boolean).join(' ');
  const all = {
    ...more,
    id: field,
    name: field,
    value: values[field],
    'aria-describedby': described || undefined,
    'aria-invalid': fault ? 'true' : undefined,
  };
  return html`<div><label for="${field}">${texts[label]}${more.required !== true && html` <span class="faint">${texts.optional}</span>`}</label>
${fault && html`<span class="fault" id="${field}-fault">${texts[fault.text]}</span>`}<input${attributes(all)}>${hint && html`<p class="hint" id="${field}-hint">${hint}</p>`}</div>`;
}

const idField = { treatment: 'treatment_id', dentist: 'doctor_id' } as const;
const nameField = { treatment: 'treatment', dentist: 'doctor' } as const;

/** Found by id, or by name when another form sent a name. */
function chosenOf(
  values: FormPage['values'],
  label: keyof typeof idField,
  choices: readonly Choice[],
): Choice | undefined {
  const name = values[nameField[label]]?.trim().toLowerCase();
  return (
    choices.find(({ id }) => id === values[idField[label]]) ??
    choices.find((one) => one.name.toLowerCase() === name)
  );
}

/** Hidden inputs for values from another form that this one does not ask for, so that none is lost. */
function carriedOver(form: FormPage): Part {
  const { values, shown } = form;
  const kept = (['address', 'note'] as const).filter((field) => !asked(form, field)) as string[];
  for (const [label, choices] of [
    ['treatment', shown.treatments],
    ['dentist', shown.dentists],
  ] as const) {
    const isShown = asked(form, label) && choices.length > 0;
    if (!isShown) kept.push(idField[label], nameField[label]);
    else if (chosenOf(values, label, choices) === undefined) kept.push(nameField[label]);
  }
  return kept.map(
    (field) => values[field] && html`<input type="hidden" name="${field}" value="${values[field]}">\n`,
  );
}

function select(
  { style: { texts }, values }: FormPage,
  label: 'treatment' | 'dentist',
  choices: readonly Choice[],
): Part {
  if (choices.length === 0) return undefined;
  const field = idField[label];
  const chosen = chosenOf(values, label, choices);
  const option = ({ id, name, about }: Choice) =>
    html`<option value="${id}"${chosen?.id === id && html` selected`}>${name}${about && ` – ${about}`}</option>\n`;
  return html`<div><label for="${field}">${texts[label]} <span class="faint">${texts.optional}</span></label>
<select id="${field}" name="${field}"><option value="">${texts.no_preference}</option>
${choices.map(option)}</select></div>`;
}

const note = ({ style: { texts }, values }: FormPage): Html =>
  html`<div class="wide"><label for="note">${texts.note} <span class="faint">${texts.optional}</span></label>
<textarea id="note" name="note" maxlength="2000" rows="3">${values.note && `\n${values.note}`}</textarea></div>`;

const hours = ({ style: { texts }, shown }: FormPage): Part =>
  shown.hours.lines.length > 0 &&
  html`<section class="hours wide" id="hours"><h2>${texts.hours}</h2><dl>
${shown.hours.lines.map(({ days: names, hours: open }) => html`<dt>${names}</dt><dd>${open === null ? texts.closed : html`<bdi>${open}</bdi>`}</dd>\n`)}</dl></section>`;

/** From today on the clinic's calendar. HTML cannot exclude single days; the opening hours show them. */
const days = ({ nowMs, zone, daysAhead }: FormPage) => ({
  min: wallClockAt(nowMs, zone).date,
  max: wallClockAt(nowMs + daysAhead * DAY, zone).date,
});

/** Up to one step before the latest closing time. */
function times({ lines, earliest, latest }: Hours): Record<string, string | number | undefined> {
  const always = { step: STEP_MINUTES * 60, 'aria-describedby': lines.length > 0 ? 'hours' : undefined };
  if (earliest === undefined || latest === undefined) return always;
  const last = Number(latest.slice(0, 2)) * 60 + Number(latest.slice(3)) - STEP_MINUTES;
  const two = (value: number) => String(value).padStart(2, '0');
  return { ...always, min: earliest, max: `${two(Math.floor(last / 60))}:${two(last % 60)}` };
}
