import type { Booking, SubmissionField } from '../../domain/booking.ts';

import type { ActionName, AvailableAction } from '../../domain/booking-actions.ts';
import { seenOf } from '../../domain/booking-seen.ts';
import { type Html, html, type Part } from '../../platform/html.ts';
import { formField, type Viewer } from './layout.ts';

interface Forms {
  booking: Booking;
  /** Available now, the usual one first. */
  actions: readonly AvailableAction[];
  viewer: Viewer;
}

/** A form per available action; only the first has a primary button. */
export const actionForms = ({ booking, actions, viewer }: Forms): Html[] =>
  actions.map(({ action, needs }, index) => {
    const form = (route: string, fields: Part, row = true): Html =>
      html`<form method="post" action="/admin/bookings/${booking.ref}/${route}"${row && html` class="row"`}>${formField(viewer.formToken)}<input type="hidden" name="back" value="/bookings/${booking.ref}"><input type="hidden" name="as_of" value="${seenOf(booking)}">${fields}</form>`;
    const button = (label: string, danger = false): Html => {
      const kind = danger ? 'danger' : 'quiet';
      return html`<button${index > 0 && html` class="${kind}"`}>${label}</button>`;
    };
    const { title, text, fields } = forms[action]({ booking, needs, form, button });
    return html`<li data-action="${action}"><h3>${title}</h3><p>${text}</p>${fields}</li>`;
  });

interface Parts {
  booking: Booking;
  needs: readonly string[];
  form(route: string, fields: Part, row?: boolean): Html;
  button(label: string, danger?: boolean): Html;
}

const forms: Record<ActionName, (parts: Parts) => { title: string; text: Part; fields: Html }> = {
  take: ({ booking, form, button }) => ({
    title: 'Take it instead of the first',
    text: `${booking.duplicate_of} was not sent yet: it is dropped, and this one is sent in its place.`,
    fields: form('take', button('Take it instead')),
  }),
  approve: ({ form, button }) => ({
    title: 'Approve it',
    text: 'It is sent to the clinic as it is.',
    fields: form('approve', button('Approve and send')),
  }),
  edit: ({ booking, form, button }) => ({
    title: 'Correct it',
    text: 'What you change here is what the clinic will get.',
    fields: form(
      'edit',
      html`<div class="fields">${editable.map((field) => input(booking, field))}</div>${button('Save')}`,
      false,
    ),
  }),
  acknowledge: ({ booking, form, button }) => ({
    title: 'It is not as asked for',
    text: html`${booking.evidence?.mismatch?.join(' ')} Settle it at the front desk; nothing can be changed from here.`,
    fields: form('acknowledge', button('I have seen it')),
  }),
  reconcile: ({ form, button }) => ({
    title: 'Let clinic-sync look',
    text: 'Compares the clinic’s counter and looks at the appointments that came after it was sent.',
    fields: form('reconcile', button('Look now')),
  }),
  booked: ({ booking, form, button }) => ({
    title: 'It is there',
    text: `You found it in the clinic’s calendar (search for ${booking.ref}); its number links the two.`,
    fields: form(
      'resolve',
      html`<input type="hidden" name="as" value="booked"><label>Appointment number<input name="appointment_id" inputmode="numeric" pattern="[0-9]+" required autocomplete="off"></label>${button('It is there')}${confirm('It is this one even if the clinic shows another name, date or time under the number, or does not know it')}`,
    ),
  }),
  booked_no_id: ({ form, button }) => ({
    title: 'It is there, number unknown',
    text: 'It counts as booked; its status cannot be followed.',
    fields: form(
      'resolve',
      html`<input type="hidden" name="as" value="booked-no-id">${button('It is there, number unknown')}`,
    ),
  }),
  send_again: ({ needs, form, button }) => ({
    title: 'It is not there: send again',
    text: 'Look first. If it is there after all, the patient has two appointments.',
    fields: form(
      'resolve',
      html`<input type="hidden" name="as" value="not-booked">${needs.includes('confirm') && confirm('I looked, although the clinic may still be working on it')}${button('It is not there, send again', true)}`,
    ),
  }),
  drop: ({ form, button }) => ({
    title: 'Drop it',
    text: 'Nothing more happens with it.',
    fields: form(
      'drop',
      html`<label>Why<input name="why" maxlength="200" required autocomplete="off"></label>${button('Drop', true)}`,
    ),
  }),
};

const confirm = (text: string): Html => ticked('confirm', text);

const ticked = (name: string, text: string): Html =>
  html`<label class="check"><input type="checkbox" name="${name}">${text}</label>`;

interface Field {
  name: SubmissionField;
  label: string;
  type: 'text' | 'tel' | 'date' | 'time' | 'textarea';
  /** Not required by the clinic. */
  optional?: true;
}

const editable: readonly Field[] = [
  { name: 'patient_name', label: 'Patient', type: 'text' },
  { name: 'patient_phone', label: 'Phone', type: 'tel' },
  { name: 'appointment_date', label: 'Date', type: 'date' },
  { name: 'appointment_time', label: 'Time', type: 'time' },
  { name: 'doctor', label: 'Doctor', type: 'text', optional: true },
  { name: 'doctor_id', label: 'Doctor’s number', type: 'text', optional: true },
  { name: 'treatment', label: 'Treatment', type: 'text', optional: true },
  { name: 'treatment_id', label: 'Treatment’s number', type: 'text', optional: true },
  { name: 'address', label: 'Address', type: 'text', optional: true },
  { name: 'note', label: 'Note', type: 'textarea', optional: true },
];

/** Shows an unreadable date or time in a text field, because a browser would blank it in a date field. */
function input(booking: Booking, { name, label, type, optional }: Field): Html {
  const value = String(booking[name] ?? '');
  const empty =
    optional === true &&
    booking.unreadable_fields.includes(name) &&
    ticked(`empty_${name}`, 'Could not be read: leave it empty');
  if (type === 'textarea')
    // HTML drops the first line break of a text area.
    return html`<div><label>${label}<textarea name="${name}">
${value}</textarea></label>${empty}</div>`;
  const shown = type === 'date' ? /^(\d{4}-\d{2}-\d{2})?$/ : type === 'time' ? /^(\d{2}:\d{2})?$/ : /^/;
  return html`<div><label>${label}<input name="${name}" type="${shown.test(value) ? type : 'text'}" value="${value}" autocomplete="off"></label>${empty}</div>`;
}
