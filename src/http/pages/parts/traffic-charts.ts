import { toMs } from '../../../platform/clock.ts';
import { DAY, HOUR, MINUTE } from '../../../platform/duration.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import type { Locale } from '../../../platform/text/locale.ts';
import type { Activity } from '../../../store/ports/activity.ts';
import type { Incident } from '../../../store/ports/incidents.ts';
import { leftOf, niceLevels } from './plot.ts';

/** Half hours of a day. */
const SLOTS = 48;
const SLOT_MS = 30 * MINUTE;

type Slot = 'ok' | 'trouble' | 'stale' | 'nothing';

interface Strip {
  subject: string;
  /** The incidents of this resource or clinic. */
  incidents: readonly Incident[];
  /** Starts of the hours in which the clinic was called. */
  hours: readonly number[];
  /** How often it is read. */
  intervalMs: number;
  now: number;
}

/** The last day in half hours, as Gatus draws it; equal neighbours share a bar. */
export function strip(
  { subject, incidents, hours, intervalMs, now }: Strip,
  { t, duration, dir }: Locale,
): Html {
  const start = now - SLOTS * SLOT_MS;
  const slots = Array.from({ length: SLOTS }, (_, slot): Slot => {
    const from = start + slot * SLOT_MS;
    const during = incidents.filter((one) => lasted(one, from, from + SLOT_MS));
    if (during.some(({ health }) => health === 'stale')) return 'stale';
    if (during.length > 0) return 'trouble';
    return hours.some((hour) => hour < from + SLOT_MS && from < hour + HOUR + intervalMs) ? 'ok' : 'nothing';
  });
  // Before the first known hour nothing is known; a later gap means that nothing was read.
  const known = slots.findIndex((kind) => kind !== 'nothing');
  const unreadMs = slots.slice(Math.max(0, known)).filter((kind) => kind === 'nothing').length * SLOT_MS;
  const bars: { kind: Slot; from: number; slots: number }[] = [];
  for (const [from, kind] of slots.entries()) {
    const last = bars.at(-1);
    if (last?.kind === kind) last.slots += 1;
    else bars.push({ kind, from, slots: 1 });
  }
  const troubled = troubledMs(incidents, start, now);
  const gap = known < 0 || unreadMs === 0 ? '' : `; ${t('strip_unread', { time: duration(unreadMs) })}`;
  const told =
    troubled === 0 ? t('strip_fine', { subject }) : t('strip_trouble', { subject, time: duration(troubled) });
  const words = `${told}${gap}`;
  const x = (from: number, wide: number) => (dir === 'rtl' ? SLOTS - from - wide : from) * 3;
  return html`
    <svg class="strip" viewBox="0 0 ${SLOTS * 3} 16" preserveAspectRatio="none" role="img"
      aria-label="${words}">
      <title>${words}</title>
      ${bars.map(
        ({ kind, from, slots: wide }) =>
          html`
            <path class="slot-${kind}"
              d="M${x(from, wide)} ${tops[kind]}h${wide * 3}V${kind === 'nothing' ? 10 : 16}h-${wide * 3}z"/>
          `,
      )}
    </svg>
  `;
}

/** Each kind has its own height, so that nothing depends on colour alone. */
const tops: Record<Slot, number> = { ok: 2, trouble: 5, stale: 0, nothing: 8 };

const endOf = ({ ended_at }: Incident) => (ended_at === null ? Number.POSITIVE_INFINITY : toMs(ended_at));

const lasted = (incident: Incident, from: number, to: number): boolean =>
  toMs(incident.since) < to && endOf(incident) > from;

/** Overlapping incidents count once. */
function troubledMs(incidents: readonly Incident[], from: number, to: number): number {
  let until = from;
  let sum = 0;
  for (const one of incidents.toSorted((a, b) => toMs(a.since) - toMs(b.since))) {
    const start = Math.max(until, toMs(one.since));
    const end = Math.min(to, endOf(one));
    if (end > start) sum += end - start;
    until = Math.max(until, end);
  }
  return sum;
}

interface Bar {
  /** Start of its hour or day. */
  at: number;
  /** From the bottom; each kind has the same position in every bar. */
  values: readonly number[];
}

