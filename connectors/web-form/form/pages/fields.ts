import { attributes, type Html, html, type Part } from '../../../../src/platform/text/html.ts';
import type { FormFault } from '../answers.ts';
import type { ClinicShown } from '../clinic-facts.ts';
import type { HiddenFields } from '../form-pass.ts';
import type { FormSettings } from '../form-settings.ts';
import type { FormTextName } from './languages.ts';
import type { PageStyle } from './page.ts';

export interface FormPage {
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
  again?: FormTextName | undefined;
  waitMs?: number | undefined;
  /** Said above it the first time. */
  notice?: FormTextName | undefined;
  faults?: readonly FormFault[];
}

export const isAsked = ({ settings }: FormPage, what: FormSettings['ask'][number]): boolean =>
  settings.ask.includes(what);

/** A whole row; other fields come in pairs. */
export const WIDE = html` class="wide"`;
const WISH = html` class="wide wish"`;

type Described = Record<'aria-describedby' | 'aria-invalid', string | undefined>;

/** A field with its label, fault and hint, all of which screen readers announce with it. */
export function labelled(
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
  return html`
    <div${wide === 'wish' ? WISH : wide && WIDE}>
      <label for="${field}">
        ${label}${optional && html` <span class="faint">${texts.optional}</span>`}
      </label>
      ${fault && html`<span class="fault" id="${field}-fault">${texts[fault.text]}</span>`}
      ${control({
        'aria-describedby': described || undefined,
        'aria-invalid': fault ? 'true' : undefined,
      })}
      ${hint && html`<p class="hint" id="${field}-hint">${hint}</p>`}
    </div>
  `;
}

export function input(
  form: FormPage,
  field: string,
  label: FormTextName,
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

/** A choice of a list. */
export const option = (value: string, text: Part, isChosen: boolean): Html =>
  html`<option value="${value}"${isChosen && html` selected`}>${text}</option>`;

export function tick(form: FormPage, field: string, label: Part, required: boolean): Html {
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
  return html`
    <div class="tick">
      ${fault && html`<span class="fault" id="${field}-fault">${texts[fault.text]}</span>`}
      <input${attributes(given)}>
      <label for="${field}">
        ${label}${!required && html` <span class="faint">${texts.optional}</span>`}
      </label>
    </div>
  `;
}
