import type { Booking } from '../../domain/bookings/booking.ts';
import { withoutNames } from '../../domain/clinics/clinic-names.ts';
import { type Html, html, prose } from '../../platform/text/html.ts';
import { inertText } from '../../platform/text/inert-text.ts';
import type { Locale } from '../../platform/text/locale.ts';
import type { OpenOneTap } from '../admin.ts';
import { reasonText } from './parts/booking-words.ts';
import { layout, type Viewer } from './parts/layout.ts';

interface Shown {
  opened: OpenOneTap;
  /** Whether the reader is signed in and may see patients. */
  mayRead: boolean;
  viewer: Viewer;
}

/** What a link would do, and a button that does it. Shows no more of the patient than the message did. */
export function oneTapPage({ opened, mayRead, viewer }: Shown): string {
  const { action, ref, about } = opened;
  const { t } = viewer.locale;
  const title = `${t(`step_${action}`)}: ${ref}`;
  if (about === undefined || action === 'closed')
    return layout({
      title,
      viewer,
      body: html`<section class="message"><h1>${title}</h1>
<p>${t('hint_closed')}</p>
<form method="post" class="row">${untilField(viewer.locale)}<button>${t('step_closed')}</button></form></section>`,
    });
  const { booking, sentence, includePatient } = about;
  const number =
    action === 'booked' &&
    html`
      <label>
        ${t('appointment_number')}
        <input name="appointment_id" inputmode="numeric" pattern="[0-9]*" autocomplete="off">
      </label>
    `;
  return layout({
    title,
    viewer,
    body: html`
      <section class="message">
        <h1>${title}</h1>
        <p>${reasonText(booking, viewer.locale)}</p>
        ${viewer.locale.isSource && html`<p class="hint">${prose(withoutNames(sentence))}</p>`}
        ${(mayRead || includePatient) && html`<p><strong>${patientWords(booking)}</strong></p>`}
        <p>${t('source')}: ${booking.source}</p>
        <p>${action === 'booked' ? t('hint_booked', { ref }) : t(`hint_${action}`)}</p>
        ${action === 'booked' && html`<p>${t('step_booked_no_id')}: ${t('hint_booked_no_id')}</p>`}
        <form method="post" class="row">
          ${number}<button${action === 'drop' && html` class="danger"`}>${t(`step_${action}`)}</button>
        </form>
        <p><a href="/bookings/${ref}">${t('link_open')}</a></p>
      </section>
    `,
  });
}

/** The day on which a clinic opens again. */
export const untilField = ({ t }: Locale): Html =>
  html`<label>${t('opens_on')}<input type="date" name="until" required></label>`;

/** As in the message, which anyone may have written into. */
const patientWords = ({ patient_name, patient_phone, appointment_date, appointment_time }: Booking): string =>
  [patient_name, patient_phone, appointment_date, appointment_time]
    .flatMap((typed) => (typed === null ? [] : inertText(typed)))
    .join(', ');
