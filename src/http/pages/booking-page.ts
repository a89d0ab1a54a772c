import { type Booking, type BookingEvent, type Evidence, noClinic } from '../../domain/bookings/booking.ts';
import type { ChosenNames } from '../../domain/bookings/booking-actions.ts';
import { withoutNames } from '../../domain/clinics/clinic-names.ts';
import { whyWords } from '../../domain/status/need-words.ts';
import { type Html, html, type Part, prose, toText } from '../../platform/text/html.ts';
import type { Locale } from '../../platform/text/locale.ts';
import type { BookingDetail } from '../api/booking-schemas.ts';
import type { NextWaiting } from '../desk.ts';
import { actionForms } from './parts/action-forms.ts';
import {
  choiceText,
  differenceWords,
  nameOf,
  phoneLink,
  reasonText,
  stateBadge,
  visitNowWords,
  visitWords,
} from './parts/booking-words.ts';
import { card } from './parts/card.ts';
import { layout, typedOn, type Viewer } from './parts/layout.ts';

/** One booking with everything a person needs to decide about it, the patient first. For signed-in people only. */
export function bookingPage(
  detail: BookingDetail,
  viewer: Viewer,
  now: number,
  { next, clinics = [] }: { next?: NextWaiting | undefined; clinics?: readonly string[] } = {},
): string {
  const { booking, events, resembles, versions, looks_from } = detail;
  const locale = viewer.locale.inZone(detail.zone);
  const { t } = locale;
  const evidence = booking.evidence === null ? [] : facts(booking, booking.evidence, locale);
  const typed = typedOn(viewer);
  const choices = actionForms({ ...detail, clinics, typed, viewer: { ...viewer, locale } });
  const lead = leadOf(detail, locale);
  const said = `${lead} ${whyWords(booking, locale)}`;
  return layout({
    // Without the patient, because browsers keep titles in their history.
    title: booking.ref,
    viewer,
    locale,
    script: true,
    body: html`
      <p><a href="/bookings">${t('bookings')}</a></p>
      <div class="heading">
        <h1><bdi>${nameOf(booking, locale)}</bdi></h1>${stateBadge(booking.state, locale)}
        <span class="faint">${booking.ref}</span>
        <p class="buttons">
          ${
            next !== undefined &&
            html`
              <a href="/bookings/${next.ref}"${next.isDecided && html` class="button"`}>
                ${t('next_waiting', { count: next.left })}
              </a>
            `
          }
          <a href="/bookings/${booking.ref}/receipt">${t('receipt')}</a>
        </p>
      </div>
      <p class="who">
        ${booking.patient_phone !== null && html`${phoneLink(booking)} · `}${visitWords(booking, locale)} <span
          class="faint">(${locale.zone})</span>
      </p>
      ${
        detail.visit !== null &&
        html`<p>${visitNowWords(detail.visit, locale, locale.time(detail.visit.read_at, now))}</p>`
      }
      <p class="lead">${prose(lead)}</p>
      ${[...(resembles === null ? [] : [resembles]), ...versions]
        .slice(0, COMPARED)
        .map((other) => sideBySide(detail, other, locale))}
      <div class="detail">
        <div class="stack">
          ${
            looks_from !== null &&
            html`<p class="hint">${locale.rich('looks_from', { time: locale.moment(looks_from) })}</p>`
          }
          ${
            choices.length > 0 &&
            html`
              <section aria-labelledby="ways">
                <h2 id="ways">${t('what_to_do')}</h2>
                <ul class="ways">${choices}</ul>
              </section>
            `
          }
        </div>
        <div class="stack">
          ${card({ id: 'asked', title: t('asked_for') }, definitionList(requestedRows(booking, detail.chosen, locale)))}
          ${evidence.some(isThere) && card({ id: 'evidence', title: t('evidence') }, definitionList(evidence))}
          ${card(
            { id: 'history', title: t('history') },
            html`<ol class="history">${events.map((event) => moved(event, said, locale, now))}</ol>`,
          )}
        </div>
      </div>
    `,
  });
}

/** Why it is in its state; English has a sentence with more about it. */
const leadOf = ({ booking, sentence }: BookingDetail, locale: Locale): string =>
  (locale.isSource && withoutNames(sentence)) || reasonText(booking, locale);

/** A form may be sent again any number of times. */
const COMPARED = 5;

type Row = readonly [name: string, value: Part];

export const definitionList = (rows: readonly Row[]): Html =>
  html`
    <dl class="person">
      ${rows.filter(isThere).map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}
    </dl>
  `;

const isThere = ([, value]: Row): boolean =>
  value !== null && value !== undefined && value !== '' && value !== false;

export const requestedRows = (booking: Booking, chosen: ChosenNames, locale: Locale): Row[] => [
  ...submitted(booking, chosen, locale),
  ...recorded(booking, locale),
];

