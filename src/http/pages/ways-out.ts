import type { Booking, BookingState } from '../../model/booking.ts';
import { type Html, html, type Part } from '../../model/html.ts';
import { formField, type Viewer } from './layout.ts';

type Way =
  | 'approve'
  | 'edit'
  | 'acknowledge'
  | 'reconcile'
  | 'booked'
  | 'booked_no_id'
  | 'send_again'
  | 'drop';

/** What a person may do in each state; a state that is not here settles by itself or is settled. */
export const waysByState: Partial<Record<BookingState, readonly Way[]>> = {
  received: ['edit', 'drop'],
  held: ['approve', 'edit', 'drop'],
  queued: ['edit', 'drop'],
  unknown: ['reconcile', 'booked', 'booked_no_id', 'send_again', 'drop'],
  booked: ['acknowledge'],
  booked_no_id: ['booked'],
  rejected: ['approve', 'edit', 'drop'],
  expired: ['approve', 'edit', 'drop'],
};

export const waysOut = (booking: Booking, viewer: Viewer): Html[] =>
  (waysByState[booking.state] ?? [])
    .filter((way) => way !== 'acknowledge' || (booking.evidence?.mismatch ?? []).length > 0)
    .map((way) => ways[way](booking, viewer));

const form = (booking: Booking, viewer: Viewer, action: string, fields: Part, row = true): Html =>
  html`<form method="post" action="/admin/bookings/${booking.ref}/${action}"${row && html` class="row"`}>${formField(viewer.formToken)}<input type="hidden" name="back" value="/bookings/${booking.ref}">${fields}</form>`;

const ways: Record<Way, (booking: Booking, viewer: Viewer) => Html> = {
  approve: (booking, viewer) =>
    html`<li><h3>Release it</h3><p>It is sent to the clinic as it stands.</p>${form(booking, viewer, 'approve', html`<button>Release and send</button>`)}</li>`,
  edit: (booking, viewer) =>
    html`<li><h3>Correct it</h3><p>What you change here is what the clinic will get.</p>${form(booking, viewer, 'edit', html`<div class="fields">${editable.map(([name, label, type]) => input(booking, name, label, type))}</div><button class="quiet">Save</button>`, false)}</li>`,
  acknowledge: (booking, viewer) =>
    html`<li><h3>It is not as asked for</h3><p>${booking.evidence?.mismatch?.join(' ')} Settle it at the front desk; nothing can be changed from here.</p>${form(booking, viewer, 'acknowledge', html`<button>I have seen it</button>`)}</li>`,
  reconcile: (booking, viewer) =>
    html`<li><h3>Let clinic-sync look</h3><p>Compares the clinic’s counter and looks at the appointments that came after it was sent.</p>${form(booking, viewer, 'reconcile', html`<button class="quiet">Look now</button>`)}</li>`,
  booked: (booking, viewer) =>
    html`<li><h3>It is there</h3><p>You found it in the clinic’s calendar (search for ${booking.ref}); its number links the two.</p>${form(booking, viewer, 'resolve', html`<input type="hidden" name="as" value="booked"><label>Appointment number<input name="appointment_id" inputmode="numeric" pattern="[0-9]+" required autocomplete="off"></label><button>It is there</button>${confirm('The clinic shows another name, date or time, and it is this one all the same')}`)}</li>`,
  booked_no_id: (booking, viewer) =>
    html`<li><h3>It is there, number unknown</h3><p>It counts as booked; its status cannot be followed.</p>${form(booking, viewer, 'resolve', html`<input type="hidden" name="as" value="booked-no-id"><button class="quiet">It is there, number unknown</button>`)}</li>`,
  send_again: (booking, viewer) =>
    html`<li><h3>It is not there: send again</h3><p>Look first. If it is there after all, the patient has two appointments.</p>${form(booking, viewer, 'resolve', html`<input type="hidden" name="as" value="not-booked">${confirm('Also if the clinic may still be working on it')}<button class="danger">It is not there, send again</button>`)}</li>`,
  drop: (booking, viewer) =>
    html`<li><h3>Drop it</h3><p>Nothing more happens with it.</p>${form(booking, viewer, 'drop', html`<label>Why<input name="why" maxlength="200" required autocomplete="off"></label><button class="danger">Drop</button>`)}</li>`,
};

const confirm = (text: string): Html =>
  html`<label class="check"><input type="checkbox" name="confirm">${text}</label>`;

type EditableName =
  | 'patient_name'
  | 'patient_phone'
  | 'appointment_date'
  | 'appointment_time'
  | 'doctor'
  | 'doctor_id'
  | 'treatment'
  | 'treatment_id'
  | 'address'
  | 'note';

const editable: readonly [EditableName, string, string][] = [
  ['patient_name', 'Patient', 'text'],
  ['patient_phone', 'Phone', 'tel'],
  ['appointment_date', 'Date', 'date'],
  ['appointment_time', 'Time', 'time'],
  ['doctor', 'Doctor', 'text'],
  ['doctor_id', 'Doctor’s number', 'text'],
  ['treatment', 'Treatment', 'text'],
  ['treatment_id', 'Treatment’s number', 'text'],
  ['address', 'Address', 'text'],
  ['note', 'Note', 'textarea'],
];

/** A value that a date or time field could not show stays a text field: a browser would blank it. */
function input(booking: Booking, name: EditableName, label: string, type: string): Html {
  const value = String(booking[name] ?? '');
  if (type === 'textarea')
    // HTML drops one line break at the start of a text area.
    return html`<label>${label}<textarea name="${name}">
${value}</textarea></label>`;
  const shown = type === 'date' ? /^(\d{4}-\d{2}-\d{2})?$/ : type === 'time' ? /^(\d{2}:\d{2})?$/ : /^/;
  return html`<label>${label}<input name="${name}" type="${shown.test(value) ? type : 'text'}" value="${value}" autocomplete="off"></label>`;
}
