import type { BookingEvent } from '../../domain/bookings/booking.ts';
import { html } from '../../platform/text/html.ts';
import type { BookingDetail } from '../api/booking-schemas.ts';
import { definitionList, eventWords, facts, requestedRows } from './booking-page.ts';
import { reasonText, stateBadge, visitNowWords } from './parts/booking-words.ts';
import { card } from './parts/card.ts';
import { layout, type Viewer } from './parts/layout.ts';

/** One lead on paper, on the clinic's wall clock: what was asked, sent and answered, and who decided what, when. */
export function receiptPage(detail: BookingDetail, viewer: Viewer): string {
  const { booking, events } = detail;
  const locale = viewer.locale.inZone(detail.zone);
  const { t } = locale;
  const row = (event: BookingEvent) => {
    const { at, to, by } = event;
    return html`
      <tr role="row">
        <th role="rowheader" scope="row">${locale.moment(at)}</th>
        <td role="cell" data-name="state" data-label="${t('state')}">${stateBadge(to, locale)}</td>
        <td role="cell" data-label="${t('who')}">${by}</td>
        <td role="cell" data-name="why" data-label="${t('what')}">
          ${eventWords(event, '', locale)}
        </td>
      </tr>
    `;
  };
  return layout({
    title: `${t('receipt')} ${booking.ref}`,
    viewer,
    locale,
    body: html`
      <p class="no-print"><a href="/bookings/${booking.ref}">${booking.ref}</a></p>
      <div class="heading"><h1>${t('receipt')} ${booking.ref}</h1>${stateBadge(booking.state, locale)}</div>
      <p>${reasonText(booking, locale)} ${t('times_in', { zone: locale.zone })}.</p>
      ${
        detail.visit !== null &&
        html`<p>${visitNowWords(detail.visit, locale, locale.moment(detail.visit.read_at))}</p>`
      }
      ${card({ id: 'asked', title: t('asked_for') }, definitionList(requestedRows(booking, detail.chosen, locale)))}
      ${
        booking.evidence !== null &&
        card(
          { id: 'evidence', title: t('evidence') },
          definitionList(facts(booking, booking.evidence, locale)),
        )
      }
      ${card(
        { id: 'history', title: t('history') },
        html`
          <table role="table">
            <thead role="rowgroup">
              <tr role="row">
                ${(['when', 'state', 'who', 'what'] as const).map(
                  (name) => html`<th role="columnheader" scope="col">${t(name)}</th>`,
                )}
              </tr>
            </thead>
            <tbody role="rowgroup">${events.map(row)}</tbody>
          </table>
        `,
      )}
    `,
  });
}
