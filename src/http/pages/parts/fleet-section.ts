import type { FleetStatus, MemberStatus } from '../../../domain/status/fleet-report.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import type { Locale } from '../../../platform/text/locale.ts';
import { card } from './card.ts';
import { table } from './table.ts';

/** The running daemons and their work, where several may share it. */
export function fleetSection(fleet: FleetStatus | undefined, now: number, locale: Locale): Html | undefined {
  if (fleet === undefined) return undefined;
  const { t, rich, number, time } = locale;
  const { members, free, handed_over_at } = fleet;
  const columns = [
    { title: t('daemon'), cell: ({ name }: MemberStatus) => html`<code>${name}</code>` },
    { title: t('version'), cell: ({ version }: MemberStatus) => version },
    { title: t('since'), cell: ({ since }: MemberStatus) => time(since, now) },
    { title: t('heard'), cell: ({ beat_at }: MemberStatus) => time(beat_at, now) },
    { title: t('clock'), cell: ({ skew_ms }: MemberStatus) => clockWords(skew_ms, locale) },
    { title: t('clinics'), cell: ({ clinics }: MemberStatus) => number(clinics), figure: true },
    { title: t('connectors'), cell: ({ connectors }: MemberStatus) => number(connectors), figure: true },
  ];
  return card(
    {
      id: 'fleet',
      title: t('daemons'),
      beside: html`<p>${rich('handed_over', { time: time(handed_over_at, now) })}</p>`,
      isLive: true,
    },
    html`
      ${table(t('daemons'), columns, members, t('daemons_none'))}
      ${members.map(
        (member) => html`
          <p class="hint">
            ${rich('looks_after', { daemon: html`<code>${member.name}</code>`, work: workOf(member, locale) })}
          </p>
        `,
      )}
      ${
        free.length > 0 &&
        html`<p class="fault">${t('nobody_looks_after', { work: free.map(freeWords).join(', ') })}</p>`
      }
    `,
  );
}

function freeWords({ unit, on, failed }: FleetStatus['free'][number]): string {
  if (failed !== undefined) return `${unit} (${failed.host}: ${failed.problem})`;
  return on === undefined ? unit : `${unit} (${on})`;
}

const clockWords = (ms: number, { t, duration }: Locale): string =>
  ms === 0 ? t('clock_right') : t(ms > 0 ? 'clock_ahead' : 'clock_behind', { time: duration(Math.abs(ms)) });

function workOf({ units, clinics, connectors }: MemberStatus, { t }: Locale): string {
  if (units.length === 0) return t('none');
  // The upkeep is in neither count, and may be the unit that is not shown.
  const more = clinics + connectors - units.filter((unit) => unit !== 'upkeep').length;
  return `${units.join(', ')}${more > 0 ? `, ${t('and_more', { count: more })}` : ''}`;
}