interface Bars {
  title: string;
  /** The chart in words. */
  words: string;
  bars: readonly Bar[];
  from: number;
  to: number;
  /** Length of one bar in milliseconds. */
  stepMs: number;
  /** Unique on the page. */
  id: string;
  /** The label of a level on the axis. */
  level?: (value: number) => string;
}

const WIDTH = 300;
const HEIGHT = 118;
const sides = { right: WIDTH - 4, top: 8, bottom: HEIGHT - 20 };

/** Bars over time with labelled axes; time runs in reading direction. */
export function barChart(
  { title, words, bars, from, to, stepMs, id, level }: Bars,
  { date, number, dir }: Locale,
): Html {
  const highest = Math.max(1, ...bars.map(({ values }) => sum(values)));
  const levels = niceLevels(0, highest);
  const high = levels.at(-1) ?? 1;
  const said = level ?? number;
  const box = { ...sides, left: leftOf(levels.map(said)) };
  const count = Math.max(1, Math.round((to - from) / stepMs));
  const step = (box.right - box.left) / count;
  const place = (at: number) => {
    const along = ((at - from) / stepMs) * step;
    return round(dir === 'rtl' ? box.right - along - step : box.left + along);
  };
  const y = (value: number) => round(box.bottom - (value / high) * (box.bottom - box.top));
  const wide = round(Math.max(0.8, step * 0.82));
  const days: [number, string][] = [
    [from, 'start'],
    [to - stepMs, 'end'],
  ];
  return html`
    <svg class="plot bars" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-labelledby="${id}-t ${id}-d">
      <title id="${id}-t">${title}</title><desc id="${id}-d">${words}</desc>
      ${levels.map(
        (one) => html`
          <path class="grid" d="M${box.left} ${y(one)}H${box.right}"/>
          <text class="tick end" x="${box.left - 6}" y="${y(one) + 4}">${said(one)}</text>
        `,
      )}
      ${days.map(
        ([at, side]) => html`
          <text class="tick ${(dir === 'rtl') === (side === 'start') ? 'end' : 'start'}"
            x="${(dir === 'rtl') === (side === 'start') ? box.right : box.left}" y="${HEIGHT - 4}">
            ${date(at, { day: 'numeric', month: 'short' })}
          </text>
        `,
      )}
      ${bars.map(({ at, values }) => {
        let below = 0;
        return values.map((value, kind) => {
          if (value === 0) return undefined;
          const base = y(below);
          below += value;
          return html`<path class="kind-${kind}" d="M${place(at)} ${base}V${y(below)}h${wide}V${base}z"/>`;
        });
      })}
    </svg>
  `;
}

const sum = (values: readonly number[]): number => values.reduce((all, one) => all + one, 0);
const round = (value: number): number => Math.round(value * 10) / 10;

interface Hours {
  id: string;
  /** Hours of the last week. */
  hours: readonly Activity[];
  now: number;
}

/** Calls, refusals, failures and response times of the last week. */
export function trafficCharts({ id, hours, now }: Hours, locale: Locale): Html {
  const { t } = locale;
  if (hours.length === 0) return html`<p class="empty">${t('chart_empty')}</p>`;
  const counts = [
    ['chart_calls', (one: Activity) => one.answered + one.refused + one.failed],
    ['chart_refused', (one: Activity) => one.refused],
    ['chart_failed', (one: Activity) => one.failed],
  ] as const;
  return html`
    <div class="plots">${counts.map(([name, of]) => {
      const values = hours.map(of);
      const words = t('chart_total', {
        title: t(name),
        total: sum(values),
        most: Math.max(...values),
      });
      return figure(t(name), locale.number(sum(values)), {
        ...hourly(hours, of, now),
        title: t(name),
        words,
        id: `${id}-${name}`,
        locale,
      });
    })}${latency({ id, hours, now }, locale)}</div>
  `;
}

