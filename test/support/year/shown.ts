import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startSheetsSandbox } from '../../../sandbox/google-sheets/google-sheets.ts';
import { reportFigures } from '../../../src/app/page-data/cached-figures.ts';
import { mirrorView } from '../../../src/deliveries/view.ts';
import { leadGroups, openVisitGroups, type VisitsRow } from '../../../src/domain/clinics/report-columns.ts';
import type { Store } from '../../../src/store/store.ts';
import type { FakeClock } from '../fake-clock.ts';
import { bearer, startSampleHttp } from '../http/http-kit.ts';
import { tables } from '../http/report-tables.ts';
import { sampleReport } from '../http/sample-report.ts';
import { runCommand } from '../run-cli.ts';
import { sheetsRig } from '../sheets/kit.ts';
import { type Comparison, monthKeys, presentRefs } from './compare.ts';
import {
  type By,
  endOfDay,
  expectedFeeChanges,
  expectedLeadRows,
  expectedLeads,
  expectedMonth,
  expectedOpen,
  expectedPrices,
  nameOf,
} from './expected.ts';
import { cellsOf, daysShown, type Line, worthByMonth } from './money-shown.ts';
import { outcomeOf, type Truth } from './truth.ts';
import { lastDayOf, localDate, localTime, momentOf } from './wall-clock.ts';

interface Asked {
  store: Store;
  truths: readonly Truth[];
  clock: FakeClock;
}

const MONTH = '2026-05';
const ofMonth = { from: `${MONTH}-01`, to: lastDayOf(MONTH) };
/** A day before a fee changed and another after, of which the sheet and the command are asked. */
const DAY = '2026-06-30';

/** What `clinic-sync report … --json` prints, at a given time. */
export async function compareCommands(
  to: Comparison,
  {
    store,
    truths,
    now,
    folder,
    database,
  }: Pick<Asked, 'store' | 'truths'> & {
    now: number;
    folder: string;
    /** As `store:` has it in the configuration. */
    database: string;
  },
): Promise<void> {
  const config = join(folder, 'clinic-sync.yaml');
  const clinics = truths.map(
    ({ clinic, zone }) =>
      `  ${clinic}: { base_url: "https://c.example", app_key: a, secret_key: b, timezone: ${zone} }\n`,
  );
  writeFileSync(config, `version: 1\nclinics:\n${clinics.join('')}store: { ${database} }\n`);
  const report = async (...argv: string[]) => {
    const { code, out, err } = await runCommand(['report', ...argv, '--config', config, '--json']);
    if (code !== 0) throw new Error(`report ${argv.join(' ')} ended with ${code}: ${err}`);
    return JSON.parse(out);
  };
  const ofAll = <T extends object>(rows: (truth: Truth) => T[]): T[] => truths.flatMap(rows);

  for (const by of leadGroups)
    to.rows(
      `report leads --by ${by}`,
      await report('leads', '--by', by, '--from', ofMonth.from, '--to', ofMonth.to),
      ofAll((truth) => expectedLeads(truth, { by, ...ofMonth })),
      ['clinic', 'group'],
    );
  to.rows(
    `report fees --on ${DAY}`,
    await report('fees', '--on', DAY),
    ofAll((truth) => expectedPrices(truth, endOfDay(DAY, truth.zone))),
    ['clinic', 'kind', 'id'],
  );
  to.rows(
    'report fees --changes',
    await report('fees', '--changes', '--from', ofMonth.from, '--to', ofMonth.to),
    ofAll((truth) => {
      const [first, last] = [momentOf(ofMonth.from, '00:00', truth.zone), endOfDay(ofMonth.to, truth.zone)];
      return expectedFeeChanges(truth, first, last);
    }),
    ['clinic', 'kind', 'id', 'noticed_at', 'what'],
  );
  const present = new Map<string, ReadonlySet<string>>();
  for (const truth of truths) present.set(truth.clinic, await presentRefs(store, truth));
  for (const by of openVisitGroups)
    to.rows(
      `report appointments --by ${by}`,
      (await report('appointments', '--by', by))
        .filter(({ open }: { open: number }) => open > 0)
        .map(withoutVisits),
      ofAll((truth) => expectedOpen(truth, { by, now, present: present.get(truth.clinic) ?? new Set() })),
      ['clinic', 'group'],
    );
  to.rows(
    'report appointments --by status --month',
    (await report('appointments', '--month', MONTH)).map(({ clinic, group: status, visits }: VisitsRow) => ({
      ...{ clinic, status, visits },
    })),
    truths.flatMap((truth) =>
      (expectedMonth(truth, MONTH).visits as object[]).map((row) => ({ clinic: truth.clinic, ...row })),
    ),
    ['clinic', 'status'],
  );
  const { clinics: packs } = await report('month', MONTH);
  for (const truth of truths) {
    const pack = packs.find((one: { clinic: string }) => one.clinic === truth.clinic);
    const shouldBe = expectedMonth(truth, MONTH);
    for (const [part, key] of Object.entries(monthKeys) as [keyof typeof monthKeys, readonly string[]][])
      to.rows(`report month, ${part}`, pack?.[part] ?? [], shouldBe[part] as object[], key);
    to.value('report month, visits', pack?.visits_total, shouldBe.visits_total);
    to.rows('report month, leads', [pack?.leads_total ?? {}], [shouldBe.leads_total], []);
  }
}

