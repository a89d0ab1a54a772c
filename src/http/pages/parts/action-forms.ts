import {
  type Booking,
  requiredFields,
  type SubmissionField,
  type Verification,
} from '../../../domain/bookings/booking.ts';
import type { ActionName, AvailableAction } from '../../../domain/bookings/booking-actions.ts';
import { seenOf } from '../../../domain/bookings/booking-seen.ts';
import { type Html, html, type Part } from '../../../platform/text/html.ts';
import type { BookingChoices } from '../../desk.ts';
import { differenceWords } from './booking-words.ts';
import { formField, type Viewer } from './layout.ts';

type Step = `step_${ActionName}`;

interface Forms {
  booking: Booking;
  /** Available now, the most likely one first. */
  actions: readonly AvailableAction[];
  choices: BookingChoices;
  /** The booking that a change would replace. */
  resembles?: Pick<Booking, 'ref'> | null;
  viewer: Viewer;
}

/** A form per available action; only the first, the most likely one, has a primary button. */
export const actionForms = (forms: Forms): Html[] =>
  forms.actions.map(({ action, needs }, index) => {
    const { booking, viewer } = forms;
    const { t } = viewer.locale;
    const form = (route: string, fields: Part, row = true): Html =>
      html`
        <form method="post" action="/admin/bookings/${booking.ref}/${route}"${row && html` class="row"`}>
          ${hidden(booking, viewer)}${fields}
        </form>
      `;
    const isLikely = index === 0 && !hasNear(forms);
    const button = (label: Step, danger = false): Html =>
      html`<button${!isLikely && html` class="${danger ? 'danger' : 'quiet'}"`}>${t(label)}</button>`;
    const fields = fieldsOf[action]({ ...forms, needs, isLikely, form, button });
    return html`<li data-action="${action}"><h3>${t(`step_${action}`)}</h3><p>${hint(action, forms)}</p>${fields}</li>`;
  });

const acknowledgeHints: Partial<Record<Verification, 'hint_asked_again' | 'hint_lost'>> = {
  asked_again: 'hint_asked_again',
  missing: 'hint_lost',
  someone_else: 'hint_lost',
  number_moved: 'hint_lost',
};

const hint = (action: ActionName, { booking, resembles, viewer }: Forms): Part => {
  const { t } = viewer.locale;
  switch (action) {
    case 'take':
      return t('hint_take', { ref: resembles?.ref ?? booking.duplicate_of ?? '' });
    case 'booked':
      return t('hint_booked', { ref: booking.ref });
    case 'acknowledge':
      return t(acknowledgeHints[booking.evidence?.verification ?? 'differs'] ?? 'hint_acknowledge');
    default:
      return t(`hint_${action}`);
  }
};

/** Fields of every form about a booking: form token, page to return to, and the booking as the page showed it. */
const hidden = (booking: Booking, { formToken }: Viewer): Html =>
  html`
    ${formField(formToken, `/bookings/${booking.ref}`)}
    <input type="hidden" name="as_of" value="${seenOf(booking)}">
  `;

interface Parts extends Forms {
  needs: readonly string[];
  isLikely: boolean;
  form(route: string, fields: Part, row?: boolean): Html;
  button(label: Step, danger?: boolean): Html;
}

const resolved = (as: string): Html => html`<input type="hidden" name="as" value="${as}">`;

const fieldsOf: Record<ActionName, (parts: Parts) => Html> = {
  take: ({ form, button }) => form('take', button('step_take')),
  approve: ({ form, button }) => form('approve', button('step_approve')),
  edit: (parts) => correction(parts),
  acknowledge: ({ booking, form, button, viewer }) =>
    form('acknowledge', html`${differenceWords(booking, viewer.locale)} ${button('step_acknowledge')}`),
  reconcile: ({ form, button }) => form('reconcile', button('step_reconcile')),
  booked: ({ form, button, viewer: { locale } }) =>
    form(
      'resolve',
      html`
        ${resolved('booked')}
        <label>
          ${locale.t('appointment_number')}
          <input name="appointment_id" inputmode="numeric" pattern="[0-9]+" required autocomplete="off">
        </label>
        ${button('step_booked')}${ticked('confirm', locale.t('confirm_number'))}
      `,
    ),
  booked_no_id: ({ form, button }) =>
    form('resolve', html`${resolved('booked-no-id')}${button('step_booked_no_id')}`),
  send_again: ({ needs, form, button, viewer: { locale } }) =>
    form(
      'resolve',
      html`
        ${resolved('not-booked')}
        ${needs.includes('confirm') && ticked('confirm', locale.t('confirm_absent'))}
        ${button('step_send_again', true)}
      `,
    ),
  drop: ({ form, button, viewer: { locale } }) =>
    form(
      'drop',
      html`
        <label>${locale.t('why')}<input name="why" maxlength="200" required autocomplete="off"></label>
        ${button('step_drop', true)}
      `,
    ),
};

