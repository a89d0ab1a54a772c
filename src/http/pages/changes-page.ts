import { noClinic } from '../../domain/bookings/booking.ts';
import { type Change, type ChangedResource, changedResources } from '../../domain/clinics/change.ts';
import { changeFacts } from '../../domain/clinics/change-facts.ts';
import { clinicLabels } from '../../domain/clinics/clinic-label.ts';
import { changedColumn, listPolls } from '../../domain/clinics/record-columns.ts';
import { type ListPoll, resourceOf } from '../../domain/clinics/resource.ts';
import { type Html, html, type Part } from '../../platform/text/html.ts';
import type { Locale } from '../../platform/text/locale.ts';
import { columnTitle } from '../../reports/figures.ts';
import type { TextName } from '../../texts/texts.ts';
import { linkToMore } from './parts/card.ts';
import { downloads } from './parts/downloads.ts';
import { layout, type Viewer } from './parts/layout.ts';
import { recordAddress } from './parts/record-values.ts';

interface ChangeList {
  locale: Locale;
  now: number;
  /** Whether each change names its clinic. */
  several: boolean;
  /** On the page of the record, which is not linked to itself. */
  isOwn?: boolean;
}

const SHOWN = 6;

/** Changes for people; of a patient, only that something changed. */
export function changeList(changes: readonly Change[], { locale, now, several, isOwn }: ChangeList): Html {
  const { t, time, number } = locale;
  if (changes.length === 0) return html`<p class="empty">${t('nothing_yet')}</p>`;
  return html`
    <ol class="changes">
      ${changes.map((change) => {
        const { clinic, sequence, at, resource, id } = change;
        const { name, fields } = changeFacts(change);
        const where = several && clinic !== noClinic && html`<code>${clinic}</code> `;
        const poll = listPollOf(resource);
        const isOnly = resource === 'organization' || resource === 'website';
        const what = isOnly ? undefined : html`<b>${name ?? id}</b>`;
        const happened = eventWords(change, locale);
        const linked = (text: Part) =>
          poll === undefined || isOwn ? text : html`<a href="${recordAddress(clinic, poll, id)}">${text}</a>`;
        return html`
          <li value="${sequence}">
            ${time(at, now)}<span class="kind">${t(resourceNames[resource])}</span>
            <span>
              ${where}${what === undefined ? linked(happened) : html`${linked(what)} ${happened}`}
              ${fields.slice(0, SHOWN).map(({ name: field, before, after = '' }) => {
                const column = changedColumn(resource, field);
                const isFigure = column?.type === 'money' || column?.type === 'count';
                const said = (value: string) => html`<bdi>${isFigure ? number(value) : value}</bdi>`;
                const title = column ? columnTitle(field, column, locale) : field;
                // In right-to-left text, an arrow between numbers would point backwards.
                const values =
                  before !== undefined && html` <bdi dir="ltr">${said(before)} → ${said(after)}</bdi>`;
                return html` · <bdi>${title}</bdi>${values}`;
              })}
              ${fields.length > SHOWN && html` · ${t('and_more', { count: fields.length - SHOWN })}`}
            </span>
          </li>
        `;
      })}
    </ol>
  `;
}

const listPollOf = (resource: ChangedResource): ListPoll | undefined =>
  listPolls.find((poll) => resourceOf[poll] === resource);

const bookingStates = [
  'received',
  'held',
  'queued',
  'booked',
  'rejected',
  'unknown',
  'expired',
  'dropped',
] as const;
const verbs = ['created', 'updated', 'removed', 'tracked', 'status_changed'] as const;

/** Includes what people were notified about. */
const announced = new Map<
  string,
  'lead_converted' | 'lead_retracted' | 'health_trouble' | 'health_ok' | 'verb_created' | 'verb_removed'
>([
  ['lead.converted', 'lead_converted'],
  ['lead.conversion_retracted', 'lead_retracted'],
  ['health.trouble', 'health_trouble'],
  ['health.recovered', 'health_ok'],
  ['needs_you.opened', 'verb_created'],
  ['needs_you.settled', 'verb_removed'],
]);