const withoutVisits = ({ visits, ...open }: VisitsRow) => open;

const shownGroup = (group: string | null, by: By): string => {
  if (group === null) return 'none';
  if (by !== 'month') return group;
  return new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric' }).format(new Date(`${group}-15`));
};

/** The figures on the page `/reports`, cell by cell. */
export async function comparePage(to: Comparison, { store, truths, clock }: Asked): Promise<void> {
  const sample = sampleReport(clock.now());
  const clinics = truths.map(({ clinic, zone: timezone }) => ({
    ...(sample.clinics[0] as (typeof sample.clinics)[number]),
    ...{ clinic, name: null, timezone },
  }));
  const report = async () => ({ ...sample, clinics });
  const http = await startSampleHttp({ report, store, figures: reportFigures({ store }, clock) }, clock);
  try {
    for (const by of leadGroups) {
      const answer = await fetch(`${http.url}/reports?by=${by}&month=${MONTH}`, {
        headers: { ...bearer, accept: 'text/html' },
      });
      const page = await answer.text();
      const shown = tables(page, ': Leads');
      const period = by === 'month' ? { from: '2025-06-01', to: ofMonth.to } : ofMonth;
      to.value(`/reports?by=${by}: tables`, shown.length, truths.length);
      for (const [at, truth] of truths.entries())
        to.rows(
          `/reports?by=${by} of ${truth.clinic}`,
          shown[at] ?? [],
          expectedLeads(truth, { by, ...period }).map((row) => [
            ...cellsOf(shownGroup(row.group, by), [row]),
            daysShown(row.days_to_visit),
          ]),
          ['0'],
        );
      if (truths.length === 1) continue;
      const each = truths.map((truth) => ({ truth, rows: expectedLeads(truth, { by, ...period }) }));
      const groups = Map.groupBy(
        each.flatMap(({ rows }) => rows),
        ({ group }) => shownGroup(group, by),
      );
      const [clinics = [], summed = []] = tables(page, '', `${truths.length} clinics together`);
      to.rows(
        `/reports?by=${by}, clinics side by side`,
        clinics,
        each.map(({ truth, rows }) => cellsOf(truth.clinic, rows)),
        ['0'],
      );
      to.rows(
        `/reports?by=${by}, clinics summed`,
        summed,
        [...groups].map(([group, rows]) => cellsOf(group, rows)),
        ['0'],
      );
    }
  } finally {
    await http.stop();
  }
}

