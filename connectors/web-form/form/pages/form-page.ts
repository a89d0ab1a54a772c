import { attributes, type Html, html, type Part } from '../../../../src/platform/text/html.ts';
import { CONSENT, LONGEST_ANSWER, questionField, TIME_WISH } from '../answers.ts';
import { campaignOf } from '../campaign.ts';
import { type Choice, chosenOf, fieldsOf } from '../clinic-facts.ts';
import { inLanguage, type Question } from '../form-settings.ts';
import { SENT_HERE } from '../here.ts';
import { type FormPage, input, isAsked, labelled, option, tick, WIDE } from './fields.ts';
import type { FormTextName } from './languages.ts';
import { callBack, callLink, callUs, clinicHead, languageLinks, say, visitorPage } from './page.ts';
import { day, hours, isClosedDay, timeField } from './visit-fields.ts';

/** The booking form: plain HTML without scripts; browsers check required fields. */
export function formPage(form: FormPage): Html {
  const { style, shown, wholeWindow, again } = form;
  const { texts } = style;
  const title = say(style, 'title', shown.name);
  return visitorPage(style, {
    title: again === undefined ? title : `${texts.error_prefix}: ${title}`,
    colour: shown.colour,
    body: html`
      ${clinicHead(style, shown.name)}<h1>${title}</h1>
      ${
        isClosedDay(form)
          ? callBack(style, shown.phone)
          : texts.intro !== '' && html`<p class="faint">${say(style, 'intro', shown.name)}</p>`
      }
      ${form.notice && html`<div class="notice"><p>${texts[form.notice]}</p></div>`}
      ${again !== undefined && summary(form, again)}
      <form method="post" action="${style.here({ ...form.query, lang: style.lang, [SENT_HERE]: 'yes' })}"
        accept-charset="utf-8"${wholeWindow && html` target="_top"`}>
        ${Object.entries({
          ...form.hidden,
          form_lang: style.lang,
          ...(style.theme && { form_theme: style.theme }),
          ...(wholeWindow && { form_frame: '' }),
          ...campaignOf((name) => form.values[name]),
        }).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
        ${carriedOver(form)}
        <fieldset>
          <legend>${texts.about_you}</legend>
          ${input(form, 'patient_name', 'name', {
            type: 'text',
            autocomplete: 'name',
            required: true,
            maxlength: 200,
          })}
          ${input(
            form,
            'patient_phone',
            'phone',
            { type: 'tel', autocomplete: 'tel', required: true, minlength: 5, maxlength: 50 },
            texts.phone_hint,
          )}
          ${
            isAsked(form, 'address') &&
            input(form, 'address', 'address', {
              type: 'text',
              autocomplete: 'address-line1',
              maxlength: 500,
              wide: !isAsked(form, 'email'),
            })
          }
          ${
            isAsked(form, 'email') &&
            input(
              form,
              'email',
              'email',
              { type: 'email', autocomplete: 'email', maxlength: 254, wide: !isAsked(form, 'address') },
              texts.email_hint,
            )
          }
        </fieldset>
        <fieldset>
          <legend>${texts.about_visit}</legend>${select(form, 'treatment')}${select(form, 'dentist')}
          ${!isClosedDay(form) && html`${day(form)}${timeField(form)}`}
          ${hours(form)}${form.settings.questions.map((one) => question(form, one))}
          ${isAsked(form, 'note') && note(form)}
        </fieldset>
        ${consent(form)}${form.check}
        <div class="trap" aria-hidden="true">
          <label>${texts.trap}<input type="text" name="_gotcha" tabindex="-1" autocomplete="off"></label>
        </div>
        <button>${texts.send}</button>
      </form>
      ${!isClosedDay(form) && callUs(style, shown.phone)}
      ${again === undefined && languageLinks(style, form.query)}
    `,
  });
}
/** It is not the visitor's to mend. */
const refusals: readonly FormTextName[] = ['error_wait', 'error_store', 'error_lost', 'error_unsent'];