function submitted(booking: Booking, chosen: ChosenNames, locale: Locale): Row[] {
  const { t } = locale;
  return [
    [t('patient'), booking.patient_name],
    [t('phone'), phoneLink(booking)],
    [t('address'), booking.address],
    [t('visit'), visitWords(booking, locale)],
    [t('dentist'), choiceText(booking, chosen, 'doctor')],
    [t('treatment'), choiceText(booking, chosen, 'treatment')],
    [t('note'), booking.note],
  ];
}

function recorded(booking: Booking, locale: Locale): Row[] {
  const { t } = locale;
  return [
    [t('source'), booking.source],
    [t('clinic'), booking.clinic === noClinic ? t('none') : booking.clinic],
    [t('appointment_number'), booking.appointment_id],
    [
      t('came_in'),
      html`
        ${locale.moment(booking.received_at)}
        ${booking.merged > 0 && html` · ${t('same_again', { count: booking.merged })}`}
      `,
    ],
  ];
}

/** Two bookings side by side; differences in what was submitted are marked, also in words. */
function sideBySide(
  { booking, chosen }: BookingDetail,
  resembled: NonNullable<BookingDetail['resembles']>,
  locale: Locale,
): Html {
  const { t } = locale;
  const [mine, theirs] = [
    requestedRows(booking, chosen, locale),
    requestedRows(resembled, resembled.chosen, locale),
  ];
  const compared = submitted(booking, chosen, locale).length;
  const rows = mine.flatMap(([name, value], index) => {
    const other = theirs[index]?.[1];
    if (!isThere([name, value]) && !isThere([name, other])) return [];
    const same = index >= compared || plain(value) === plain(other);
    const cell = (part: Part) => (same ? part : html`<mark>${part || '–'}</mark>`);
    return [
      html`
        <tr role="row">
          <th role="rowheader" scope="row">
            ${name}${!same && html` <span class="faint">(${t('differs')})</span>`}
          </th>
          <td role="cell" data-label="${booking.ref}">${cell(value)}</td>
          <td role="cell" data-label="${resembled.ref}">${cell(other)}</td>
        </tr>
      `,
    ];
  });
  return card(
    { id: `resembles-${resembled.ref}`, title: t('resembles', { ref: resembled.ref }) },
    html`
      <table role="table" class="beside">
        <thead role="rowgroup">
          <tr role="row">
            <td role="cell"></td><th role="columnheader" scope="col">${booking.ref}</th>
            <th role="columnheader" scope="col">
              <a href="/bookings/${resembled.ref}">${resembled.ref}</a> ${stateBadge(resembled.state, locale)}
            </th>
          </tr>
        </thead>
        <tbody role="rowgroup">${rows}</tbody>
      </table>
    `,
  );
}

const plain = (part: Part): string => toText(html`${part}`);

export function facts(booking: Booking, evidence: Evidence, locale: Locale): Row[] {
  const { t } = locale;
  const counter = (reading: Evidence['counter_before']): Part =>
    reading &&
    html`${reading.value === null ? t('unknown_value') : locale.number(reading.value)} · ${locale.moment(reading.at)}`;
  return [
    [t('sent'), evidence.sent_at && locale.moment(evidence.sent_at)],
    [
      t('answered'),
      evidence.answer &&
        html`
          <span lang="en" dir="ltr">
            ${evidence.answer}${evidence.answered_id !== undefined && ` (${evidence.answered_id})`}
          </span>
        `,
    ],
    [t('counter_before'), counter(evidence.counter_before)],
    [t('counter_after'), counter(evidence.counter_after)],
    [t('own_between'), evidence.own_between],
    [t('ids_looked_at'), evidence.probed_ids?.join(', ')],
    [t('ids_matching'), evidence.matching_ids?.join(', ')],
    [t('differences'), differences(booking, evidence, locale)],
  ];
}

/** With the time of the check, which may be days ago. */
function differences(booking: Booking, { asked_at }: Evidence, locale: Locale): Part {
  const at = asked_at ?? booking.verified_at;
  const words = differenceWords(booking, locale);
  if (words === null || at === null) return words;
  return html`${words} <span class="faint">(${locale.moment(at)})</span>`;
}

const moved = (event: BookingEvent, said: string, locale: Locale, now: number): Html =>
  html`
    <li>
      ${stateBadge(event.to, locale)} ${locale.time(event.at, now)} <span class="faint">
        ${locale.t('by_whom', { who: event.by })}
      </span>
      ${eventWords(event, said, locale)}
    </li>
  `;

/** What the clinic or a person said stays as it was said. */
const quoted: readonly BookingEvent['to'][] = ['rejected', 'dropped'];

/** Why it moved, unless `said` says it; our own sentences in the reader's language, by their codes. */
export function eventWords({ to, reason, message }: BookingEvent, said: string, locale: Locale): Part {
  if (message === null) return null;
  const isOurs = !locale.isSource && !quoted.includes(to);
  const words = isOurs ? whyWords({ state: to, reason }, locale) : withoutNames(message);
  if (said.includes(words)) return null;
  return isOurs ? html`<br>${words}` : html`<br><span lang="en" dir="ltr">${words}</span>`;
}