const kinds = ['doctor', 'treatment'] as const;
const hasNear = ({ choices }: Forms): boolean => kinds.some((kind) => choices[kind].near.length > 0);

/** Buttons that replace the name that was sent with a known one, and send the booking if nothing else is wrong. */
export function didYouMean({ booking, actions, choices, viewer }: Forms): Html[] {
  const { t } = viewer.locale;
  if (!actions.some(({ action }) => action === 'edit')) return [];
  return kinds
    .filter((kind) => choices[kind].near.length > 0)
    .map(
      (kind, place) =>
        html`
          <form method="post" action="/admin/bookings/${booking.ref}/edit" class="row mean">
            ${hidden(booking, viewer)}<input type="hidden" name="then" value="send">
            <span>${t('did_you_mean')}</span>
            ${choices[kind].near.map(
              ({ id, name }, index) =>
                html`
                  <button name="${kind}_id" value="${id}"${place + index > 0 && html` class="quiet"`}>
                    ${name}
                  </button>
                `,
            )}
          </form>
        `,
    );
}

const ticked = (name: string, text: string): Html =>
  html`<label class="check"><input type="checkbox" name="${name}">${text}</label>`;

/** Whether the booking can be sent once this form is correct; that is then offered first. */
const mayBeSent = ({ booking }: Parts): boolean =>
  ['held', 'rejected', 'expired'].includes(booking.state) && booking.reason !== 'restored_state';

function correction(parts: Parts): Html {
  const { booking, choices, viewer, form, isLikely } = parts;
  const { t } = viewer.locale;
  const quiet = !isLikely && html` class="quiet"`;
  const buttons = mayBeSent(parts)
    ? html`
      <button name="then" value="send"${quiet}>${t('save_and_send')}</button> <button class="quiet">
        ${t('save')}
      </button>
    `
    : html`<button${quiet}>${t('save')}</button>`;
  return form(
    'edit',
    html`
      <div class="fields">
        ${texts.map((field) => input(booking, field, viewer))}
        ${kinds.map((kind) => select(booking, kind, choices, viewer))}
      </div>
      <div class="buttons">${buttons}</div>
    `,
    false,
  );
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

const emptied = (booking: Booking, name: string, { locale }: Viewer): Part =>
  !requiredFields.some((one) => one === name) &&
  booking.unreadable_fields.includes(name) &&
  ticked(`empty_${name}`, locale.t('leave_empty'));

/** Marks what the clinic needs and nobody gave. */
const missing = (booking: Booking, name: string, { locale }: Viewer): Part =>
  requiredFields.some((one) => one === name && !booking[one]) &&
  html` <mark>${locale.t('is_missing')}</mark>`;

/** Shows an unreadable date or time in a text field, because a browser would blank it in a date field. */
function input(booking: Booking, { name, label, type }: Field, viewer: Viewer): Html {
  const value = String(booking[name] ?? '');
  const text = viewer.locale.t(label);
  const empty = emptied(booking, name, viewer);
  if (type === 'textarea')
    // HTML drops the first line break of a text area.
    return html`<div><label>${text}<textarea name="${name}">
${value}</textarea></label>${empty}</div>`;
  const shown = type === 'date' ? /^(\d{4}-\d{2}-\d{2})?$/ : type === 'time' ? /^(\d{2}:\d{2})?$/ : /^/;
  return html`
    <div>
      <label>
        ${text}${missing(booking, name, viewer)}
        <input name="${name}" type="${shown.test(value) ? type : 'text'}" value="${value}"
          autocomplete="off">
      </label>
      ${empty}
    </div>
  `;
}

/** The clinic's own names. A sent name that is none of them stays first in the list until a person chooses. */
function select(
  booking: Booking,
  kind: 'doctor' | 'treatment',
  choices: BookingChoices,
  viewer: Viewer,
): Html {
  const { t } = viewer.locale;
  const { all } = choices[kind];
  const id = booking[`${kind}_id`];
  const [sent, label] = [booking[kind], t(kind === 'doctor' ? 'dentist' : 'treatment')];
  const isKnown = id !== null && all.some((one) => one.id === id);
  // The empty value means "not changed": any number that it had stays.
  const kept = id !== null && !isKnown ? String(id) : '';
  const first = sent !== null && !isKnown ? t('as_sent', { name: sent }) : kept || t('none');
  return html`
    <div>
      <label>
        ${label}
        <select name="${kind}_id">
          <option value="${kept}"${!isKnown && html` selected`}>${first}</option>
          ${sent !== null && !isKnown && html`<option value="none">${t('none')}</option>`}
          ${all.map(
            ({ id: one, name }) =>
              html`<option value="${one}"${one === id && html` selected`}>${name}</option>`,
          )}
        </select>
      </label>
      ${emptied(booking, kind, viewer) || emptied(booking, `${kind}_id`, viewer)}
    </div>
  `;
}
