import {
  type Booking,
  noClinic,
  requiredFields,
  type Verification,
} from '../../../domain/bookings/booking.ts';
import type { ActionName, AvailableAction } from '../../../domain/bookings/booking-actions.ts';
import { seenOf } from '../../../domain/bookings/booking-seen.ts';
import { type Html, html, type Part } from '../../../platform/text/html.ts';
import type { BookingChoices } from '../../desk.ts';
import { differenceWords } from './booking-words.ts';
import { type FieldTexts, fieldInputs } from './field-inputs.ts';
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
  /** For a booking that names none of several. */
  clinics: readonly string[];
  /** What was typed here and then refused. */
  typed: FieldTexts;
  viewer: Viewer;
}

/** Done by one form, which the clinic's fields are in: what was typed goes with whichever of its buttons is pressed. */
const withFields = ['take', 'approve', 'edit'] as const;
type WithFields = (typeof withFields)[number];
const hasFields = (action: ActionName): action is WithFields => withFields.some((one) => one === action);

/** The ways out of an unknown outcome are one form, so that a number typed beside one button goes with the others. */
const settling: readonly ActionName[] = ['reconcile', 'booked', 'booked_no_id', 'send_again'];

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
    const look = (danger: boolean): Part => !isLikely && html` class="${danger ? 'danger' : 'quiet'}"`;
    const button = (label: Step, danger = false): Html => html`<button${look(danger)}>${t(label)}</button>`;
    const settle = (label: Step, how: Html, danger = false): Html =>
      html`<button form="${SETTLE}" ${how}${look(danger)}>${t(label)}</button>`;
    const fields = fieldsOf[action]({ ...forms, needs, form, button, settle });
    const isFirst = action === actions.map((one) => one.action).find((name) => settling.includes(name));
    return [
      way(action, t(`step_${action}`), hint(action, forms), html`${isFirst && settleForm(forms)}${fields}`),
    ];
  });
}

const SETTLE = 'settle';

/** Enter in the field of the number means what the number is for. */
const settleForm = ({ booking, viewer }: Forms): Html =>
  html`
    <form id="${SETTLE}" method="post" action="/admin/bookings/${booking.ref}/resolve">
      ${hidden(booking, viewer)}<div hidden><button class="quiet" ${as('booked')}></button></div>
    </form>
  `;

const as = (how: string): Html => html`name="as" value="${how}"`;
/** With a number beside it that is not needed, and so need not be one. */
const unchecked = (how: string): Html => html`${as(how)} formnovalidate`;

const way = (actions: string, title: string, hint: Part, fields: Html): Html =>
  html`<li data-action="${actions}"><h3>${title}</h3><p>${hint}</p>${fields}</li>`;

const fieldsHint = (usual: WithFields, { booking, resembles, viewer: { locale } }: Forms): Part => {
  if (booking.clinic === noClinic) return locale.t('hint_clinic');
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
  /** One of the form that settles an unknown outcome. */
  settle(label: Step, how: Html, danger?: boolean): Html;
}

const fieldsOf: Record<Exclude<ActionName, WithFields>, (parts: Parts) => Html> = {
  acknowledge: ({ booking, form, button, viewer }) =>
    form('acknowledge', html`${differenceWords(booking, viewer.locale)} ${button('step_acknowledge')}`),
  reconcile: ({ booking, settle }) =>
    settle('step_reconcile', html`formaction="/admin/bookings/${booking.ref}/reconcile" formnovalidate`),
  booked: ({ settle, typed, viewer: { locale } }) => html`
    <div class="row">
      <label>
        ${locale.t('appointment_number')}
        <input form="${SETTLE}" name="appointment_id" inputmode="numeric" pattern="[0-9]+" required
          autocomplete="off" value="${typed.appointment_id ?? ''}"${typed.appointment_id && html` autofocus`}>
      </label>
      ${settle('step_booked', as('booked'))}${ticked('confirm_booked', locale.t('confirm_number'), typed)}
    </div>
  `,
  booked_no_id: ({ settle }) => settle('step_booked_no_id', unchecked('booked-no-id')),
  send_again: ({ needs, settle, typed, viewer: { locale } }) => html`
    <div class="row">
      ${needs.includes('confirm') && ticked('confirm_not-booked', locale.t('confirm_absent'), typed)}
      ${settle('step_send_again', unchecked('not-booked'), true)}
    </div>
  `,
  reopen: ({ form, button }) => form('reopen', button('step_reopen')),
  drop: ({ repeats, form, button, typed, viewer: { locale } }) => html`
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
        <label>
          ${locale.t('why')}
          <input name="why" maxlength="200" required autocomplete="off" value="${typed.why ?? ''}">
        </label>
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

const ticked = (name: string, text: string, typed: FieldTexts): Html =>
  html`
    <label class="check">
      <input form="${SETTLE}" type="checkbox" name="${name}"${typed[name] && html` checked`}>${text}
    </label>
  `;

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
  const { booking, viewer, isLikely } = parts;
  const { t } = viewer.locale;
  if (booking.clinic === noClinic) return clinicForm(parts);
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
      ${fieldInputs({ ...parts, problems: problemsOf(parts), focus: isBeside(parts), locale: viewer.locale })}
      <div class="buttons">${sends}${save}</div>
    </form>
  `;
}

/** A comparison stands above the form. */
const isBeside = ({ resembles }: Forms): 'none' | undefined => (resembles == null ? undefined : 'none');

/** What the clinic needs and nobody gave; then what else has to be corrected, where it is first looked for. */
function problemsOf({ booking, actions, viewer: { locale } }: Forms): FieldTexts {
  const missing = requiredFields.filter((name) => !booking[name]);
  const wrong = actions.find(({ action }) => action === 'edit')?.needs ?? [];
  const texts = [
    ...wrong.map((name) => [name, locale.t('is_wrong')] as const),
    ...missing.map((name) => [name, locale.t('is_missing')] as const),
  ];
  return Object.fromEntries(texts);
}

/** Its dentists, treatments and opening hours are those of a clinic, so that comes first. */
function clinicForm({ booking, clinics, viewer }: Forms): Html {
  const { t } = viewer.locale;
  return html`
    <form method="post" action="/admin/bookings/${booking.ref}/edit" class="row">
      ${hidden(booking, viewer)}
      <label>
        ${t('clinic')}
        <select name="clinic" required autofocus>
          <option value="">${t('not_chosen')}</option>${clinics.map((key) => html`<option>${key}</option>`)}
        </select>
      </label>
      <button>${t('save')}</button>
    </form>
  `;
}
