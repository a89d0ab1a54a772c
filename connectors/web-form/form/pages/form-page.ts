import { readDate, readTime, wallClockAt } from '../../../../src/domain/date-time.ts';
import { DAY } from '../../../../src/platform/duration.ts';
import { attributes, type Html, html, type Part } from '../../../../src/platform/text/html.ts';
import { CONSENT, type FormFault, LONGEST_ANSWER, OTHER_TIME, questionField, TIME_WISH } from '../answers.ts';
import { campaignOf } from '../campaign.ts';
import { type Choice, type ClinicShown, chosenOf, fieldsOf } from '../clinic-facts.ts';
import type { HiddenFields } from '../form-pass.ts';
import { type FormSettings, inLanguage, type Question } from '../form-settings.ts';
import type { Formats } from '../formats.ts';
import { SENT_HERE } from '../here.ts';
import { hoursLines, type OpenDay, openDays, selectableTimes, weekHours } from '../hours.ts';
import type { TextName } from './languages.ts';
import { callBack, callLink, callUs, clinicHead, languageLinks, type PageStyle, page, say } from './page.ts';

interface FormPage {
  style: PageStyle;
  settings: FormSettings;
  /** What its address says, here and in other languages. */
  query: Readonly<Record<string, string>>;
  /** True when the response takes the whole window, even from a frame. */
  wholeWindow: boolean;
  shown: ClinicShown;
  hidden: HiddenFields;
  nowMs: number;
  zone: string;
  /** The last selectable day, in days from today, of a calendar and of a list of open days. */
  daysAhead: { calendar: number; list: number };
  /** The captcha. */
  check: Part;
  /** Values typed or chosen before, by field. */
  values: Readonly<Record<string, string>>;
  /** Why it is shown again; undefined the first time. */
  again?: TextName | undefined;
  waitMs?: number | undefined;
  /** Said above it the first time. */
  notice?: TextName | undefined;
  faults?: readonly FormFault[];
}

