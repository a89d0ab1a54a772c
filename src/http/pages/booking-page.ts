import { type Booking, type BookingEvent, type Evidence, noClinic } from '../../domain/booking.ts';
import { type ChosenNames, choiceWords } from '../../domain/booking-actions.ts';
import { type Html, html, type Part, prose } from '../../platform/html.ts';
import type { BookingDetail } from '../admin.ts';
import { actionForms } from './action-forms.ts';
import { stateBadge, words } from './bookings-page.ts';
import { layout, type Viewer } from './layout.ts';
import { number, timeTag } from './time.ts';

/** One booking with everything a person needs to decide about it. For signed-in people only. */
export function bookingPage(
  { booking, sentence, actions, chosen, events, resembles }: BookingDetail,
  viewer: Viewer,
  now: number,
): string {
  const choices = actionForms({ booking, actions, viewer });
  return layout({
    title: `Booking ${booking.ref}`,
    viewer,
    body: html`<p><a href="/bookings">Bookings</a></p>
<div class="heading"><h1>${booking.ref}</h1>${stateBadge(booking.state)}${booking.reason !== null && html`<span class="faint">${words(booking.reason)}</span>`}</div>
<p class="lead">${prose(sentence)}</p>
<div class="detail"><div class="stack">
${choices.length > 0 && html`<section aria-labelledby="ways"><h2 id="ways">What to do</h2><ul class="ways">${choices}</ul></section>`}
<section class="card" aria-labelledby="history"><h2 id="history">History</h2><ol class="history">${events.map((event) => moved(event, now))}</ol></section>
</div><div class="stack">
<section class="card" aria-labelledby="asked"><h2 id="asked">Asked for</h2>${asked(booking, chosen)}</section>
${resembles !== null && html`<section class="card" aria-labelledby="resembles"><h2 id="resembles">Resembles <a href="/bookings/${resembles.ref}">${resembles.ref}</a> ${stateBadge(resembles.state)}</h2>${asked(resembles, resembles.chosen)}</section>`}
${booking.evidence !== null && html`<section class="card" aria-labelledby="evidence"><h2 id="evidence">Evidence</h2>${facts(booking.evidence, now)}</section>`}
</div></div>`,
  });
}

const list = (rows: readonly [string, Part][]): Html =>
  html`<dl class="person">${rows
    .filter(([, value]) => value !== null && value !== undefined && value !== '')
    .map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>`;

const asked = (booking: Booking, chosen: ChosenNames): Html =>
  list([
    ['Patient', booking.patient_name],
    [
      'Phone',
      booking.patient_phone && html`<a href="tel:${booking.patient_phone}">${booking.patient_phone}</a>`,
    ],
    ['Address', booking.address],
    ['Date', booking.appointment_date],
    ['Time', booking.appointment_time],
    ['Doctor', choiceWords(booking.doctor, chosen.doctor, booking.doctor_id)],
    ['Treatment', choiceWords(booking.treatment, chosen.treatment, booking.treatment_id)],
    ['Note', booking.note],
    ['Source', booking.source],
    ['Clinic', booking.clinic === noClinic ? 'none named' : booking.clinic],
    ['Appointment', booking.appointment_id],
    ['Same again', booking.merged > 0 ? `${booking.merged} more, merged into this one` : null],
  ]);

function facts(evidence: Evidence, now: number): Html {
  const counter = (reading: Evidence['counter_before']): Part =>
    reading &&
    html`${reading.value === null ? 'the clinic gave no number of' : number(reading.value)} appointments, read ${timeTag(reading.at, now)}`;
  return list([
    ['Sent', evidence.sent_at && timeTag(evidence.sent_at, now)],
    ['Came back', evidence.answer],
    ['Counter before', counter(evidence.counter_before)],
    ['Counter after', counter(evidence.counter_after)],
    ['Ours in between', evidence.own_between],
    ['Highest own id', evidence.highest_own_id],
    ['Ids looked at', evidence.probed_ids?.join(', ')],
    ['Ids that match', evidence.matching_ids?.join(', ')],
    ['Differences', evidence.mismatch?.join('; ')],
    ['Verdict', evidence.verdict],
  ]);
}

const moved = ({ at, to, by, reason, message }: BookingEvent, now: number): Html =>
  html`<li>${stateBadge(to)} ${timeTag(at, now)} <span class="faint">by ${by}${reason !== null && ` · ${words(reason)}`}</span>${message !== null && html`<br>${message}`}</li>`;
