import { feeChangeColumns, type PriceList, priceColumns } from '../../../domain/clinics/report-columns.ts';
import { readDate, wallClockText } from '../../../domain/date-time.ts';
import { systemClock, toMs } from '../../../platform/clock.ts';
import { changesOfFees, priceList } from '../../../reports/fee-report.ts';
import { clinicArgument, command, flagArgument } from '../../command.ts';
import { chosenClinics } from '../../configuration.ts';
import { Exit, exit } from '../../io.ts';
import { answerReport, csvArgument, ofEach } from '../../report-output.ts';
import { withStore } from '../../with-app.ts';

/** A calendar day as a report's argument. */
export const dayArgument = (describe: string) =>
  ({
    type: 'string',
    requiresArg: true,
    describe,
    coerce(text: string | undefined): string | undefined {
      if (text === undefined) return undefined;
      const day = readDate(text);
      if (day === undefined) throw new Exit(exit.usage, `${text} is not a day; write 2026-03-31.`);
      return day;
    },
  }) as const;

export const fees = command({
  name: 'fees',
  describe: 'The price list on a day, or every change of a fee',
  args: {
    on: dayArgument('The day on the clinic’s calendar; the prices are those at its end. Default: today'),
    changes: flagArgument('Every change instead: before, after, when it was noticed and by which poll'),
    from: dayArgument('With --changes: from this day on'),
    to: dayArgument('With --changes: up to this day'),
    clinic: clinicArgument,
    csv: csvArgument,
  },
  examples: {
    'report fees --on 2026-03-31': 'what everything cost at the end of March',
    'report fees --changes --from 2026-01-01': 'which fees changed this year, and when that was noticed',
  },
  open: withStore,
  async run(io, { on, changes, from, to, ...given }, { config, store }) {
    const chosen = chosenClinics(config, given.clinic);
    const now = systemClock.now();
    if (!changes && (from ?? to) !== undefined)
      throw new Exit(exit.usage, '--from and --to go with --changes; a price list has --on.');
    if (changes) {
      const parts = await ofEach(io, chosen, ({ key, timezone }) =>
        changesOfFees(store, { clinic: key, timezone }, { from, to }, now),
      );
      if (!given.json && !given.csv)
        io.err(`Times are the clinics’ own: ${chosen.map(aboutClock).join(', ')}.\n`);
      const rows = parts.flat();
      return answerReport(io, given, {
        ...{ columns: feeChangeColumns, rows, clinics: chosen, none: 'No fee changed.' },
      });
    }
    const lists: PriceList[] = [];
    for (const { key: clinic, timezone } of chosen) {
      const list = await priceList(store, { clinic, timezone }, on, now);
      if (list === undefined) throw new Exit(exit.usage, `${on} has not come yet in ${timezone}.`);
      lists.push(list);
      if (!given.json && !given.csv) io.err(`${aboutList(list)}\n`);
    }
    const rows = lists.flatMap(({ prices }) => prices);
    await answerReport(io, given, {
      ...{ columns: priceColumns, rows, clinics: chosen, none: 'No fee is known.' },
    });
  },
});

function aboutList({ clinic, on, timezone, known_since, prices }: PriceList): string {
  const about = `${clinic}: prices at the end of ${on} (${timezone})`;
  if (known_since === null) return `${about}; the clinic was never read.`;
  return prices.length === 0
    ? `${about}; nothing is known before ${wallClockText(toMs(known_since), timezone)}.`
    : about;
}

const aboutClock = ({ key, timezone }: { key: string; timezone: string }) => `${key} ${timezone}`;
