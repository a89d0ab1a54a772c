import type { FeeChange, ListedPrice, Price } from '../../../domain/clinics/fees.ts';
import { amountForPeople } from '../../../domain/clinics/money.ts';
import type { PriceList } from '../../../domain/clinics/report-rows.ts';
import { readDate, wallClockText } from '../../../domain/date-time.ts';
import { systemClock, toMs } from '../../../platform/clock.ts';
import { changesOfFees, priceList } from '../../../reports/fees.ts';
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
    const clinics = chosen.map(({ key, timezone }) => ({ clinic: key, timezone }));
    const now = systemClock.now();
    if (!changes && (from ?? to) !== undefined)
      throw new Exit(exit.usage, '--from and --to go with --changes; a price list has --on.');
    if (changes) {
      const parts = await ofEach(io, chosen, ({ key, timezone }) =>
        changesOfFees(store, { clinic: key, timezone }, { from, to }, now),
      );
      if (!given.json && !given.csv)
        io.err(`Times are the clinics’ own: ${clinics.map(aboutClock).join(', ')}.\n`);
      return answerReport(io, given, {
        rows: parts.flat(),
        none: 'No fee changed.',
        ...changeLayout(clinics),
      });
    }
    const lists: PriceList[] = [];
    for (const clinic of clinics) {
      const list = await priceList(store, clinic, on, now);
      if (list === undefined) throw new Exit(exit.usage, `${on} has not come yet in ${clinic.timezone}.`);
      lists.push(list);
      if (!given.json && !given.csv) io.err(`${aboutList(list)}\n`);
    }
    await answerReport(io, given, {
      rows: lists.flatMap(({ prices }) => prices),
      none: 'No fee is known.',
      ...priceLayout(clinics),
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

const amount = (fee: string | null, currency: string | null) =>
  fee === null ? '–' : amountForPeople(fee, currency);

interface Clinic {
  clinic: string;
  timezone: string;
}

const aboutClock = ({ clinic, timezone }: Clinic) => `${clinic} ${timezone}`;

/** An instant on the clock of the row's clinic. JSON and CSV keep UTC. */
const onClockOf = (clinics: readonly Clinic[]) => (clinic: string, at: string | null) =>
  at === null ? '' : wallClockText(toMs(at), clinics.find((one) => one.clinic === clinic)?.timezone ?? 'UTC');

const priceLayout = (clinics: readonly Clinic[]) => ({
  columns: {
    CLINIC: 'clinic',
    KIND: 'kind',
    ID: 'id',
    NAME: 'name',
    FEE: ({ fee, currency }: Price) => amount(fee, currency),
    CURRENCY: 'currency',
    SINCE: ({ clinic, since }: ListedPrice) => onClockOf(clinics)(clinic, since),
    UNTIL: ({ clinic, until }: ListedPrice) => onClockOf(clinics)(clinic, until),
  } as const,
  fields: ['clinic', 'kind', 'id', 'name', 'fee', 'currency', 'since', 'until'] as const,
});

const changeLayout = (clinics: readonly Clinic[]) => ({
  columns: {
    CLINIC: 'clinic',
    NOTICED: ({ clinic, noticed_at }: FeeChange) => onClockOf(clinics)(clinic, noticed_at),
    BY: 'poll',
    WHAT: 'what',
    ID: 'id',
    NAME: 'name',
    BEFORE: ({ before, currency_before }: FeeChange) => amount(before, currency_before),
    AFTER: ({ after, currency }: FeeChange) => amount(after, currency),
    DIFFERENCE: ({ difference, currency }: FeeChange) => amount(difference, currency),
    CURRENCY: ({ currency, currency_before }: FeeChange) =>
      currency !== null && currency_before !== null && currency !== currency_before
        ? `${currency_before} → ${currency}`
        : (currency ?? currency_before),
  } as const,
  fields: [
    ...(['clinic', 'noticed_at', 'poll', 'sequence', 'what', 'kind', 'id', 'name'] as const),
    ...(['before', 'currency_before', 'after', 'currency', 'difference'] as const),
  ],
});
