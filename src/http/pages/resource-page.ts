import type { Change } from '../../domain/clinics/change.ts';
import { mirrorColumns, namesIn } from '../../domain/clinics/record-columns.ts';
import type { ReportColumns } from '../../domain/clinics/report-columns.ts';
import { type ListPoll, resourceOf } from '../../domain/clinics/resource.ts';
import type { Row } from '../../domain/clinics/tables.ts';
import type { ClinicReport, ResourceReport } from '../../domain/status/report.ts';
import { toMs } from '../../platform/clock.ts';
import { type Html, html, type Part } from '../../platform/text/html.ts';
import type { Locale } from '../../platform/text/locale.ts';
import { NOTHING } from '../../reports/figures.ts';
import type { Guard } from '../../store/ports/polls.ts';
import { changeList } from './changes-page.ts';
import { card, linkToMore } from './parts/card.ts';
import { inWords } from './parts/connector-words.ts';
import { downloads } from './parts/downloads.ts';
import { layout, type Viewer } from './parts/layout.ts';
import { operationButton } from './parts/operation-button.ts';
import { recordColumnsOf, recordFacts, type ShownAt } from './parts/record-values.ts';
import { type LastDay, resourceState, resourceStrip } from './parts/resource-row.ts';
import { type PageColumn, table } from './parts/table.ts';

/** A page of a resource's records. */
interface RecordList {
  poll: ListPoll;
  rows: readonly Row[];
  /** The address of the next page, when more follow. */
  next: string | null;
  /** The address of the first. */
  here: string;
}

type Visits = Omit<RecordList, 'poll'> & { columns: ReportColumns };

interface ResourcePage {
  clinic: ClinicReport;
  resource: ResourceReport;
  day: LastDay;
  guards: readonly Guard[];
  /** Absent for appointments, which are `visits`. */
  list?: RecordList;
  visits?: Visits;
  changes: readonly Change[];
  viewer: Viewer;
  now: number;
}

/** One resource of a clinic: its freshness, its records, what is held back or unreadable, and what changed. */
export function resourcePage(page: ResourcePage): string {
  const { clinic, resource, day, list, visits, changes, viewer, now } = page;
  const locale = viewer.locale.inZone(clinic.timezone);
  const { t, number, time, duration } = locale;
  const key = encodeURIComponent(clinic.clinic);
  const { poll } = resource;
  return layout({
    title: `${t(`poll_${poll}`)} · ${clinic.name ?? clinic.clinic}`,
    viewer,
    locale,
    live: true,
    body: html`
      <p class="up">
        <a href="/">${t('nav_overview')}</a> · <a href="/clinics/${key}">${clinic.name ?? clinic.clinic}</a>
      </p>
      <div class="heading">
        <h1>${t(`poll_${poll}`)}</h1>${resourceState(resource, locale)}
        <div class="buttons">
          ${operationButton(viewer, '/admin/clinics/:clinic/sync', clinic.clinic, { fields: { resource: poll } })}
        </div>
      </div>
      ${card(
        { id: 'fresh', title: t('freshness'), isLive: true },
        html`
          <div class="wide-strip">
            ${resourceStrip(resource, day, now, locale)}
            <p class="faint">${t('last_day')}</p>
          </div>
          <dl class="facts">
            <div>
              <dt>${t('last_read')}</dt><dd>${time(resource.last_success_at, now, t('none_yet'))}</dd>
            </div>
            <div>
              <dt>${t('last_change')}</dt><dd>${time(resource.last_change_at, now, t('none_yet'))}</dd>
            </div>
            <div>
              <dt>${t('next_poll')}</dt>
              <dd>
                ${
                  resource.next_due_at !== null && toMs(resource.next_due_at) <= now
                    ? t('now_due')
                    : time(resource.next_due_at, now, t('not_planned'))
                }
              </dd>
            </div>
            <div><dt>${t('settings_read')}</dt><dd>${duration(resource.interval_ms)}</dd></div>
            <div><dt>${t('rows')}</dt><dd>${number(resource.rows)}</dd></div>
            <div><dt>${t('failures')}</dt><dd>${number(resource.failures)}</dd></div>
          </dl>
          ${
            resource.last_error !== null &&
            resource.failures > 0 &&
            html`<p class="fault">${inWords(resource.last_error, resource.said, locale)}</p>`
          }
        `,
      )}
      ${guardsSection(page, locale)}${unreadableSection(resource, now, locale)}
      ${list && recordsSection(list, key, { locale, now })}
      ${visits && visitsSection(visits, { locale, now })}
      ${card(
        {
          id: 'changes',
          title: t('recent_changes'),
          beside: html`
            <p>
              <a href="/change-log?clinic=${key}&amp;resource=${resourceOf[poll]}">${t('all_changes')}</a>
            </p>
          `,
          isLive: true,
        },
        changeList(changes, { locale, now, several: false }),
      )}
    `,
  });
}

