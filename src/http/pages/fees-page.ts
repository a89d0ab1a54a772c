import type { FeePeriod, ListedPrice } from '../../domain/clinics/fees.ts';
import { moneyText } from '../../domain/clinics/money.ts';
import { type PricePage, priceColumns } from '../../domain/clinics/report-columns.ts';
import { toMs } from '../../platform/clock.ts';
import { type Html, html, type Part } from '../../platform/text/html.ts';
import type { Locale } from '../../platform/text/locale.ts';
import { asRow, NOTHING } from '../../reports/figures.ts';
import { clinicSelect } from './changes-page.ts';
import { card, linkToMore } from './parts/card.ts';
import { type Point, plot } from './parts/charts/plot.ts';
import { downloads } from './parts/downloads.ts';
import { layout, type Viewer } from './parts/layout.ts';
import { dayCell, dayText, reportTable } from './parts/report-table.ts';

interface FeesPage {
  list: PricePage;
  /** The day asked for, if it has not come yet. */
  future: string | undefined;
  clinic: { clinic: string; name: string | null; timezone: string };
  clinics: readonly { clinic: string; name: string | null }[];
  viewer: Viewer;
}

/** The prices of one clinic on a day. */
export function feesPage({ list, future, clinic, clinics, viewer }: FeesPage): string {
  const locale = viewer.locale.inZone(clinic.timezone);
  const { t } = locale;
  const { on, known_since } = list;
  const key = encodeURIComponent(clinic.clinic);
  const line = (price: ListedPrice) => ({
    label: html`
      <a href="${`/fees/${key}/${price.kind}/${encodeURIComponent(price.id)}`}">${price.name ?? price.id}</a>
    `,
    rows: [asRow(price)],
  });
  const part = (title: string, kind: ListedPrice['kind']): Html | undefined => {
    const own = list.prices.filter((one) => one.kind === kind);
    const more = list.next.find((one) => one.kind === kind);
    const query = String(new URLSearchParams({ clinic: clinic.clinic, on, ...more }));
    return own.length === 0
      ? undefined
      : html`
        <section class="card">
          <h2>${title}</h2>
          ${reportTable({ caption: title, title: t('what'), columns: priceColumns, lines: own.map(line), locale })}
          ${more && html`<p class="hint"><a href="/fees?${query}">${t('next_page')}</a></p>`}
        </section>
      `;
  };
  const said = (day: string) => dayText(day, locale.inZone('UTC'));
  return layout({
    title: t('nav_fees'),
    viewer,
    locale,
    body: html`
      <h1>${t('nav_fees')}</h1>
      <p class="lead">${t('fees_lead')} ${t('prices_at_end', { day: said(on) })}</p>
      ${future !== undefined && html`<p class="fault">${t('future_day', { day: said(future) })}</p>`}
      <form method="get" action="/fees" class="filter">
        ${
          clinics.length > 1 &&
          clinicSelect(clinics, clinic.clinic, clinic.name ?? clinic.clinic, t('clinic'))
        }
        <label>${t('prices_on')}<input type="date" name="on" value="${on}"></label>
        <button class="quiet">${t('show')}</button>
      </form>
      ${
        list.prices.length > 0
          ? [part(t('poll_treatments'), 'treatment'), part(t('consultation'), 'dentist')]
          : html`
            <section class="card">
              <p class="empty">
                ${known_since === null ? t('fees_none') : t('known_since', { day: dayText(known_since, locale) })}
              </p>
            </section>
          `
      }
      ${downloads(`/fees?${new URLSearchParams({ clinic: clinic.clinic, on })}`, locale)}
    `,
  });
}

const feeText = ({ fee, currency }: Pick<FeePeriod, 'fee' | 'currency'>, locale: Locale): Html =>
  html`<bdi>${fee === null ? NOTHING : moneyText(fee, currency, locale)}</bdi>`;

interface FeePlot {
  title: string;
  /** Newest first. */
  periods: readonly FeePeriod[];
  now: number;
  locale: Locale;
}

/** The fee over time, in its present currency: amounts in another one are no points of the same line. */
export function feePlot({ title, periods, now, locale }: FeePlot): Html | undefined {
  const { currency } = periods.find(({ fee }) => fee !== null) ?? {};
  const other = periods.findIndex((one) => one.fee !== null && one.currency !== currency);
  const own = (other < 0 ? periods : periods.slice(0, other)).toReversed();
  const points = own.flatMap(({ fee, valid_from, valid_to }, at): Point[] => {
    const value = fee === null ? null : Number(fee);
    const shown = fee === null ? NOTHING : moneyText(fee, currency ?? null, locale);
    const hasEnded = valid_to !== null && own[at + 1]?.valid_from !== valid_to;
    return [
      { at: toMs(valid_from), value, shown },
      ...(hasEnded ? [{ at: toMs(valid_to), value: null }] : []),
    ];
  });
  if (points.every(({ value }) => value === null)) return undefined;
  return html`<figure class="one-plot">${plot({ title, points, now, id: 'plot-fee' }, locale)}</figure>`;
}

interface FeePage {
  clinic: FeesPage['clinic'];
  id: string;
  /** Newest first, with one more than shown when there are older ones. */
  periods: readonly FeePeriod[];
  shown: number;
  /** Its own address. */
  here: string;
  older: string | null;
  viewer: Viewer;
  now: number;
}

/** The fees of one thing and their dates: “Fee of Scaling: 80.00 → 90.00 since 3 March 2026”. */
export function feePage({ clinic, id, periods, shown, here, older, viewer, now }: FeePage): string {
  const locale = viewer.locale.inZone(clinic.timezone);
  const { t, rich } = locale;
  const name = periods[0]?.name ?? id;
  const line = (period: FeePeriod, at: number): Part => {
    const former = periods[at + 1];
    const known = {
      name: period.name ?? id,
      after: feeText(period, locale),
      date: dayCell(period.valid_from, locale),
    };
    const { valid_to } = period;
    const hasEnded = valid_to !== null && periods[at - 1]?.valid_from !== valid_to;
    return [
      former?.valid_to === period.valid_from
        ? rich('fee_changed', { ...known, before: feeText(former, locale) })
        : rich('fee_now', known),
      hasEnded && html` <span class="faint">${t('until')} ${dayCell(valid_to, locale)}</span>`,
    ];
  };
  const key = encodeURIComponent(clinic.clinic);
  return layout({
    title: t('fee_of', { name }),
    viewer,
    locale,
    body: html`
      <p class="up"><a href="/fees?clinic=${key}">${t('nav_fees')}</a></p><h1>${t('fee_of', { name })}</h1>
      ${card(
        { id: 'history', title: t('fee_history') },
        html`
          ${feePlot({ title: t('fee_of', { name }), periods: periods.slice(0, shown), now, locale })}
          <ol class="history">
            ${periods.slice(0, shown).map((period, at) => html`<li>${line(period, at)}</li>`)}
          </ol>
          ${linkToMore(older, t('older'))}
        `,
      )}
      ${downloads(here, locale)}
    `,
  });
}
