import type { Booking } from '../../domain/booking.ts';
import { type OneTapAction, oneTapLabels } from '../../domain/one-tap.ts';
import { html } from '../../platform/html.ts';
import type { OpenOneTap } from '../admin.ts';
import { layout, type Viewer } from './layout.ts';

interface Shown {
  opened: OpenOneTap;
  /** The reader is signed in and may see patients. */
  mayRead: boolean;
  viewer: Viewer;
}

const asks: Record<OneTapAction, (ref: string) => [title: string, text: string]> = {
  approve: (ref) => [`Approve ${ref}?`, 'It is sent to the clinic as it is.'],
  booked: (ref) => [
    `Is ${ref} there?`,
    'You found it in the clinic’s calendar. With its number it is followed from now on; without, it counts as booked.',
  ],
  drop: (ref) => [`Drop ${ref}?`, 'Nothing more happens with it, and nothing is sent to the clinic.'],
};

/** What a link would do, and a button that does it. Of the patient no more than the message said. */
export function oneTapPage({ opened, mayRead, viewer }: Shown): string {
  const { action, ref, booking, sentence, includePatient } = opened;
  const [title, text] = asks[action](ref);
  const number =
    action === 'booked' &&
    html`<label>Appointment number, if you know it<input name="appointment_id" inputmode="numeric" pattern="[0-9]*" autocomplete="off"></label>`;
  return layout({
    title,
    viewer,
    body: html`<section class="message"><h1>${title}</h1>
<p>${sentence}</p>
${(mayRead || includePatient) && html`<p><strong>${patientWords(booking)}</strong></p>`}
<p>Booking ${ref} from ${booking.source}. ${text}</p>
<form method="post" class="row">${number}<button${action === 'drop' && html` class="danger"`}>${oneTapLabels[action]}</button></form>
<p><a href="/bookings/${ref}">Open the booking</a> to see and do more.</p></section>`,
  });
}

const patientWords = ({ patient_name, patient_phone, appointment_date, appointment_time }: Booking): string =>
  [patient_name, patient_phone, appointment_date, appointment_time].filter((one) => one !== null).join(', ');
