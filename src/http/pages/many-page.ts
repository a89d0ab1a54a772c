import type { Booking } from '../../domain/bookings/booking.ts';
import { html } from '../../platform/text/html.ts';
import { nameOf, stateBadge, visitWords } from './parts/booking-words.ts';
import { formField, layout, type Viewer } from './parts/layout.ts';

export type ManyDecision = 'approve' | 'drop';

interface ManyPage {
  decision: ManyDecision;
  /** Each with the `seenOf` that the person saw, which may be outdated. */
  chosen: readonly { booking: Booking; seen: string }[];
  /** The length of the list, when not all of it fits. */
  total: number;
  back: string;
  viewer: Viewer;
}

const SHOWN = 20;

/** Asks once before deciding about many bookings together, with their number and the first of them. */
export function manyPage({ decision, chosen, total, back, viewer }: ManyPage): string {
  const { locale } = viewer;
  const { t } = locale;
  const count = chosen.length;
  const title = t(decision === 'approve' ? 'confirm_approve' : 'confirm_drop', { count });
  const more = count - SHOWN;
  return layout({
    title,
    viewer,
    body: html`
      <h1>${title}</h1>
      <p class="lead">${t('confirm_each')}${total > count && html` ${t('first_of', { count, total })}`}</p>
      <section class="card" aria-label="${t('bookings')}">
        <ul class="plain">
          ${chosen.slice(0, SHOWN).map(
            ({ booking }) =>
              html`
                <li>
                  <a href="/bookings/${booking.ref}">${booking.ref}</a> ${stateBadge(booking.state, locale)} ${nameOf(
                    booking,
                    locale,
                  )} · ${visitWords(booking, locale)}
                </li>
              `,
          )}
        </ul>
        ${more > 0 && html`<p class="hint">${t('and_more', { count: more })}</p>`}
      </section>
      <form method="post" action="/admin/bookings/many/${decision}" class="card">
        ${formField(viewer.formToken, back)}
        <input type="hidden" name="picks"
          value="${chosen.map(({ booking, seen }) => `${booking.ref}.${seen}`).join(' ')}">
        ${
          decision === 'drop' &&
          html`<label>${t('why')}<input name="why" maxlength="200" required autocomplete="off"></label>`
        }
        <p class="buttons">
          <button${decision === 'drop' && html` class="danger"`}>${title}</button> <a href="${back}">
            ${t('cancel')}
          </a>
        </p>
      </form>
    `,
  });
}
