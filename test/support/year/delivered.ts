import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'csv-parse/sync';
import { csv } from '../../../connectors/csv/csv.ts';
import { mirrorView } from '../../../src/deliveries/view.ts';
import type { Clock } from '../../../src/platform/clock.ts';
import { silentLog } from '../../../src/platform/log.ts';
import type { Store } from '../../../src/store/store.ts';
import { desk } from '../csv/kit.ts';
import { findProgram } from '../program.ts';
import { type Comparison, presentRefs } from './compare.ts';
import { expectedCorrections } from './corrections.ts';
import {
  expectedConversionRows,
  expectedFeeRows,
  expectedLeadRows,
  expectedMonth,
  expectedRetractionRows,
  inPlaces,
} from './expected.ts';
import type { Truth } from './truth.ts';
import { DAY_MS, localTime } from './wall-clock.ts';

/** The folder that the CSV connector keeps of a clinic, as a reader of CSV and LibreOffice read it. */
export interface Delivered {
  /** Lets the connector write, and compares the files; at the first run of a month also the pack of the one before. */
  compare(to: Comparison, truth: Truth): Promise<void>;
  pack(to: Comparison, truth: Truth, month: string): Promise<void>;
  /** Takes erased people out, which the log does not name. */
  forget(refs: string[]): Promise<void>;
  workbook(truth: Truth, month: string): Promise<Workbook>;
}

/** `month.xlsx` as it is now, and what it must show. */
export interface Workbook {
  name: string;
  bytes: Buffer;
  sheets: Part[];
}

export const soffice = findProgram('soffice');

export async function delivered(
  { clinic, zone }: Pick<Truth, 'clinic' | 'zone'>,
  { folder, clock, store }: { folder: string; clock: Clock; store: () => Store },
): Promise<Delivered> {
  const clinics = [{ clinic, timezone: zone }];
  const office = desk(clock);
  const connector = await csv.create({
    ...{
      name: 'reports',
      clinics,
      includePatient: false,
      instance: 'test',
      clock,
      log: silentLog,
      wake() {},
    },
    settings: csv.settings.parse({ directory: folder, archive: 'monthly', conversion_name: 'Visit' }),
    ...{ bookings: office.port, memory: office.memory },
  });
  const view = () => mirrorView({ store: store(), connector: 'reports', includePatient: false, clinics });
  const rowsOf = async (name: string) => read(join(folder, clinic, `${name}.csv`));
  const archived = (month: string, name: string) => join(folder, clinic, 'archive', month, name);

  return {
    async compare(to, truth) {
      await connector.state?.converge(await view(), new AbortController().signal);
      const present = await presentRefs(store(), truth);
      const here = <T extends { ref: string }>(rows: T[]) => rows.filter(({ ref }) => present.has(ref));
      for (const [name, shouldBe, key] of [
        ['fees', expectedFeeRows(truth, 'treatment'), ['treatment_id', 'valid_from']],
        ['consultation_fees', expectedFeeRows(truth, 'dentist'), ['doctor_id', 'valid_from']],
        ['leads', here(expectedLeadRows(truth)), ['ref']],
        ['conversions', here(expectedConversionRows(truth)), ['ref']],
        ['conversions-microsoft', [], []],
        ['conversions-meta', [], []],
        ['retractions', here(expectedRetractionRows(truth)), ['order_id']],
        [
          'retractions-google',
          here(googleRetractions(truth)).map(({ ref: _ref, ...row }) => row),
          ['Order ID'],
        ],
        ['retractions-microsoft', [], []],
      ] as const)
        to.rows(`${name}.csv`, await rowsOf(name), shouldBe.map(guarded), key);
      const ending = new Set(endingRows(truth, clock.now()).map(({ order_id }) => order_id));
      to.rows(
        'conversions-google.csv',
        (await rowsOf('conversions-google')).filter((row) => !ending.has(row['Order ID'] ?? '')),
        here(googleRows(truth, clock.now())).map(({ ref: _ref, ...row }) => guarded(row)),
        ['Order ID'],
      );
    },

    async forget(refs) {
      await connector.forget?.({ refs, appointments: [] }, await view(), new AbortController().signal);
    },

    async pack(to, truth, month) {
      const rows = await read(archived(month, 'month.csv'));
      const partOf = (part: string) => rows.filter((row) => row.part === part);
      for (const [part, shouldBe, key] of flatParts(truth, month))
        to.rows(`month.csv ${month}, ${part}`, partOf(part), shouldBe.map(guarded), key);
    },

    workbook: async (truth, month) => ({
      name: `month.xlsx ${clinic} ${month}`,
      bytes: await readFile(archived(month, 'month.xlsx')),
      sheets: sheetsOf(truth, month),
    }),
  };
}

type Cells = Record<string, string>;

/** Of a file that begins with a line of parameters, what is behind it. */
const read = async (path: string): Promise<Cells[]> =>
  parse((await readFile(path, 'utf8')).replace(/^Parameters:.*\n/, ''), {
    columns: true,
    skip_empty_lines: true,
  });