/** The booking form: plain HTML without scripts; browsers check required fields. */
export function formPage(form: FormPage): Html {
  const { style, shown, wholeWindow, again } = form;
  const { texts } = style;
  const title = say(style, 'title', shown.name);
  return page(style, {
    title: again === undefined ? title : `${texts.error_prefix}: ${title}`,
    colour: shown.colour,
    body: html`${clinicHead(style, shown.name)}<h1>${title}</h1>
${isClosed(form) ? callBack(style, shown.phone) : texts.intro !== '' && html`<p class="faint">${say(style, 'intro', shown.name)}</p>`}
${form.notice && html`<div class="notice"><p>${texts[form.notice]}</p></div>`}
${again !== undefined && summary(form, again)}
<form method="post" action="${style.here({ ...form.query, lang: style.lang, [SENT_HERE]: 'yes' })}" accept-charset="utf-8"${wholeWindow && html` target="_top"`}>
${Object.entries({ ...form.hidden, form_lang: style.lang, ...(style.theme && { form_theme: style.theme }), ...(wholeWindow && { form_frame: '' }), ...campaignOf((name) => form.values[name]) }).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">\n`)}
${carriedOver(form)}<fieldset><legend>${texts.about_you}</legend>
${input(form, 'patient_name', 'name', { type: 'text', autocomplete: 'name', required: true, maxlength: 200 })}
${input(form, 'patient_phone', 'phone', { type: 'tel', autocomplete: 'tel', required: true, minlength: 5, maxlength: 50 }, texts.phone_hint)}
${asked(form, 'address') && input(form, 'address', 'address', { type: 'text', autocomplete: 'address-line1', maxlength: 500, wide: !asked(form, 'email') })}
${asked(form, 'email') && input(form, 'email', 'email', { type: 'email', autocomplete: 'email', maxlength: 254, wide: !asked(form, 'address') }, texts.email_hint)}
</fieldset>
<fieldset><legend>${texts.about_visit}</legend>
${select(form, 'treatment')}
${select(form, 'dentist')}
${
  !isClosed(form) &&
  html`${day(form)}
${time(form)}`
}
${hours(form)}
${form.settings.questions.map((one) => question(form, one))}
${asked(form, 'note') && note(form)}
</fieldset>
${consent(form)}
${form.check}
<div class="trap" aria-hidden="true"><label>${texts.trap}<input type="text" name="_gotcha" tabindex="-1" autocomplete="off"></label></div>
<button>${texts.send}</button>
</form>
${!isClosed(form) && callUs(style, shown.phone)}
${again === undefined && languageLinks(style, form.query)}`,
  });
}

const asked = ({ settings }: FormPage, what: FormSettings['ask'][number]): boolean =>
  settings.ask.includes(what);

/** It is not the visitor's to mend. */
const refusals: readonly TextName[] = ['error_wait', 'error_store', 'error_lost', 'error_unsent'];

/** Gets the focus first, so that screen readers announce it; each fault links to its field. */
const summary = (form: FormPage, again: TextName): Html => {
  const { texts, formats } = form.style;
  const { faults = [], shown } = form;
  return html`<div class="summary" role="alert" tabindex="-1" autofocus><h2>${texts.error_title}</h2>
${faults.length === 0 && html`<p>${texts[again].replace('{wait}', form.waitMs === undefined ? '' : formats.later(form.waitMs))}</p>`}
${refusals.includes(again) && shown.phone !== null && html`<p>${texts.no_day_call} <strong>${callLink(shown.phone)}</strong></p>`}
${faults.length > 0 && html`<ul>${faults.map(({ field, text }) => html`<li><a href="#${field}">${askedBy(form, field)}${texts[text]}</a></li>`)}</ul>`}</div>`;
};

/** The clinic's own question, because “Please answer this” means nothing away from it. */
function askedBy({ settings, style }: FormPage, field: string): Part {
  const one = settings.questions.find(({ name }) => questionField(name) === field);
  return one && html`<bdi>${inLanguage(one.label, style.lang, settings.lang)}</bdi>: `;
}

/** A whole row; other fields come in pairs. */
const WIDE = html` class="wide"`;
const WISH = html` class="wide wish"`;

type Described = Record<'aria-describedby' | 'aria-invalid', string | undefined>;

/** A field with its label, fault and hint, all of which screen readers announce with it. */
function labelled(
  { style: { texts }, faults = [] }: FormPage,
  field: string,
  label: Part,
  control: (described: Described) => Html,
  more: {
    optional?: boolean;
    hint?: string | undefined;
    by?: string | undefined;
    wide?: boolean | 'wish';
  } = {},
): Html {
  const { optional = false, hint, by, wide = false } = more;
  const fault = faults.find((one) => one.field === field);
  const described = [by, hint && `${field}-hint`, fault && `${field}-fault`].filter(Boolean).join(' ');
  return html`<div${wide === 'wish' ? WISH : wide && WIDE}><label for="${field}">${label}${optional && html` <span class="faint">${texts.optional}</span>`}</label>
${fault && html`<span class="fault" id="${field}-fault">${texts[fault.text]}</span>`}${control({
  'aria-describedby': described || undefined,
  'aria-invalid': fault ? 'true' : undefined,
})}${hint && html`<p class="hint" id="${field}-hint">${hint}</p>`}</div>`;
}

function input(
  form: FormPage,
  field: string,
  label: TextName,
  { 'aria-describedby': by, wide, ...more }: Record<string, string | number | boolean | undefined>,
  hint?: string,
): Html {
  const given = { ...more, id: field, name: field, value: form.values[field] };
  return labelled(
    form,
    field,
    form.style.texts[label],
    (described) => html`<input${attributes({ ...given, ...described })}>`,
    {
      optional: more.required !== true,
      hint,
      by: by === undefined ? undefined : String(by),
      wide: wide === true,
    },
  );
}

/** Hidden inputs for values of another form that this one does not ask for, so that none is lost. */
function carriedOver(form: FormPage): Part {
  const { values } = form;
  const kept = (['address', 'note'] as const).filter((field) => !asked(form, field)) as string[];
  if (isClosed(form)) kept.push('appointment_date', 'appointment_time', TIME_WISH);
  for (const label of ['treatment', 'dentist'] as const) {
    const choices = choicesOf(form, label);
    const { id, name } = fieldsOf(label);
    if (choices.length === 0) kept.push(id, name);
    else if (chosenOf(values, label, choices) === undefined) kept.push(name);
  }
  return kept.map(
    (field) => values[field] && html`<input type="hidden" name="${field}" value="${values[field]}">\n`,
  );
}

const choicesOf = (form: FormPage, label: 'treatment' | 'dentist'): readonly Choice[] =>
  asked(form, label) ? form.shown[`${label}s`] : [];

function select(form: FormPage, label: 'treatment' | 'dentist'): Part {
  const { values } = form;
  const { texts } = form.style;
  const choices = choicesOf(form, label);
  if (choices.length === 0) return undefined;
  const isAlone = choicesOf(form, label === 'dentist' ? 'treatment' : 'dentist').length === 0;
  const field = fieldsOf(label).id;
  const chosen = chosenOf(values, label, choices);
  const option = (one: Choice) => {
    const { id, name, about } = one;
    return html`<option value="${id}"${chosen?.id === id && html` selected`}>${[name, about, ...prices(form, one)].filter(Boolean).join(' – ')}</option>\n`;
  };
  return html`<div${isAlone && WIDE}><label for="${field}">${texts[label]} <span class="faint">${texts.optional}</span></label>
<select id="${field}" name="${field}"><option value="">${texts.no_preference}</option>
${choices.map(option)}</select></div>`;
}

/** `৳1,500`, `30 min` */
function prices({ settings: { show }, shown, style: { formats } }: FormPage, one: Choice): string[] {
  const { fee, minutes } = one;
  return [
    ...(show.includes('price') && fee !== undefined
      ? [formats.money(Number(fee), shown.currency, shown.currencySymbol)]
      : []),
    ...(show.includes('duration') && minutes !== undefined ? [formats.minutes(minutes)] : []),
  ];
}

/** A question configured by the clinic. */
function question(form: FormPage, { name, label, type, options, required }: Question): Html {
  const { values, settings, style } = form;
  const field = questionField(name);
  const asks = html`<bdi>${inLanguage(label, style.lang, settings.lang)}</bdi>`;
  if (type === 'tick') return tick(form, field, asks, required);
  if (type === 'text')
    return labelled(
      form,
      field,
      asks,
      (described) =>
        html`<input${attributes({ type: 'text', id: field, name: field, required, maxlength: LONGEST_ANSWER, value: values[field], ...described })}>`,
      { optional: !required },
    );
  // Sent in the clinic's language, whatever language the visitor reads.
  const typed = values[field];
  const isOffered = options.some((one) => inLanguage(one, settings.lang, settings.lang) === typed);
  const option = (one: (typeof options)[number]) => {
    const value = inLanguage(one, settings.lang, settings.lang);
    return html`<option value="${value}"${values[field] === value && html` selected`}>${inLanguage(one, style.lang, settings.lang)}</option>\n`;
  };
  return labelled(
    form,
    field,
    asks,
    (described) =>
      html`<select${attributes({ id: field, name: field, required, ...described })}><option value=""></option>
${!isOffered && typed && html`<option value="${typed}" selected>${typed}</option>`}${options.map(option)}</select>`,
    { optional: !required },
  );
}

function tick(form: FormPage, field: string, label: Part, required: boolean): Html {
  const { texts } = form.style;
  const fault = form.faults?.find((one) => one.field === field);
  const given = {
    type: 'checkbox',
    id: field,
    name: field,
    value: 'yes',
    required,
    checked: form.values[field] !== undefined,
    'aria-describedby': fault && `${field}-fault`,
    'aria-invalid': fault && 'true',
  };
  return html`<div class="tick">${fault && html`<span class="fault" id="${field}-fault">${texts[fault.text]}</span>`}<input${attributes(given)}><label for="${field}">${label}${!required && html` <span class="faint">${texts.optional}</span>`}</label></div>`;
}

function consent(form: FormPage): Part {
  const { settings, style } = form;
  const { consent: asks, lang } = settings;
  if (asks === undefined) return undefined;
  const { texts } = style;
  const sentence = asks.text === undefined ? texts.consent : inLanguage(asks.text, style.lang, lang);
  const link =
    asks.link !== undefined &&
    html` <a href="${asks.link}" target="_blank" rel="noopener">${texts.consent_link}</a>`;
  return html`<div class="consent">${tick(form, CONSENT, html`${sentence}${link}`, asks.required)}</div>`;
}

const note = ({ style: { texts }, values }: FormPage): Html =>
  html`<div class="wide"><label for="note">${texts.note} <span class="faint">${texts.optional}</span></label>
<textarea id="note" name="note" maxlength="2000" rows="3">${values.note && `\n${values.note}`}</textarea></div>`;

const hours = ({ style: { texts, formats }, shown }: FormPage): Part => {
  const lines = hoursLines(shown.openingHours, formats);
  return (
    lines.length > 0 &&
    html`<section class="hours wide" id="hours"><h2>${texts.hours}</h2><dl>
${lines.map(({ days, hours: open }) => html`<dt>${days}</dt><dd>${open === null ? texts.closed : html`<bdi dir="ltr">${open}</bdi>`}</dd>\n`)}</dl></section>`
  );
};

/** Whether the clinic is known to be closed on every day that could be chosen: visitors then ask to be called. */
const isClosed = ({ shown: { openingHours }, nowMs, zone, daysAhead }: FormPage): boolean =>
  openDays({ openingHours, nowMs, zone }, daysAhead.list)?.length === 0;

/** A choice of open days by month, or a calendar when the clinic's hours are unknown. */
function day(form: FormPage): Html {
  const { shown, nowMs, zone, daysAhead, values } = form;
  const range = { openingHours: shown.openingHours, nowMs, zone };
  const near = openDays(range, daysAhead.list);
  const field = 'appointment_date';
  const typed = values[field] ?? '';
  if (near === undefined)
    return input(
      form,
      field,
      'date',
      { type: 'date', required: true, ...days(form) },
      readDate(typed) === undefined ? quoted(typed) : undefined,
    );
  // A later open day may come from the clinic's own form.
  const later = openDays(range, daysAhead.calendar)?.find(({ date }) => date === values[field]);
  const open = later && !near.some(({ date }) => date === later.date) ? [...near, later] : near;
  const { texts, formats } = form.style;
  const option = ({ date, at }: OpenDay) =>
    html`<option value="${date}"${date === values[field] && html` selected`}>${formats.day(at)}</option>\n`;
  const months = Map.groupBy(open, ({ at }) => formats.month(at));
  const groups = [...months].map(
    ([month, dates]) => html`<optgroup label="${month}">${dates.map(option)}</optgroup>\n`,
  );
  return labelled(
    form,
    field,
    texts.date,
    (described) => html`<select${attributes({ id: field, name: field, required: true, ...described })}>
<option value="">${texts.choose_day}</option>
${groups}</select>`,
    { hint: open.some(({ date }) => date === typed) ? undefined : quoted(shownDay(typed, formats)) },
  );
}

const shownDay = (typed: string, { day: text }: Formats): string =>
  readDate(typed) === typed ? text(Date.parse(typed)) : typed;

/** What the control of its field cannot show. */
const quoted = (typed: string): string | undefined => (typed === '' ? undefined : `“${typed}”`);

/** From today on the clinic's calendar. */
const days = ({ nowMs, zone, daysAhead }: FormPage) => ({
  min: wallClockAt(nowMs, zone).date,
  max: wallClockAt(nowMs + daysAhead.calendar * DAY, zone).date,
});

/** A choice of times, or a free wish; a clock when the clinic's hours are unknown. */
function time(form: FormPage): Html {
  const { style, shown, values, settings } = form;
  const { texts, formats } = style;
  const [field, wish] = ['appointment_time', TIME_WISH];
  const hours = weekHours(shown.openingHours);
  const chosen = values[field] ?? '';
  const unread = readTime(chosen) === undefined ? quoted(chosen) : undefined;
  if (hours === undefined) return input(form, field, 'time', { type: 'time', required: true }, unread);
  const times = selectableTimes(hours, settings.time_step);
  // Another form may have asked for a time between these.
  const all = readTime(chosen) === chosen ? [...new Set([...times, chosen])].toSorted() : times;
  // What is no time was typed elsewhere, and is a wish.
  const words = chosen !== '' && chosen !== OTHER_TIME && readTime(chosen) === undefined ? chosen : undefined;
  const selected = words === undefined ? chosen : OTHER_TIME;
  const option = (value: string, text: string) =>
    html`<option value="${value}"${value === selected && html` selected`}>${text}</option>\n`;
  const choice = labelled(
    form,
    field,
    texts.time,
    (
      described,
    ) => html`<select${attributes({ id: field, name: field, class: 'times', required: true, 'data-hours': JSON.stringify(hours), ...described })}>
<option value="">${texts.choose_time}</option>
${all.map((one) => option(one, formats.time(one)))}${option(OTHER_TIME, texts.other_time)}</select>`,
    { by: 'hours' },
  );
  const free = labelled(
    form,
    wish,
    texts.time_wish,
    (described) =>
      html`<input${attributes({ type: 'text', id: wish, name: wish, maxlength: LONGEST_ANSWER, value: values[wish] ?? words, ...described })}>`,
    { wide: 'wish' },
  );
  return html`${choice}
${free}`;
}