function latency({ id, hours, now }: Hours, locale: Locale): Html {
  const { t, number } = locale;
  const answered = sum(hours.map((one) => one.answered));
  const mean = answered === 0 ? 0 : Math.round(sum(hours.map((one) => one.total_ms)) / answered);
  const ms = (value: number) => `${number(value)} ms`;
  const title = t('chart_latency');
  const words = t('chart_latency_words', {
    title,
    mean: ms(mean),
    most: ms(Math.max(...hours.map((one) => one.most))),
  });
  const of = (one: Activity) => (one.answered === 0 ? 0 : Math.round(one.total_ms / one.answered));
  return figure(title, ms(mean), { ...hourly(hours, of, now), title, words, id: `${id}-latency`, locale });
}

/** How far a connector was behind in each hour of the last week. */
export function lagChart({ id, hours, now }: Hours, locale: Locale): Html {
  const { t, number } = locale;
  const last = hours.at(-1)?.most ?? 0;
  const words = t('chart_lag_words', {
    title: t('chart_lag'),
    most: Math.max(0, ...hours.map((one) => one.most)),
    last,
  });
  return html`
    <div class="plots">${figure(t('chart_lag'), number(last), {
      ...hourly(hours, (one) => one.most, now),
      title: t('chart_lag'),
      words,
      id,
      locale,
    })}</div>
  `;
}

function hourly(hours: readonly Activity[], of: (one: Activity) => number, now: number) {
  const to = (Math.floor(now / HOUR) + 1) * HOUR;
  return {
    bars: hours.map((one) => ({ at: toMs(one.at), values: [of(one)] })),
    from: to - 7 * DAY,
    to,
    stepMs: HOUR,
  };
}

const figure = (title: string, value: string, { locale, ...chart }: Bars & { locale: Locale }): Html =>
  html`<figure><figcaption><span>${title}</span><strong>${value}</strong></figcaption>
${barChart(chart, locale)}</figure>
`;

export interface DailyLeads {
  source: string;
  days: ReadonlyMap<string, number>;
}

/** Leads of the last days, with a colour per busiest source; the table below has the same figures. */
export function leadsChart(
  { sources, days, id }: { sources: readonly DailyLeads[]; days: readonly string[]; id: string },
  locale: Locale,
): Html {
  const { t, number } = locale;
  if (sources.length === 0) return html`<p class="empty">${t('no_bookings_yet')}</p>`;
  const total = (one: DailyLeads) => sum([...one.days.values()]);
  const sorted = sources.toSorted((a, b) => total(b) - total(a)).slice(0, MOST_SOURCES);
  const words = sorted
    .map((one) => t('chart_leads_words', { source: one.source, count: total(one) }))
    .join(' · ');
  // Days of a calendar: none is 23 or 25 hours long, whatever the clock.
  const calendar = locale.inZone('UTC');
  const from = Date.parse(days[0] ?? '');
  const columns = [t('day'), ...sorted.map(({ source }) => source)];
  return html`
    <figure class="leads">
      <ul class="legend">
        ${sorted.map(
          ({ source }, kind) => html`
            <li>
              <svg viewBox="0 0 10 10" aria-hidden="true">
                <path class="kind-${kind}" d="M0 0h10v10H0z"/>
              </svg>
              <code>${source}</code>
            </li>
          `,
        )}
      </ul>
      ${barChart(
        {
          title: t('chart_leads'),
          words,
          bars: days.map((day) => ({
            at: Date.parse(day),
            values: sorted.map((one) => one.days.get(day) ?? 0),
          })),
          from,
          to: from + days.length * DAY,
          stepMs: DAY,
          id,
        },
        calendar,
      )}
      <details>
        <summary>${t('in_numbers')}</summary>
        <table>
          <caption class="unseen">${t('chart_leads')}</caption>
          <thead><tr>${columns.map((one) => html`<th scope="col">${one}</th>`)}</tr></thead>
          <tbody>
            ${days.toReversed().map(
              (day) =>
                html`
                  <tr>
                    <th scope="row">
                      ${calendar.date(Date.parse(day), { weekday: 'short', day: 'numeric', month: 'short' })}
                    </th>
                    ${sorted.map((one) => html`<td class="figure">${number(one.days.get(day) ?? 0)}</td>`)}
                  </tr>
                `,
            )}
          </tbody>
        </table>
      </details>
    </figure>
  `;
}

const MOST_SOURCES = 5;