const resourceNames = {
  organization: 'thing_organization',
  website: 'thing_website',
  treatment: 'thing_treatment',
  dentist: 'thing_dentist',
  appointment: 'thing_appointment',
  booking: 'thing_booking',
  lead: 'thing_lead',
  health: 'nav_incidents',
  need: 'needs_you',
} as const satisfies Record<ChangedResource, TextName>;

/** `treatment.updated` becomes “changed”, `booking.held` “held”. */
function eventWords({ type }: Change, { t }: Locale): string {
  const verb = type.slice(type.indexOf('.') + 1);
  const state = bookingStates.find((one) => one === verb);
  if (state !== undefined) return t(`booking_${state}`);
  const known = verbs.find((one) => one === verb);
  if (known !== undefined) return t(`verb_${known}`);
  const said = announced.get(type);
  return said === undefined ? type : t(said);
}

interface ChangesFilter {
  clinic: string | undefined;
  resource: ChangedResource | undefined;
  id: string | undefined;
}

interface ChangesPage {
  changes: readonly Change[];
  filter: ChangesFilter;
  clinics: readonly { clinic: string; name: string | null }[];
  /** Its own address. */
  here: string;
  /** The address of the next page. */
  older: string | null;
  viewer: Viewer;
  locale: Locale;
  now: number;
}

/** One page of the change log. */
export function changesPage(page: ChangesPage): string {
  const { changes, filter, clinics, here, older, viewer, locale, now } = page;
  const { t } = locale;
  return layout({
    title: t('nav_changes'),
    viewer,
    locale,
    body: html`
      <h1>${t('nav_changes')}</h1>
      <p class="lead">${t('changes_lead')}</p>
      <form method="get" action="/change-log" class="filter">
        ${clinics.length > 1 && clinicSelect(clinics, filter.clinic, t('all'), t('clinic'))}
        ${
          (clinics.length === 1 || filter.clinic !== undefined) &&
          html`
            <label>
              ${t('resource')}
              <select name="resource">
                <option value="">${t('all')}</option>
                ${changedResources.map(
                  (one) => html`
                    <option value="${one}"${one === filter.resource && html` selected`}>
                      ${t(resourceNames[one])}
                    </option>
                  `,
                )}
              </select>
            </label>
          `
        }
        ${
          filter.resource !== undefined &&
          html`
            <label>
              ${t('record')}<input name="id" value="${filter.id ?? ''}" maxlength="60" autocomplete="off">
            </label>
          `
        }
        <button class="quiet">${t('show')}</button>
      </form>
      ${
        clinics.length > 1 &&
        filter.clinic === undefined &&
        html`<p class="hint">${t('choose_clinic_first')}</p>`
      }
      <section class="card" aria-label="${t('nav_changes')}">
        ${
          changes.length === 0
            ? html`<p class="empty">${t('changes_none')}</p>`
            : changeList(changes, { locale, now, several: clinics.length > 1 && filter.clinic === undefined })
        }
        ${linkToMore(older, t('older'))}
      </section>
      ${downloads(here, locale)}
    `,
  });
}

/** A list to choose a clinic from, or a text field when there are many. */
export const clinicSelect = (
  clinics: readonly { clinic: string; name: string | null }[],
  chosen: string | undefined,
  all: string,
  label: string,
): Html => {
  const labelOf = clinicLabels(clinics);
  return clinics.length > MOST_OPTIONS
    ? html`<label>${label}<input name="clinic" value="${chosen ?? ''}" maxlength="60" autocomplete="off"></label>`
    : html`
      <label>
        ${label}
        <select name="clinic">
          <option value="">${all}</option>
          ${clinics.map(
            (one) => html`
              <option value="${one.clinic}"${one.clinic === chosen && html` selected`}>
                ${labelOf(one)}
              </option>
            `,
          )}
        </select>
      </label>
    `;
};

const MOST_OPTIONS = 100;
