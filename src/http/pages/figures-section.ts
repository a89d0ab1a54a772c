import type { ClinicReport, Figures } from '../../domain/report.ts';
import type { Statistics } from '../../domain/resource.ts';
import { toMs } from '../../platform/clock.ts';
import { type Html, html } from '../../platform/html.ts';
import { description, type Point, plot } from './plot.ts';
import { table } from './table.ts';
import { number, timeTag } from './time.ts';

type Figure = keyof Statistics;

const titles: Record<Figure, string> = {
  total_patients: 'Patients',
  total_appointments: 'Appointments',
  total_doctors: 'Doctors',
  total_users: 'Users',
};

/** Rows of the table below the plots; the database has the whole series. */
const MOST_ROWS = 30;

/** The organization's figures over time, one plot each because their scales differ. */
export function figuresSection(
  { clinic, timezone, statistics: series }: ClinicReport,
  now: number,
): Html | undefined {
  if (series.length === 0) return undefined;
  const names = Object.keys(titles) as Figure[];
  return html`<h3>Figures over time</h3>
<div class="plots">${names.map((name) => {
    const points = pointsOf(series, name);
    if (points.length === 0) return undefined;
    return html`<figure><figcaption><span>${titles[name]}</span><strong>${figure(series.at(-1)?.[name])}</strong>${change(points)}</figcaption>
${plot({ title: titles[name], points, now, timeZone: timezone, id: `plot-${clinic}-${name}` })}</figure>
`;
  })}</div>
<details><summary>Figures in words and numbers</summary>
<ul>${names.map(
    (name) => html`<li>${description(titles[name], pointsOf(series, name), timezone)}.</li>`,
  )}</ul>
${table(
  `Figures of ${clinic}, newest first`,
  [
    { title: 'Since', cell: ({ at }: (typeof series)[number]) => timeTag(at, now) },
    ...names.map((name) => ({
      title: titles[name],
      cell: (row: (typeof series)[number]) => figure(row[name]),
      figure: true,
    })),
  ],
  series.slice(-MOST_ROWS).reverse(),
)}</details>`;
}

/** A missing figure is not 0: the line connects the known ones. */
const pointsOf = (series: readonly Figures[], name: Figure): Point[] =>
  series.flatMap((row) => {
    const value = row[name];
    return value === null ? [] : [{ at: toMs(row.at), value }];
  });

const figure = (value: number | null | undefined): string => (value == null ? '–' : number(value));

function change(points: readonly Point[]): Html | undefined {
  const difference = (points.at(-1)?.value ?? 0) - (points[0]?.value ?? 0);
  if (difference === 0) return undefined;
  return html`<span class="faint">${difference > 0 ? '+' : '−'}${number(Math.abs(difference))}</span>`;
}
