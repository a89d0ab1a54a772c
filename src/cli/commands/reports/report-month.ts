import type { MonthPack } from '../../../domain/clinics/month.ts';
import { monthBefore, presentMonth } from '../../../domain/date-time.ts';
import { systemClock } from '../../../platform/clock.ts';
import { monthPack, sumMonths } from '../../../reports/month-pack.ts';
import { monthPage } from '../../../reports/month-page.ts';
import {
  cellForPeople,
  feeTotals,
  flatColumns,
  flatRows,
  type MonthTable,
  monthTables,
  sumTables,
} from '../../../reports/month-tables.ts';
import type { Store } from '../../../store/store.ts';
import { clinicArgument, command, flagArgument } from '../../command.ts';
import { chosenClinics } from '../../configuration.ts';
import { Exit, exit, type Io, painter, print, printJson } from '../../io.ts';
import { fitTable } from '../../list.ts';
import { answerReport, csvArgument, monthOnly, ofEach } from '../../report-output.ts';
import { withStore } from '../../with-app.ts';

export const month = command({
  name: 'month [month]',
  describe: 'A month on one page: fees at its end, changes, visits, leads, figures, each with its total',
  args: {
    month: { type: 'string', describe: 'YYYY-MM; default: the last month that has ended at every clinic' },
    clinic: clinicArgument,
    csv: csvArgument,
    html: flagArgument('Print one self-contained HTML page with charts, made to be printed'),
  },
  examples: {
    'report month 2026-03': 'March, for every clinic and for all together',
    'report month 2026-03 --html > march.html': 'the same to print or to send',
  },
  open: withStore,
  async run(io, { month: asked, html, ...given }, { config, store }) {
    if ([html, given.csv, given.json].filter(Boolean).length > 1)
      throw new Exit(exit.usage, 'Give only one of --json, --csv and --html.');
    const now = systemClock.now();
    const chosen = chosenClinics(config, given.clinic);
    const which = asked === undefined ? monthBefore(presentMonth(chosen, now)) : monthOnly(asked);
    const packs = await ofEach(io, chosen, ({ key: clinic, timezone }) =>
      packOf(store, { clinic, timezone }, which, now),
    );
    const sum = packs.length > 1 ? sumMonths(packs) : undefined;
    if (html) return io.out(monthPage(packs, sum));
    if (given.json) return printJson(io, { month: packs[0]?.month, clinics: packs, all: sum ?? null });
    if (given.csv)
      return answerReport(io, given, {
        rows: packs.flatMap(flatRows) as Record<(typeof flatColumns)[number], string | number | null>[],
        ...{ none: '', columns: {}, fields: flatColumns },
      });
    for (const pack of packs) say(io, pack);
    if (sum === undefined) return;
    print(io, `\n${painter(io)('bold', `All ${sum.clinics} clinics`)}`);
    for (const row of feeTotals(sum))
      print(io, `${row.name ?? ''} in ${row.currency ?? 'an unknown currency'}`);
    for (const one of sumTables(sum)) sayTable(io, one, 'UTC');
  },
});

async function packOf(
  store: Store,
  { clinic, timezone }: { clinic: string; timezone: string },
  asked: string,
  now: number,
): Promise<MonthPack> {
  const pack = await monthPack(store, { clinic, timezone }, asked, now);
  if (pack === undefined) throw new Exit(exit.usage, `${asked} has not begun yet in ${timezone}.`);
  return pack;
}

function say(io: Io, pack: MonthPack): void {
  print(
    io,
    `${painter(io)('bold', pack.name ?? pack.clinic)} (${pack.clinic}), ${pack.month}, ${pack.timezone}`,
  );
  for (const note of pack.notes) print(io, `  ${note}`);
  if (pack.head !== null)
    print(io, `  Head of the hash chain: ${pack.clinic}:${pack.head.sequence}:${pack.head.hash}`);
  for (const one of monthTables(pack)) sayTable(io, one, pack.timezone);
}

/** `timezone` is the zone of the times in the table. */
function sayTable(io: Io, { title, columns, rows, totals }: MonthTable, timezone: string): void {
  print(io, `\n${painter(io)('bold', title)}`);
  if (rows.length === 0) {
    print(io, '  None.');
    return;
  }
  const lines = [...rows, ...totals].map((row) =>
    columns.map((column) => cellForPeople(row, column, timezone)),
  );
  const all = [columns.map(({ label }) => label.toUpperCase()), ...lines];
  print(
    io,
    fitTable(
      all.map(([first, ...rest]) => [`  ${first ?? ''}`, ...rest]),
      io.width,
    ),
  );
}
