import type { Change } from '../../domain/clinics/change.ts';
import { resourceOf } from '../../domain/clinics/resource.ts';
import type { Row } from '../../domain/clinics/tables.ts';
import type { ClinicReport, ResourceReport } from '../../domain/status/report.ts';
import { toMs } from '../../platform/clock.ts';
import { type Html, html } from '../../platform/text/html.ts';
import type { Locale } from '../../platform/text/locale.ts';
import type { Guard } from '../../store/ports/polls.ts';
import { changeList } from './changes-page.ts';
import { card } from './parts/card.ts';
import { inWords } from './parts/connector-words.ts';
import { layout, type Viewer } from './parts/layout.ts';
import { operationButton } from './parts/operation-button.ts';
import { type LastDay, resourceState, resourceStrip } from './parts/resource-row.ts';
import { table } from './parts/table.ts';

/** A row of the mirror: its name, and the address of its history. */
interface RecordRow {
  id: string;
  name: string;
  since: string;
  removed: boolean;
}

interface ResourcePage {
  clinic: ClinicReport;
  resource: ResourceReport;
  day: LastDay;
  guards: readonly Guard[];
  records: readonly RecordRow[];
  /** The last record of this page, when more follow. */
  next: string | null;
  changes: readonly Change[];
  viewer: Viewer;
  now: number;
}

/** One resource of a clinic: its freshness, its records, what is held back or unreadable, and what changed. */
export function resourcePage(page: ResourcePage): string {
  const { clinic, resource, day, changes, viewer, now } = page;
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
      ${poll !== 'appointments' && recordsSection(page, locale)}
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

function recordsSection(
  { clinic, resource, records, next, viewer, now }: ResourcePage,
  { t, time }: Locale,
): Html {
  const key = encodeURIComponent(clinic.clinic);
  const columns = [
    {
      title: t('record'),
      cell: ({ id, name }: RecordRow) =>
        html`
          <a
            href="/change-log?clinic=${key}&amp;resource=${resourceOf[resource.poll]}&amp;id=${encodeURIComponent(id)}">
            ${name}
          </a> <span class="faint">${id}</span>
        `,
    },
    {
      title: t('state'),
      cell: ({ removed }: RecordRow) => removed && html`<span class="faint">${t('removed')}</span>`,
    },
    { title: t('last_change'), cell: ({ since }: RecordRow) => time(since, now) },
  ];
  const [path] = viewer.here.split('?');
  return card(
    { id: 'rows', title: t('rows') },
    html`
      ${table(t('rows'), columns, records, t('records_none'))}
      ${
        next !== null &&
        html`
          <p class="hint">
            <a href="${`${path}?after=${encodeURIComponent(next)}`}#rows">${t('next_page')}</a>
          </p>
        `
      }
    `,
  );
}

/** The name of a row of the mirror. */
export const recordRow = (row: Row): RecordRow => ({
  id: String(row.treatment_id ?? row.doctor_id ?? row.care_id),
  name: String(row.treatment_name ?? row.doctor_name ?? row.name ?? row.clinic_name ?? '–'),
  since: String(row.changed_at),
  removed: row.removed_at !== null,
});
