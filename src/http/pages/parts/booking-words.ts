import type { Booking, BookingState } from '../../../domain/bookings/booking.ts';
import { type ChosenNames, choiceWords } from '../../../domain/bookings/booking-actions.ts';
import { faultyFields, wrongFields } from '../../../domain/bookings/faulty-fields.ts';
import type { VisitNow } from '../../../domain/bookings/visit-now.ts';
import { readDate, readTime, wallClockInstant } from '../../../domain/date-time.ts';
import { differenceText, whyWords } from '../../../domain/status/need-words.ts';
import { type Html, html, type Part } from '../../../platform/text/html.ts';
import type { Locale } from '../../../platform/text/locale.ts';
import { badge, type Tone } from './layout.ts';

const stateTone: Record<BookingState, Tone> = {
  received: 'ok',
  held: 'attention',
  queued: 'ok',
  sending: 'ok',
  booked: 'ok',
  booked_no_id: 'ok',
  rejected: 'bad',
  unknown: 'bad',
  expired: 'attention',
  dropped: 'attention',
};

export const stateBadge = (state: BookingState, { t }: Locale): Html =>
  badge(stateTone[state], t(`booking_${state}`));

/** Why a booking is in its state, from its codes; never taken from a sentence. */
export function reasonText(booking: Booking, locale: Locale): string {
  const { state, reason, kind, evidence } = booking;
  const isBooked = state === 'booked' || state === 'booked_no_id';
  if (isBooked && (evidence?.mismatch ?? []).length > 0)
    return locale.t(differenceText(evidence?.verification));
  const isChangedBack = reason === 'changed_submission' && evidence?.changed_back !== undefined;
  if (state === 'held' && isChangedBack) return locale.t('held_changed_back');
  const why = state === 'held' && kind !== 'booking' ? 'task' : reason;
  return whyWords({ state, reason: why, fields: faultyFields(booking) }, locale);
}

/** How the clinic's record differs; for English and for older bookings, the stored sentence. */
export function differenceWords(booking: Booking, { isSource, t }: Locale): Part {
  const { mismatch = [], verification, shows } = booking.evidence ?? {};
  if (mismatch.length === 0) return null;
  const asStored = html`<span lang="en" dir="ltr">${mismatch.join(' ')}</span>`;
  if (isSource) return asStored;
  const named = differenceText(verification);
  if (named !== 'state_differs' && named !== 'differs_asked_again') return t(named);
  if (verification === 'not_found') return t('differs_not_found');
  if (verification === 'unread') return t('differs_unread');
  const askedAgain = verification === 'asked_again' ? [t('differs_asked_again')] : [];
  if (shows === undefined) return askedAgain[0] ?? asStored;
  const pairs = [
    [booking.appointment_date, shows.date],
    [booking.appointment_time, shows.time],
  ] as const;
  return [
    ...(shows.name_matches === false ? [t('differs_name')] : []),
    ...pairs.flatMap(([asked, found]) =>
      found === null || found === asked ? [] : [t('differs_value', { asked: asked ?? '–', found })],
    ),
    ...askedAgain,
  ].join(' ');
}

/** The name, or a text that there is none. */
export const nameOf = ({ patient_name }: Booking, { t }: Locale): Part =>
  patient_name ?? html`<span class="faint">${t('no_name')}</span>`;

/** As text where it cannot be called. */
export function phoneLink(booking: Booking): Part {
  const { patient_phone: phone } = booking;
  const isWrong = wrongFields(booking).some(({ field }) => field === 'patient_phone');
  return phone && (isWrong ? phone : html`<a href="tel:${phone}" dir="ltr">${phone}</a>`);
}

export const visitDay = { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' } as const;

/** The visit on the clinic's own clock; as typed when it is not a date and time. */
export const visitWords = (booking: Booking, locale: Locale): Part =>
  placeWords({ date: booking.appointment_date, time: booking.appointment_time }, locale);

/** `At the clinic now: Wed, 9 Dec 2026 · 09:30, Scheduled (16 minutes ago)`; `read`: the time of that reading. */
export const visitNowWords = (visit: VisitNow, locale: Locale, read: Part): Part =>
  html`
    ${locale.t('visit_now')}: <bdi>${placeWords(visit, locale)}</bdi>
    , <bdi>${visit.status}</bdi> <span class="faint">(${read})</span>
  `;

export function placeWords({ date, time }: Pick<VisitNow, 'date' | 'time'>, locale: Locale): Part {
  if (date === null && time === null) return html`<span class="faint">${locale.t('no_time')}</span>`;
  if (date === null || readDate(date) !== date) return [date, time].filter((part) => part !== null).join(' ');
  const { ms } = wallClockInstant(date, '12:00', locale.zone);
  return [locale.date(ms, visitDay), time !== null && readTime(time) === time ? time : (time ?? '')]
    .filter((part) => part !== '')
    .join('\u00a0· ');
}

/** A dentist or treatment by the clinic's name, and the name that was sent if different. */
export const choiceText = (booking: Booking, chosen: ChosenNames, kind: 'doctor' | 'treatment'): Part =>
  choiceWords(booking[kind], chosen[kind], booking[`${kind}_id`]);