function guardsSection({ guards, viewer, now }: ResourcePage, { t, time }: Locale): Html | undefined {
  if (guards.length === 0) return undefined;
  return html`
    <section class="card" aria-labelledby="guards" id="guards-part">
      <h2 id="guards">${t('guards')}</h2>
      ${guards.map(
        (guard) => html`
          <div class="guard">
            <p>
              <strong>
                ${t(guard.kind === 'removed' ? 'guard_removed' : 'guard_changed', {
                  count: guard.count,
                  of: guard.of,
                })}
              </strong> · ${time(guard.first_at, now)}
            </p>
            <p class="faint">
              ${guard.approval_only ? t('guard_only_person') : t('guard_seen', { count: guard.seen })}
            </p>
            <ul class="things">
              ${guard.things.map(
                ({ id, name }) => html`<li>${name ?? ''} <span class="faint">${id}</span></li>`,
              )}
            </ul>
            <div class="buttons">
              ${operationButton(viewer, '/admin/guards/:id/approve', guard.id)}
            </div>
          </div>
        `,
      )}
    </section>
  `;
}

function unreadableSection(
  { unreadable }: ResourceReport,
  now: number,
  { t, time, rich }: Locale,
): Html | undefined {
  if (unreadable.length === 0) return undefined;
  return card(
    { id: 'unreadable', title: t('unreadable') },
    html`
      ${unreadable.slice(0, MOST_UNREADABLE).map((row) => {
        const problem = html`<span lang="en" dir="ltr">${row.problem}</span>`;
        return html`
          <p class="fault">
            <strong>${row.id ?? t('record')}</strong> ${rich('cannot_be_read', { problem })} · ${time(row.since, now)}
          </p>
        `;
      })}
      ${
        unreadable.length > MOST_UNREADABLE &&
        html`<p class="hint">${t('and_more', { count: unreadable.length - MOST_UNREADABLE })}</p>`
      }`,
  );
}

const MOST_UNREADABLE = 50;

function recordsSection({ poll, rows, next, here }: RecordList, key: string, shown: ShownAt): Html {
  const { t } = shown.locale;
  const { id, name } = namesIn(poll);
  const link = (row: Row) => [
    html`<a href="/clinics/${key}/${poll}/${row[id]}"><bdi>${row[name] ?? NOTHING}</bdi></a>`,
    html` <span class="faint">${row[id]}${row.removed_at !== null && ` · ${t('removed')}`}</span>`,
  ];
  const columns = [
    { title: t('record'), cell: link },
    ...recordColumnsOf(mirrorColumns[poll], { ...shown, without: [id, name, 'first_seen_at', 'removed_at'] }),
  ];
  const isList = poll === 'treatments' || poll === 'dentists';
  return rowsCard(
    { next, here },
    isList || rows.length === 0
      ? rowsTable(columns, rows, shown)
      : rows.map((row) => html`<p>${link(row)}</p>${recordFacts(poll, row, shown)}`),
    shown,
  );
}

const visitsSection = ({ columns, rows, ...links }: Visits, shown: ShownAt): Html =>
  rowsCard(
    links,
    rowsTable(recordColumnsOf(columns, { ...shown, without: ['first_seen_at'] }), rows, shown),
    shown,
  );

const rowsTable = (
  columns: readonly PageColumn<Row>[],
  rows: readonly Row[],
  { locale: { t } }: ShownAt,
): Html => html`
  <div class="scroll" role="group" tabindex="0" aria-label="${t('rows')}">
    ${table(t('rows'), columns, rows, t('records_none'))}
  </div>
`;

const rowsCard = ({ next, here }: Pick<RecordList, 'next' | 'here'>, body: Part, { locale }: ShownAt): Html =>
  card(
    { id: 'rows', title: locale.t('rows') },
    html`${body}${linkToMore(next && `${next}#rows`, locale.t('next_page'))}${downloads(here, locale)}`,
  );