/** In a file everything is text. */
const asText = (row: object): Cells =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [name, String(value ?? '')]));

const runs = (text: string) => /^[=+\-@]/.test(text) && Number.isNaN(Number(text));

/** What a spreadsheet program would run has an apostrophe before it. */
const guarded = (row: object): Cells =>
  Object.fromEntries(
    Object.entries(asText(row)).map(([name, text]) => [name, runs(text) ? `'${text}` : text]),
  );

/** Of which campaign which click was. */
const clicks: Record<string, string> = { spring: 'Cj0', 'of the form': 'Cj1' };

const KEPT_MS = 90 * DAY_MS;

/** Rows that leave the file within a day. */
const endingRows = (truth: Truth, now: number) =>
  expectedConversionRows(truth).filter(({ received_at }) => {
    const ageMs = now - Date.parse(received_at);
    return ageMs >= KEPT_MS && ageMs < KEPT_MS + DAY_MS;
  });

/** Of those who came with the click of an advertisement in the last 90 days, unless the person was erased. */
const googleRows = (truth: Truth, now: number) =>
  expectedConversionRows(truth)
    .filter(({ campaign }) => campaign !== null && campaign in clicks)
    .filter(({ received_at }) => now - Date.parse(received_at) < KEPT_MS)
    .map(({ ref, campaign, converted_at, value, currency, order_id }) => ({
      ...{
        ref,
        'Google Click ID': clicks[campaign ?? ''],
        GBRAID: '',
        WBRAID: '',
        'Order ID': order_id,
        'Conversion Name': 'Visit',
      },
      'Conversion Time': inSeconds(converted_at),
      ...{ 'Conversion Value': value, 'Conversion Currency': currency },
    }));

/** What must be reported about clicks whose visit was cancelled afterwards. */
const googleRetractions = (truth: Truth) =>
  expectedRetractionRows(truth)
    .filter(({ campaign }) => campaign !== null && campaign in clicks)
    .map(({ ref, retracted_at, order_id }) => ({
      ...{
        ref,
        'Order ID': order_id,
        'Conversion Name': 'Visit',
        'Adjustment Time': inSeconds(retracted_at),
      },
      ...{ 'Adjustment Type': 'RETRACT', 'Adjusted Value': '', 'Adjusted Value Currency': '' },
    }));

const inSeconds = (at: string): string => `${at.slice(0, 19).replace('T', ' ')}+0000`;

type Part = [name: string, rows: object[], key: readonly string[]];

/** One line for each row of any part, as `month.csv` has them. */
function flatParts(truth: Truth, month: string): Part[] {
  const { fees, changes, visits, visits_total, leads, leads_total, figures, ...span } = expectedMonth(
    truth,
    month,
  );
  const times = { first: `${month}-01`, from: Date.parse(span.from), to: Date.parse(span.to) };
  const corrections = expectedCorrections(truth, times);
  return [
    [
      'fees',
      fees.map(({ kind, id, name, fee, currency, since }) => ({
        ...{ item: `${kind} ${id}`, name, amount: fee, currency, at: since },
      })),
      ['item'],
    ],
    ['fees total', [{ count: fees.length }], []],
    [
      'changes',
      changes.map(({ kind, id, what, name, noticed_at, poll, after, ...prices }) => ({
        ...{ item: `${kind} ${id} ${what}`, name, at: noticed_at, poll, amount: after, ...prices },
        ...{ clinic: truth.clinic },
      })),
      ['item', 'at'],
    ],
    ['changes total', [{ count: changes.length }], []],
    ['visits', visits.map(({ status, visits: count }) => ({ item: status, count })), ['item']],
    ['visits total', [{ count: visits_total }], []],
    [
      'leads',
      leads.map(({ source, campaign, ...counts }) => ({ item: source, name: campaign, ...flat(counts) })),
      ['item', 'name'],
    ],
    ['leads total', [flat(leads_total)], []],
    [
      'figures',
      figures.map(({ figure, at_start, at_end, difference }) => ({
        ...{ item: figure, before: at_start, count: at_end, difference },
      })),
      ['item'],
    ],
    [
      'corrections',
      corrections.map(({ item, campaign, what, month: name, before, after, noticed_at: at }) => ({
        item: [item, campaign, what].filter((one) => one !== null).join(' '),
        ...{ name, before, amount: after?.replace('+', '') ?? null, at },
      })),
      ['item', 'name', 'at'],
    ],
    ['corrections total', [{ count: corrections.length }], []],
  ];
}

const flat = ({
  leads: count,
  value: amount,
  ...counts
}: ReturnType<typeof expectedMonth>['leads_total']) => ({
  ...{ count, amount, ...counts },
});

