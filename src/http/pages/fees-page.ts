import type { Change } from '../../domain/change.ts';
import { toMs } from '../../platform/clock.ts';
import { type Html, html } from '../../platform/html.ts';
import { clinicSelect } from './changes-page.ts';
import { layout, type Viewer } from './layout.ts';
import { type Column, table } from './table.ts';

/** What something costs. */
export interface Fee {
  kind: 'treatment' | 'dentist';
  id: string;
  name: string;
  /** As the clinic wrote it; null when it has none. */
  fee: string | null;
  removed: boolean;
}

interface FeesPage {
  fees: readonly Fee[];
  clinic: { clinic: string; name: string | null; timezone: string };
  clinics: readonly { clinic: string; name: string | null }[];
  currency: string | null;
  viewer: Viewer;
}

/** The prices of one clinic. */
export function feesPage({ fees, clinic, clinics, currency, viewer }: FeesPage): string {
  const locale = viewer.locale.inZone(clinic.timezone);
  const { t } = locale;
  const key = encodeURIComponent(clinic.clinic);
  const columns: Column<Fee>[] = [
    {
      title: t('what'),
      cell: ({ kind, id, name }) =>
        html`<a href="${`/fees/${key}/${kind}/${encodeURIComponent(id)}`}">${name}</a>`,
    },
    { title: t('fee'), cell: ({ fee }) => feeText(fee, currency), figure: true },
    {
      title: t('state'),
      cell: ({ removed }) => removed && html`<span class="faint">${t('removed')}</span>`,
    },
  ];
  const part = (title: string, kind: Fee['kind']): Html | undefined => {
    const own = fees.filter((one) => one.kind === kind);
    return own.length === 0
      ? undefined
      : html`<section class="card" aria-label="${title}"><h2>${title}</h2>${table(title, columns, own)}</section>`;
  };
  return layout({
    title: t('nav_fees'),
    viewer,
    locale,
    body: html`<h1>${t('nav_fees')}</h1><p class="lead">${t('fees_lead')}</p>
${clinics.length > 1 && html`<form method="get" action="/fees" class="filter">${clinicSelect(clinics, clinic.clinic, clinic.name ?? clinic.clinic, t('clinic'))}<button class="quiet">${t('show')}</button></form>`}
${fees.length === 0 ? html`<section class="card"><p class="empty">${t('fees_none')}</p></section>` : [part(t('poll_treatments'), 'treatment'), part(t('consultation'), 'dentist')]}`,
  });
}

const feeText = (fee: string | null, currency: string | null): Html =>
  html`<bdi>${fee === null ? '–' : currency === null ? fee : `${fee} ${currency}`}</bdi>`;

interface FeePage {
  clinic: FeesPage['clinic'];
  kind: Fee['kind'];
  id: string;
  /** The newest first; those of this record, whatever they changed. */
  changes: readonly Change[];
  older: string | null;
  currency: string | null;
  viewer: Viewer;
}

const feeField = { treatment: 'base_fee', dentist: 'consultation_fee' } as const;

/** What one thing has cost, and since when: “Fee of Scaling: 80.00 → 90.00 since 3 March 2026”. */
export function feePage({ clinic, kind, id, changes, older, currency, viewer }: FeePage): string {
  const locale = viewer.locale.inZone(clinic.timezone);
  const { t, rich, date } = locale;
  const field = feeField[kind];
  const [newest] = changes;
  const name = String(newest?.data.treatment_name ?? newest?.data.doctor_name ?? id);
  const moved = changes.filter(({ previous }) => previous === null || Object.hasOwn(previous, field));
  const text = (value: unknown) =>
    feeText(value === null || value === undefined ? null : String(value), currency);
  const line = ({ at, data, previous }: Change): Html => {
    const day = html`<time datetime="${at}">${date(toMs(at), { day: 'numeric', month: 'long', year: 'numeric' })}</time>`;
    const known = { name, after: text(data[field]), date: day };
    return previous === null || previous[field] === undefined
      ? rich('fee_now', known)
      : rich('fee_changed', { ...known, before: text(previous[field]) });
  };
  const key = encodeURIComponent(clinic.clinic);
  return layout({
    title: t('fee_of', { name }),
    viewer,
    locale,
    body: html`<p class="up"><a href="/fees?clinic=${key}">${t('nav_fees')}</a></p><h1>${t('fee_of', { name })}</h1>
<section class="card" aria-labelledby="history"><h2 id="history">${t('fee_history')}</h2>${moved.length === 0 ? html`<p class="empty">${t('nothing_yet')}</p>` : html`<ol class="history">${moved.map((change) => html`<li>${line(change)}</li>`)}</ol>`}${older !== null && html`<p class="hint"><a href="${older}">${t('older')}</a></p>`}</section>`,
  });
}