/** The tabs Overview, Leads and Price list of one clinic, in a spreadsheet over HTTP. */
export async function compareTabs(
  to: Comparison,
  { store, truth, clock }: Pick<Asked, 'store' | 'clock'> & { truth: Truth },
): Promise<void> {
  const { clinic, zone } = truth;
  const clinics = [{ clinic, timezone: zone }];
  const sandbox = await startSheetsSandbox({ clock });
  try {
    const rig = await sheetsRig({
      ...{ sandbox, clock, clinics, settings: { tabs: ['overview', 'price_list', 'leads'] } },
      view: () => mirrorView({ store, connector: 'accounts', includePatient: false, clinics }),
    });
    const converge = async () => {
      await clock.advance(5 * 60_000);
      await rig.converge();
    };
    const rowsOf = (tab: string, ...headers: string[]) =>
      rig
        .shown(tab)
        .slice(1)
        .filter((row) => row[rig.column(tab, headers[0] ?? '')] != null)
        .map((row) =>
          Object.fromEntries(headers.map((header) => [header, row[rig.column(tab, header)] ?? null])),
        );
    await converge();
    to.rows('tab Leads', leadCells(rowsOf('Leads', ...leadHeaders)), await leadsShown(store, truth), ['Ref']);
    to.rows(
      'tab Overview',
      rowsOf('Overview', 'ID', ...overviewHeaders).filter(({ ID }) => compared.test(String(ID))),
      overviewShown(truth, clock.now()),
      ['ID'],
    );
    const today = localDate(clock.now(), zone);
    const prices = () =>
      rowsOf('Price list', 'ID', 'Name', 'Fee', 'Currency').filter(({ ID }) => ID !== 'date');
    const priceColumn = [
      () => prices().filter(({ Currency }) => Currency !== 'not on the list'),
      ['ID'],
    ] as const;
    to.rows('tab Price list', priceColumn[0](), pricesShown(truth, today, clock.now()), priceColumn[1]);

    const at = rowsOf('Price list', 'ID').findIndex(({ ID }) => ID === 'date') + 1;
    const column = rig.column('Price list', 'Day (empty: today)');
    sandbox.control.userActions.type('Price list', at, column, DAY);
    await converge();
    to.rows(
      `tab Price list on ${DAY}`,
      priceColumn[0](),
      pricesShown(truth, DAY, clock.now()),
      priceColumn[1],
    );
  } finally {
    await sandbox.close();
  }
}

const leadHeaders = [
  ...['Ref', 'Received', 'Source', 'Campaign', 'Channel', 'Outcome', 'At the clinic', 'Booked', 'Completed'],
  ...['Treatment', 'Dentist', 'Fee', 'Currency'],
];

/** A cell's moment as text, to the minute. */
const momentIn = (cell: unknown): string | null =>
  typeof cell === 'number'
    ? new Date(Date.UTC(1899, 11, 30) + Math.round(cell * 1440) * 60_000)
        .toISOString()
        .slice(0, 16)
        .replace('T', ' ')
    : null;

const leadCells = (rows: Record<string, unknown>[]) =>
  rows.map((row) => ({
    ...row,
    ...{ Received: momentIn(row.Received), Booked: momentIn(row.Booked), Completed: momentIn(row.Completed) },
  }));

async function leadsShown(store: Store, truth: Truth) {
  const present = await presentRefs(store, truth);
  const local = (at: string | null) => (at === null ? null : localTime(Date.parse(at), truth.zone));
  return expectedLeadRows(truth)
    .filter(({ ref }) => present.has(ref))
    .map((row) => ({
      ...{ Ref: row.ref, Received: local(row.received_at), Source: row.source, Campaign: row.campaign },
      ...{ Channel: row.channel, Outcome: row.outcome, 'At the clinic': row.status },
      ...{ Booked: local(row.booked_at), Completed: local(row.completed_at) },
      Treatment: nameOf(truth, `treatment ${row.treatment_id}`),
      Dentist: nameOf(truth, `dentist ${row.doctor_id}`),
      ...{ Fee: row.fee_as_sent === null ? null : Number(row.fee_as_sent), Currency: row.currency },
    }));
}

