import type { Statistics } from '../../../domain/clinics/resource.ts';
import type { ClinicReport, Figures } from '../../../domain/status/report.ts';
import { toMs } from '../../../platform/clock.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import type { Locale } from '../../../platform/text/locale.ts';
import { card } from './card.ts';
import { description, type Point, plot } from './charts/plot.ts';
import { table } from './table.ts';

type Figure = keyof Statistics;

const figures: readonly Figure[] = ['total_patients', 'total_appointments', 'total_doctors', 'total_users'];

/** Rows of the table below the plots; the database has the whole series. */
const MOST_ROWS = 30;

/** The organization's figures over time, with a plot each because their scales differ. */
export function figuresSection(
  { clinic, statistics: series }: ClinicReport,
  now: number,
  locale: Locale,
): Html | undefined {
  if (series.length === 0) return undefined;
  const { t, time } = locale;
  const figure = (value: number | null | undefined): string => (value == null ? '–' : locale.number(value));
  return card(
    { id: 'figures', title: t('figures'), isLive: true },
    html`
      <div class="plots">
        ${figures.map((name) => {
          const points = pointsOf(series, name);
          if (points.length === 0) return undefined;
          return html`
            <figure>
              <figcaption>
                <span>${t(name)}</span><strong>${figure(series.at(-1)?.[name])}</strong>
                ${change(points, locale)}
              </figcaption>
              ${plot({ title: t(name), points, now, id: `plot-${clinic}-${name}` }, locale)}
            </figure>
          `;
        })}
      </div>
      <details>
        <summary>${t('in_numbers')}</summary>
        <ul>
          ${figures.map((name) => html`<li>${description(t(name), pointsOf(series, name), locale)}</li>`)}
        </ul>
        ${table(
          t('figures'),
          [
            { title: t('since'), cell: ({ at }: (typeof series)[number]) => time(at, now) },
            ...figures.map((name) => ({
              title: t(name),
              cell: (row: (typeof series)[number]) => figure(row[name]),
              figure: true,
            })),
          ],
          series.slice(-MOST_ROWS).reverse(),
        )}
      </details>
    `,
  );
}

/** A missing figure is not 0: the line connects the known ones. */
const pointsOf = (series: readonly Figures[], name: Figure): Point[] =>
  series.flatMap((row) => {
    const value = row[name];
    return value === null ? [] : [{ at: toMs(row.at), value }];
  });

function change(points: readonly Point[], { number }: Locale): Html | undefined {
  const difference = (points.at(-1)?.value ?? 0) - (points[0]?.value ?? 0);
  if (difference === 0) return undefined;
  return html`<span class="faint">${difference > 0 ? '+' : '−'}${number(Math.abs(difference))}</span>`;
}