/** Gets the focus first, so that screen readers announce it; each fault links to its field. */
const summary = (form: FormPage, again: FormTextName): Html => {
  const { texts, formats } = form.style;
  const { faults = [], shown } = form;
  return html`
    <div class="summary" role="alert" tabindex="-1" autofocus>
      <h2>${texts.error_title}</h2>
      ${
        faults.length === 0 &&
        html`
          <p>
            ${texts[again].replace('{wait}', form.waitMs === undefined ? '' : formats.later(form.waitMs))}
          </p>
        `
      }
      ${
        refusals.includes(again) &&
        shown.phone !== null &&
        html`<p>${texts.no_day_call} <strong>${callLink(shown.phone)}</strong></p>`
      }
      ${
        faults.length > 0 &&
        html`
          <ul>
            ${faults.map(
              ({ field, text }) =>
                html`<li><a href="#${field}">${askedBy(form, field)}${texts[text]}</a></li>`,
            )}
          </ul>
        `
      }
    </div>
  `;
};

/** The clinic's own question, because “Please answer this” means nothing away from it. */
function askedBy({ settings, style }: FormPage, field: string): Part {
  const one = settings.questions.find(({ name }) => questionField(name) === field);
  return one && html`<bdi>${inLanguage(one.label, style.lang, settings.lang)}</bdi>: `;
}

/** Hidden inputs for values of another form that this one does not ask for, so that none is lost. */
function carriedOver(form: FormPage): Part {
  const { values } = form;
  const kept = (['address', 'note'] as const).filter((field) => !isAsked(form, field)) as string[];
  if (isClosedDay(form)) kept.push('appointment_date', 'appointment_time', TIME_WISH);
  for (const label of ['treatment', 'dentist'] as const) {
    const choices = choicesOf(form, label);
    const { id, name } = fieldsOf(label);
    if (choices.length === 0) kept.push(id, name);
    else if (chosenOf(values, label, choices) === undefined) kept.push(name);
  }
  return kept.map(
    (field) => values[field] && html`<input type="hidden" name="${field}" value="${values[field]}">`,
  );
}

const choicesOf = (form: FormPage, label: 'treatment' | 'dentist'): readonly Choice[] =>
  isAsked(form, label) ? form.shown[`${label}s`] : [];

function select(form: FormPage, label: 'treatment' | 'dentist'): Part {
  const { values } = form;
  const { texts } = form.style;
  const choices = choicesOf(form, label);
  if (choices.length === 0) return undefined;
  const isAlone = choicesOf(form, label === 'dentist' ? 'treatment' : 'dentist').length === 0;
  const field = fieldsOf(label).id;
  const chosen = chosenOf(values, label, choices);
  const described = (one: Choice) => [one.name, one.about, ...prices(form, one)].filter(Boolean).join(' – ');
  return html`
    <div${isAlone && WIDE}>
      <label for="${field}">${texts[label]} <span class="faint">${texts.optional}</span></label>
      <select id="${field}" name="${field}">
        ${option('', texts.no_preference, false)}
        ${choices.map((one) => option(one.id, described(one), chosen?.id === one.id))}
      </select>
    </div>
  `;
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
      (described) => {
        const given = { required, maxlength: LONGEST_ANSWER, value: values[field] };
        return html`<input${attributes({ type: 'text', id: field, name: field, ...given, ...described })}>`;
      },
      { optional: !required },
    );
  // Sent in the clinic's language, whatever language the visitor reads.
  const typed = values[field];
  const isOffered = options.some((one) => inLanguage(one, settings.lang, settings.lang) === typed);
  const offered = options.map((one) => {
    const value = inLanguage(one, settings.lang, settings.lang);
    return option(value, inLanguage(one, style.lang, settings.lang), values[field] === value);
  });
  return labelled(
    form,
    field,
    asks,
    (described) => html`
      <select${attributes({ id: field, name: field, required, ...described })}>
        ${option('', '', false)}${!isOffered && typed && option(typed, typed, true)}${offered}
      </select>
    `,
    { optional: !required },
  );
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
  html`
    <div class="wide">
      <label for="note">${texts.note} <span class="faint">${texts.optional}</span></label>
      <textarea id="note" name="note" maxlength="2000" rows="3">${values.note && `\n${values.note}`}</textarea>
    </div>
  `;