const overviewHeaders = [
  'Value',
  'By month',
  ...Array.from({ length: 11 }, (_, n) => `${11 - n} ago`),
  'This month',
];
/** Rows whose figures the simulator knows: all but names and what is on offer. */
const compared =
  /^leads (\d|other)$|^(booked|completed|value) by month$|^(patients|appointments)( by month)?$|^(held|unknown|rejected|expired)$/;

function overviewShown(truth: Truth, now: number) {
  const months = Array.from({ length: 12 }, (_, n) => {
    const [year = 0, month = 1] = localDate(now, truth.zone).split('-').map(Number);
    return new Date(Date.UTC(year, month - 12 + n, 1)).toISOString().slice(0, 7);
  });
  const ofMonths = months.map((month) =>
    expectedLeads(truth, { by: 'source', from: `${month}-01`, to: lastDayOf(month) }),
  );
  const line: Line = (ID, name, cells, value) => ({
    ...{ ID, Value: value, 'By month': name },
    ...Object.fromEntries(overviewHeaders.slice(2).map((header, n) => [header, cells[n] ?? null])),
  });
  const counted = (ID: string, name: string, of: (rows: (typeof ofMonths)[number]) => number) => {
    const cells = ofMonths.map(of);
    return line(
      ID,
      name,
      cells,
      cells.reduce((all, one) => all + one, 0),
    );
  };
  const total = (name: 'booked' | 'completed') => (rows: (typeof ofMonths)[number]) =>
    rows.reduce((all, row) => all + row[name], 0);
  const came = ofMonths.flat().filter(({ leads }) => leads > 0);
  const sources = [...new Set(came.map(({ group }) => group ?? ''))].sort();
  const figureAt = (name: 'total_patients' | 'total_appointments') =>
    months.map((month) => {
      const inMonth = truth.figures.filter(({ at }) => localDate(at, truth.zone).startsWith(month));
      return inMonth.at(-1)?.values[name] ?? null;
    });
  const last = truth.figures.at(-1)?.values;
  const single = (ID: string, Value: number | null) => ({ ID, Value, 'By month': null });
  return [
    ...sources.map((source, n) =>
      counted(`leads ${n + 1}`, source, (rows) => rows.find(({ group }) => group === source)?.leads ?? 0),
    ),
    // As many as have a row of their own.
    counted('leads other', 'other sources', () => 0),
    counted('booked by month', 'Booked', total('booked')),
    counted('completed by month', 'Completed', total('completed')),
    worthByMonth(truth, months, now, line),
    line('patients by month', 'Patients', figureAt('total_patients'), null),
    line('appointments by month', 'Appointments', figureAt('total_appointments'), null),
    single('patients', last?.total_patients ?? null),
    single('appointments', last?.total_appointments ?? null),
    ...(['held', 'unknown', 'rejected', 'expired'] as const).map((state) =>
      single(state, inState(truth, state)),
    ),
  ];
}

/** What waits for a person, or ended without a visit; removed ones stay counted. */
const inState = ({ leads }: Truth, state: 'held' | 'unknown' | 'rejected' | 'expired'): number =>
  leads.filter((lead) => {
    const { inDoubt, ended, source } = lead;
    if (state === 'rejected' || state === 'expired') return ended === state;
    if (outcomeOf(lead) !== 'open' || inDoubt) return state === 'unknown' && inDoubt;
    return state === 'held' && source === 'desk';
  }).length;

/** An amount in another currency than the present one is text, beside it. */
function pricesShown(truth: Truth, day: string, now: number) {
  const present = truth.currencies.findLast(({ at }) => at <= now)?.currency;
  return expectedPrices(truth, endOfDay(day, truth.zone)).map(({ kind, id, name, fee, currency }) => ({
    ...{ ID: `${kind} ${id}`, Name: name },
    ...(fee !== null && currency !== present
      ? { Fee: null, Currency: `${fee} ${currency}` }
      : { Fee: fee === null ? null : Number(fee), Currency: currency }),
  }));
}