/** The sheets of `month.xlsx` as they are shown: times by the clinic's clock, totals below. */
function sheetsOf(truth: Truth, month: string): Part[] {
  const { fees, changes, visits, visits_total, leads, leads_total, figures, ...span } = expectedMonth(
    truth,
    month,
  );
  const times = { first: `${month}-01`, from: Date.parse(span.from), to: Date.parse(span.to) };
  const corrections = expectedCorrections(truth, times);
  const local = (at: string | null) => at && `${localTime(Date.parse(at), truth.zone)}:${at.slice(17, 19)}`;
  const zoned = (heading: string) => `${heading} (${truth.zone})`;
  const sheet = (name: string, rows: object[], key: readonly string[]): Part => {
    const headingOf = (field: string) => zoneless[field] ?? zoned(inZone[field] ?? field);
    const headed = (row: object) =>
      Object.fromEntries(Object.entries(row).map(([field, value]) => [headingOf(field), value]));
    return [name, rows.map(headed), key.map(headingOf)];
  };
  return [
    sheet(
      'fees',
      fees.map(({ clinic: _clinic, kind, since, ...row }) => ({
        ...{ ...row, kind: words[kind], since: local(since) },
      })),
      ['kind', 'id', 'currency'],
    ),
    sheet(
      'changes',
      changes.map(({ noticed_at, what, id, name, before, after, difference, currency, poll }) => ({
        ...{ noticed_at: local(noticed_at), what: words[what], id, name, before, after },
        ...{ difference, currency, poll },
      })),
      ['noticed_at', 'id', 'poll', 'what'],
    ),
    sheet(
      'visits',
      [
        ...visits.map(({ status, visits: count }) => ({ status: status ?? 'not read yet', visits: count })),
        { status: 'Total', visits: visits_total },
      ],
      ['status'],
    ),
    sheet(
      'leads',
      [...leads, { source: 'Total', campaign: null, ...leads_total }].map((row) => ({
        ...{ ...row, value: inPlaces(row.value === null ? null : String(row.value), row.currency) },
      })),
      ['source', 'campaign'],
    ),
    sheet(
      'figures',
      figures.map(({ figure, ...row }) => ({ figure: words[figure], ...row })),
      ['figure'],
    ),
    sheet(
      'corrections',
      corrections.map(({ noticed_at, about, what, ...row }) => ({
        ...{ ...row, about: words[about], what: words[what], noticed_at: local(noticed_at) },
      })),
      ['noticed_at', 'month', 'about', 'item', 'campaign', 'what'],
    ),
  ];
}

const inZone: Record<string, string> = { since: 'Since', noticed_at: 'Noticed' };
const zoneless: Record<string, string> = {
  ...{ kind: 'Kind', id: 'Number', name: 'Name', fee: 'Fee', currency: 'Currency', what: 'What' },
  ...{ before: 'Before', after: 'After', difference: 'Difference', poll: 'Noticed by the poll' },
  ...{ status: 'State', visits: 'Visits', source: 'Source', campaign: 'Campaign', leads: 'Leads' },
  ...{ booked: 'Booked', to_come: 'Still to come', completed: 'Completed', cancelled: 'Cancelled' },
  ...{ no_show: 'No-show', unknown: 'not known', open: 'Open', lost: 'Lost', value: 'Value' },
  ...{ figure: 'Figure', at_start: 'At the start', at_end: 'At the end' },
  ...{ month: 'Month', about: 'About', item: 'Item' },
};
const words: Record<string, string> = {
  ...{ treatment: 'Treatment', dentist: 'Dentist', new: 'added', changed: 'changed', removed: 'removed' },
  ...{ currency: 'Currency', visit: 'Visit', fee: 'Fee', leads: 'Leads', status: 'State', date: 'Date' },
  ...{ booked: 'Booked', completed: 'Completed', total_users: 'Users', total_patients: 'Patients' },
  ...{ total_appointments: 'Appointments', total_doctors: 'Doctors' },
};

/**
 * Every sheet, its cells as LibreOffice shows them. All workbooks in one start, which takes seconds of a processor, and
 * another file none.
 */
export async function compareInLibreOffice(
  to: Comparison,
  workbooks: readonly Workbook[],
  { program, folder }: { program: string; folder: string },
): Promise<void> {
  const files = workbooks.map((_, n) => join(folder, `${n}.xlsx`));
  for (const [n, { bytes }] of workbooks.entries()) await writeFile(files[n] as string, bytes);
  const csvOfEverySheet = 'csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,true,false,false,-1';
  const profile = `-env:UserInstallation=file://${join(folder, 'profile')}`;
  const options = [profile, '--headless', '--convert-to', csvOfEverySheet, '--outdir', folder];
  await promisify(execFile)(program, [...options, ...files]);
  for (const [n, { name, sheets }] of workbooks.entries())
    for (const [sheet, shouldBe, key] of sheets)
      to.rows(`${name}, ${sheet}`, await read(join(folder, `${n}-${sheet}.csv`)), shouldBe.map(asText), key);
}
