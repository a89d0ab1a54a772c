import type { ClinicReport } from '../../../domain/status/report.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import type { Locale } from '../../../platform/text/locale.ts';
import { may } from '../../access/roles.ts';
import { untilField } from '../one-tap-page.ts';
import { inWords } from './connector-words.ts';
import { badge, formField, type Viewer } from './layout.ts';
import { operationButton, operationPath } from './operation-button.ts';
import { type LastDay, resourceColumns } from './resource-row.ts';
import { table } from './table.ts';

interface Card {
  viewer: Viewer;
  locale: Locale;
  day: LastDay;
  now: number;
  /** True on the clinic's own page, which shows the name above. */
  full: boolean;
}

const ANSWER = '/admin/silences/:clinic/answer';

/** Says until when nobody is told that no leads arrive, and ends it. */
function closedNotice({ clinic, closed_until }: ClinicReport, viewer: Viewer, { t, inZone }: Locale): Html {
  const day = inZone('UTC').date(Date.parse(`${closed_until}T12:00:00Z`), { dateStyle: 'long' });
  return html`
    <div class="notice">
      <span>${t('closed_until', { day })} ${t('hint_closed')}</span>
      ${operationButton(viewer, ANSWER, clinic)}
    </div>
  `;
}

/** Asks until when the clinic is closed. */
function closing(clinic: string, viewer: Viewer): Html | undefined {
  const { t } = viewer.locale;
  if (!may(viewer.role, ANSWER)) return undefined;
  return html`
    <details class="sure">
      <summary class="button quiet">${t('step_closed')}</summary>
      <form method="post" action="${operationPath(ANSWER, clinic)}">
        ${formField(viewer.formToken, viewer.here)}
        <p>${t('hint_closed')}</p>
        <p>${untilField(viewer.locale)}</p><button>${t('step_closed')}</button>
      </form>
    </details>
  `;
}

export const nothingKnown: LastDay = { incidents: [], hours: [] };

/** A clinic's resources at a glance. */
export function clinicCard(clinic: ClinicReport, { viewer, locale, day, now, full }: Card): Html {
  const { t, rich, time } = locale;
  const key = encodeURIComponent(clinic.clinic);
  const id = `clinic-${key}`;
  const { lane } = clinic;
  return html`
    <section aria-labelledby="${id}" class="card" id="card-${id}" data-live>
      <div class="heading">
        <h2 id="${id}">
          ${full ? t('resources') : html`<a href="/clinics/${key}">${clinic.name ?? clinic.clinic}</a>`}
        </h2>
        ${!full && html`<p class="faint"><code>${clinic.clinic}</code></p>`}
        <div class="buttons">
          ${operationButton(viewer, '/admin/clinics/:clinic/sync', clinic.clinic)}
          ${full && clinic.closed_until === null && closing(clinic.clinic, viewer)}
        </div>
      </div>
      ${
        lane.state === 'paused' &&
        html`
          <div class="notice is-attention">
            ${badge('attention', t('bookings_paused'))}
            <span><span lang="en" dir="ltr">${lane.reason}</span> · ${time(lane.since, now)}</span>
            ${operationButton(viewer, '/admin/clinics/:clinic/resume-lane', clinic.clinic)}
          </div>
        `
      }
      ${clinic.closed_until !== null && closedNotice(clinic, viewer, locale)}
      ${table(
        t('resources'),
        resourceColumns({ clinic: clinic.clinic, day, now, locale, full }),
        clinic.resources,
      )}
      ${clinic.resources
        .filter(({ failures, last_error }) => failures > 0 && last_error !== null)
        .map(
          ({ poll, last_error, said }) =>
            html`
              <p class="fault">
                <strong>${t(`poll_${poll}`)}</strong> ${inWords(last_error ?? '', said, locale)}
              </p>
            `,
        )}
      ${clinic.resources
        .filter(({ unreadable }) => unreadable.length > 0)
        .map(({ poll, unreadable: [first, ...others] }) => {
          const what = html`
            <a href="${`/clinics/${key}/${poll}`}#unreadable">
              ${t(`poll_${poll}`)}${first?.id != null && ` ${first.id}`}
            </a>
          `;
          const problem = html`<span lang="en" dir="ltr">${first?.problem}</span>`;
          return html`
            <p class="fault">
              ${what} ${rich('cannot_be_read', { problem })}
              ${others.length > 0 && html` · ${t('and_more', { count: others.length })}`}
            </p>
          `;
        })}
    </section>
  `;
}
