import type { Change } from '../../domain/clinics/change.ts';
import type { FeePeriod } from '../../domain/clinics/fees.ts';
import { namesIn } from '../../domain/clinics/record-columns.ts';
import { type ListPoll, resourceOf } from '../../domain/clinics/resource.ts';
import type { Row } from '../../domain/clinics/tables.ts';
import type { ClinicReport } from '../../domain/status/report.ts';
import { html } from '../../platform/text/html.ts';
import { changeList } from './changes-page.ts';
import { feePlot } from './fees-page.ts';
import { card, linkToMore } from './parts/card.ts';
import { layout, type Viewer } from './parts/layout.ts';
import { recordFacts } from './parts/record-values.ts';

interface RecordPage {
  clinic: ClinicReport;
  poll: ListPoll;
  row: Row;
  /** Of a treatment or dentist, newest first. */
  periods: readonly FeePeriod[];
  changes: readonly Change[];
  /** The address of the next page of changes. */
  older: string | null;
  viewer: Viewer;
  now: number;
}

/** One record of the mirror: all it has now, and how it changed. */
export function recordPage({ clinic, poll, row, periods, changes, older, viewer, now }: RecordPage): string {
  const locale = viewer.locale.inZone(clinic.timezone);
  const { t } = locale;
  const key = encodeURIComponent(clinic.clinic);
  const names = namesIn(poll);
  const id = String(row[names.id]);
  const name = String(row[names.name] ?? id);
  const hasFee = poll === 'treatments' || poll === 'dentists';
  const fee = t('fee_of', { name });
  const plotted = feePlot({ title: fee, periods, now, locale });
  return layout({
    title: `${name} · ${t(`poll_${poll}`)}`,
    viewer,
    locale,
    body: html`
      <p class="up">
        <a href="/clinics/${key}">${clinic.name ?? clinic.clinic}</a> ·${' '}
        <a href="/clinics/${key}/${poll}">${t(`poll_${poll}`)}</a>
      </p>
      <h1><bdi>${name}</bdi></h1>
      ${card(
        {
          id: 'record',
          title: t('record'),
        },
        recordFacts(poll, row, { locale, now }),
      )}
      ${
        hasFee &&
        card(
          {
            id: 'fees',
            title: fee,
            beside: html`
              <p><a href="/fees/${key}/${resourceOf[poll]}/${encodeURIComponent(id)}">${t('fee_history')}</a></p>
            `,
          },
          plotted ?? html`<p class="empty">${t('chart_empty')}</p>`,
        )
      }
      ${card(
        { id: 'changes', title: t('nav_changes') },
        html`
          ${changeList(changes, { locale, now, several: false, isOwn: true })}${linkToMore(older, t('older'))}
        `,
      )}
    `,
  });
}
