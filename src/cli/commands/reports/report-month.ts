import type { MonthPack } from '../../../domain/clinics/month.ts';
import { monthBefore, presentMonth } from '../../../domain/date-time.ts';
import { systemClock } from '../../../platform/clock.ts';
import { type Locale, localeOf } from '../../../platform/text/locale.ts';
import { csvOf } from '../../../reports/figures.ts';
import { monthPack, sumMonths } from '../../../reports/month-pack.ts';
import { monthFacts, monthPage } from '../../../reports/month-page.ts';
import {
  flatColumns,
  flatRows,
  type MonthTable,
  monthTables,
  monthTexts,
  sumTables,
} from '../../../reports/month-tables.ts';
import type { Store } from '../../../store/store.ts';
import { languages, loadTexts } from '../../../texts/texts.ts';
import { clinicArgument, command, flagArgument } from '../../command.ts';
import { chosenClinics } from '../../configuration.ts';
import { Exit, exit, type Io, painter, print, printJson } from '../../io.ts';
import { fitTable } from '../../list.ts';
import { csvArgument, monthOnly, ofEach } from '../../report-output.ts';
import { withStore } from '../../with-app.ts';

export const month = command({
  name: 'month [month]',
  describe: 'A month on one page: fees at its end, changes, visits, leads, figures, each with its total',
  args: {
    month: { type: 'string', describe: 'YYYY-MM; default: the last month that has ended at every clinic' },
    clinic: clinicArgument,
    csv: csvArgument,
    html: flagArgument('Print one self-contained HTML page with charts, made to be printed'),
    language: { choices: languages, default: 'en', describe: 'Language of the table and of the page' },
  },
  examples: {
    'report month 2026-03': 'March, for every clinic and for all together',
    'report month 2026-03 --html --language de > march.html': 'the same to print or to send, in German',
  },
  open: withStore,
  async run(io, { month: asked, html, language, ...given }, { config, store }) {
    if ([html, given.csv, given.json].filter(Boolean).length > 1)
      throw new Exit(exit.usage, 'Give only one of --json, --csv and --html.');
    const now = systemClock.now();
    const chosen = chosenClinics(config, given.clinic);
    const which = asked === undefined ? monthBefore(presentMonth(chosen, now)) : monthOnly(asked);
    const packs = await ofEach(io, chosen, ({ key: clinic, timezone }) =>
      packOf(store, { clinic, timezone }, which, now),
    );
    const sum = packs.length > 1 ? sumMonths(packs) : undefined;
    await loadTexts(language);
    if (html) return io.out(monthPage(packs, sum, localeOf(language)));
    if (given.json) {
      const inWords = (pack: MonthPack) => ({ ...pack, notes: pack.notes.map(({ sentence }) => sentence) });
      return printJson(io, { month: packs[0]?.month, clinics: packs.map(inWords), all: sum ?? null });
    }
    if (given.csv) return io.out(csvOf(flatColumns, packs.flatMap(flatRows)));
    for (const pack of packs) say(io, pack, localeOf(language, pack.timezone));
    if (sum === undefined) return;
    print(io, `\n${painter(io)('bold', localeOf(language).t('together', { count: sum.clinics }))}`);
    for (const one of sumTables(sum)) sayTable(io, one, localeOf(language));
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

function say(io: Io, pack: MonthPack, locale: Locale): void {
  const { name, clinic, month: of } = pack;
  print(io, `${painter(io)('bold', name ?? clinic)} (${clinic}), ${of}`);
  for (const [what, value] of monthFacts(pack, locale)) print(io, `  ${what}: ${value}`);
  for (const one of monthTables(pack)) sayTable(io, one, locale);
}

function sayTable(io: Io, table: MonthTable, locale: Locale): void {
  const { title, headings, lines, total = [] } = monthTexts(table, locale);
  print(io, `\n${painter(io)('bold', title)}`);
  if (lines.length === 0) {
    print(io, `  ${locale.t('records_none')}`);
    return;
  }
  const all = [headings.map((heading) => heading.toLocaleUpperCase(locale.lang)), ...lines, total];
  const indented = all.flatMap(([first, ...rest]) => (first === undefined ? [] : [[`  ${first}`, ...rest]]));
  print(io, fitTable(indented, io.width));
}
