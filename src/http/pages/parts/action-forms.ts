import {
  type Booking,
  requiredFields,
  type SubmissionField,
  type Verification,
} from '../../../domain/bookings/booking.ts';
import type { ActionName, AvailableAction } from '../../../domain/bookings/booking-actions.ts';
import { seenOf } from '../../../domain/bookings/booking-seen.ts';
import { readDate, readTime } from '../../../domain/date-time.ts';
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
  /** The booking that this one evidently repeats. */
  repeats?: string | null;
  viewer: Viewer;
}

/** Done by one form, which the clinic's fields are in: what was typed goes with whichever of its buttons is pressed. */
const withFields = ['take', 'approve', 'edit'] as const;
type WithFields = (typeof withFields)[number];
const hasFields = (action: ActionName): action is WithFields => withFields.some((one) => one === action);

/** A form per way, in order; only the first, the most likely one, has a primary button. */
export function actionForms(forms: Forms): Html[] {
  const { booking, viewer, actions } = forms;
  const { t } = viewer.locale;
  const names = actions.map(({ action }) => action).filter(hasFields);
  return actions.flatMap(({ action, needs }, index) => {
    const isLikely = index === 0;
    if (hasFields(action)) {
      if (action !== names[0]) return [];
      const form = correction({ ...forms, names, isLikely });
      return [way(names.join(' '), t(`step_${action}`), fieldsHint(action, forms), form)];
    }
    const form = (route: string, fields: Part): Html =>
      html`
        <form method="post" action="/admin/bookings/${booking.ref}/${route}" class="row">
          ${hidden(booking, viewer)}${fields}
        </form>
      `;
    const button = (label: Step, danger = false): Html =>
      html`<button${!isLikely && html` class="${danger ? 'danger' : 'quiet'}"`}>${t(label)}</button>`;
    const fields = fieldsOf[action]({ ...forms, needs, form, button });
    return [way(action, t(`step_${action}`), hint(action, forms), fields)];
  });
}

const way = (actions: string, title: string, hint: Part, fields: Html): Html =>
  html`<li data-action="${actions}"><h3>${title}</h3><p>${hint}</p>${fields}</li>`;

const fieldsHint = (usual: WithFields, { booking, resembles, viewer: { locale } }: Forms): Part => {
  const first = resembles?.ref ?? booking.duplicate_of ?? '';
  return html`${usual === 'take' && html`${locale.t('hint_take', { ref: first })} `}${locale.t('hint_edit')}`;
};

const acknowledgeHints: Partial<Record<Verification, 'hint_asked_again' | 'hint_lost'>> = {
  asked_again: 'hint_asked_again',
  missing: 'hint_lost',
  someone_else: 'hint_lost',
  number_moved: 'hint_lost',
};

const hint = (action: Exclude<ActionName, WithFields>, { booking, viewer }: Forms): Part => {
  const { t } = viewer.locale;
  switch (action) {
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
  form(route: string, fields: Part): Html;
  button(label: Step, danger?: boolean): Html;
}

const resolved = (as: string): Html => html`<input type="hidden" name="as" value="${as}">`;

const fieldsOf: Record<Exclude<ActionName, WithFields>, (parts: Parts) => Html> = {
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
  reopen: ({ form, button }) => form('reopen', button('step_reopen')),
  drop: ({ repeats, form, button, viewer: { locale } }) => html`
    ${
      repeats != null &&
      form(
        'drop',
        html`
          <input type="hidden" name="why" value="The same as ${repeats}.">
          <button class="danger">${locale.t('drop_same', { ref: repeats })}</button>
        `,
      )
    }
    ${form(
      'drop',
      html`
        <label>${locale.t('why')}<input name="why" maxlength="200" required autocomplete="off"></label>
        ${button('step_drop', true)}
      `,
    )}
  `,
};

const kinds = ['doctor', 'treatment'] as const;

/** Buttons that replace the name that was sent with a known one, and send the booking if nothing else is wrong. */
function didYouMean({ booking, choices, viewer: { locale } }: Forms): Html[] {
  const known = kinds.filter((kind) => choices[kind].near.length > 0);
  return known.map(
    (kind, place) =>
      html`
        <div class="mean">
          <span>${locale.t('did_you_mean')}</span>
          ${choices[kind].near.map(
            ({ id, name }, index) =>
              html`
                <button name="mean" value="${kind}_id ${id}" formaction="/admin/bookings/${booking.ref}/approve"
                  ${place + index > 0 && html` class="quiet"`}>${name}</button>
              `,
          )}
        </div>
      `,
  );
}

const ticked = (name: string, text: string): Html =>
  html`<label class="check"><input type="checkbox" name="${name}">${text}</label>`;

/** Whether the booking can be sent once this form is correct; that is then offered first. */
const mayBeSent = ({ booking }: Forms): boolean =>
  ['held', 'rejected', 'expired'].includes(booking.state) && booking.reason !== 'restored_state';

type SendLabel = 'step_take' | 'step_approve' | 'save_and_send';

interface Correction extends Forms {
  names: readonly WithFields[];
  isLikely: boolean;
}

/** The buttons that send it, the usual one first. */
function senders(parts: Correction): [route: WithFields, label: SendLabel][] {
  const { names } = parts;
  const take: [WithFields, SendLabel][] = names.includes('take') ? [['take', 'step_take']] : [];
  if (names.includes('approve')) return [...take, ['approve', 'step_approve']];
  return mayBeSent(parts) ? [...take, ['approve', 'save_and_send']] : take;
}

/** Unchanged, the booking is released as it is shown; changed, it is corrected, checked again and then released. */
function correction(parts: Correction): Html {
  const { booking, choices, viewer, isLikely } = parts;
  const { t } = viewer.locale;
  const path = `/admin/bookings/${booking.ref}`;
  const meant = didYouMean(parts);
  const quiet = (index: number): Part => (!isLikely || index > 0 || meant.length > 0) && html` class="quiet"`;
  const sends = senders(parts).map(
    ([route, label], index) =>
      html`<button formaction="${path}/${route}"${quiet(index)}>${t(label)}</button>`,
  );
  const save = html`<button${quiet(sends.length)}>${t('save')}</button>`;
  // Enter presses the first button of a form, which is never to be a name that was only suggested.
  const [first = html`<button></button>`] = sends;
  return html`
    <form method="post" action="${path}/edit" autocomplete="off">
      ${hidden(booking, viewer)}${meant.length > 0 && html`<div hidden>${first}</div>${meant}`}
      <div class="fields">
        ${texts.map((field) => input(booking, field, viewer))}
        ${kinds.map((kind) => select(booking, kind, choices, viewer))}
      </div>
      <div class="buttons">${sends}${save}</div>
    </form>
  `;
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

/** Shows a date or time that is none in a text field, because a browser would blank it in a date field. */
function input(booking: Booking, { name, label, type }: Field, viewer: Viewer): Html {
  const value = String(booking[name] ?? '');
  const text = viewer.locale.t(label);
  const empty = emptied(booking, name, viewer);
  if (type === 'textarea')
    // HTML drops the first line break of a text area.
    return html`<div><label>${text}<textarea name="${name}">
${value}</textarea></label>${empty}</div>`;
  const readable = { date: readDate, time: readTime }[type as string];
  const isShown = value === '' || readable === undefined || readable(value) === value;
  return html`
    <div>
      <label>
        ${text}${missing(booking, name, viewer)}
        <input name="${name}" type="${isShown ? type : 'text'}" value="${value}">
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
