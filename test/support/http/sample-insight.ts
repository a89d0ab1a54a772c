import type { Change } from '../../../src/domain/clinics/change.ts';
import type { FeePeriod } from '../../../src/domain/clinics/fees.ts';
import { type LeadsRow, leadFigures } from '../../../src/domain/clinics/report-columns.ts';
import type { Row } from '../../../src/domain/clinics/tables.ts';
import type { HttpOptions } from '../../../src/http/http.ts';
import type { InsightStore } from '../../../src/http/routes/insight.ts';
import { instant } from '../../../src/platform/clock.ts';
import { totalOf } from '../../../src/reports/figures.ts';
import type { Incident } from '../../../src/store/ports/incidents.ts';

/** A person who must never be seen by anybody who is not signed in. */
export const planted = {
  patient_name: 'Zerlina Plantagenet',
  patient_phone: '+8801700424242',
  address: '7 Planted Lane',
  note: 'allergic to plantigrades',
};

const minutes = (count: number) => count * 60_000;

/** What the pages about the work read: a week with an outage yesterday. */
export function sampleInsight(now: number): InsightStore {
  const hour = (ago: number) => instant(Math.floor(now / 3_600_000 - ago) * 3_600_000);
  const change: Change = {
    clinic: 'main',
    sequence: 1_839,
    at: instant(now - minutes(75)),
    type: 'treatment.updated',
    resource: 'treatment',
    id: '7',
    data: { id: 7, treatment_name: 'Scaling', base_fee: '90.00' },
    previous: { base_fee: '80.00' },
  };
  const booked: Change = {
    ...change,
    sequence: 1_840,
    type: 'booking.booked',
    resource: 'booking',
    id: 'CS-7K3Q9F',
    data: { ...planted, state: 'booked' },
    previous: { ...planted, state: 'sending' },
  };
  const incident: Incident = {
    n: 4,
    clinic: 'main',
    kind: 'failing',
    subject: 'treatments',
    health: 'trouble',
    sentence: 'treatments failed 3 times in a row (the clinic answers 500)',
    since: instant(now - minutes(300)),
    ended_at: instant(now - minutes(200)),
  };
  const row = (fields: Record<string, string | number>) => ({
    ...fields,
    changed_at: instant(now - minutes(75)),
    removed_at: null,
  });
  const rows: Record<string, Row[]> = {
    treatments: [row({ treatment_id: 7, treatment_name: 'Scaling', base_fee: '90.00' })],
    dentists: [row({ doctor_id: 4, doctor_name: 'Dr. O’Neil', consultation_fee: '30.00' })],
    organization: [row({ care_id: 1, name: 'Bright Dental', currency: 'BDT' })],
  };
  const delivery = {
    n: 9,
    id: 'msg_9',
    connector: 'crm',
    clinic: 'main',
    sequence: 1_840,
    type: 'booking.booked',
    thing: 'booking:CS-7K3Q9F',
    body: JSON.stringify(planted),
    state: 'dead' as const,
    attempts: 12,
    created_at: instant(now - minutes(90)),
    next_attempt_at: instant(now),
    last_error: 'crm.example answered 502',
    delivered_at: null,
  };
  return {
    changes: {
      page: async ({ resource }: { resource?: string }) =>
        [booked, change].filter((one) => resource === undefined || one.resource === resource),
    },
    incidents: { list: async () => [incident], during: async () => [incident] },
    activity: {
      list: async (series: string) =>
        [30, 3, 2, 1].map((ago) => ({
          ...{ series, at: hour(ago), answered: 80, refused: ago, failed: 0 },
          ...{ total_ms: 9_000, most: 900 },
        })),
    },
    deliveries: { list: async () => [delivery] },
    mirror: {
      rows: async (table: string) => rows[table] ?? [],
      page: async (table: string) => rows[table] ?? [],
      statistics: async () => [],
    },
    appointments: {
      pending: async () => [
        {
          ...{ clinic: 'main', appointment_id: 5_191, status: 'Pending', name: planted.patient_name },
          ...{ date: '2026-03-05', time: '10:30', ref: 'CS-7K3Q9F', done: false, removed_at: null },
          ...{ first_seen_at: hour(2), seen_at: hour(1), next_due_at: instant(now), misses: 0 },
        },
      ],
    },
    guards: { open: async () => [] },
    bookings: {
      leadsPerQuarter: async () => [{ source: 'website', at: instant(now - minutes(44)), count: 3 }],
    },
  } as unknown as InsightStore;
}

const leadsRow: LeadsRow = {
  ...{
    clinic: 'main',
    group: 'website',
    leads: 12,
    booked: 9,
    completed: 4,
    cancelled: 1,
    no_show: 1,
    unknown: 2,
    to_come: 1,
  },
  ...{ open: 2, lost: 1, value: 1234.5, currency: 'BDT', hours_to_booking: 1.5, days_to_visit: 6 },
  ...{ leads_before: 8, booked_before: 5, completed_before: 5, value_before: 900 },
};

const samplePeriod = {
  clinic: 'main',
  kind: 'treatment',
  id: '7',
  name: 'Scaling',
  currency: 'BDT',
  removed_by: null,
} as const;
const [began, raised] = ['2026-01-01T00:00:00.000Z', '2026-02-03T09:00:00.000Z'];
const samplePeriods: FeePeriod[] = [
  { ...samplePeriod, sequence: 1, fee: '80.00', valid_from: began, valid_to: raised },
  { ...samplePeriod, sequence: 9, fee: '90.00', valid_from: raised, valid_to: null },
  {
    ...{ ...samplePeriod, kind: 'dentist', id: '4', name: 'Dr. O’Neil', fee: '30.00' },
    ...{ sequence: 2, valid_from: began, valid_to: null },
  },
];

/** What `report` says of a month. */
export const sampleFigures: HttpOptions['figures'] = {
  leads: async ({ clinic, by }) =>
    [leadsRow, { ...leadsRow, group: null, leads: 3, value: null }].map((row) => ({
      ...row,
      clinic,
      ...(by === 'month' && { group: '2026-02' }),
    })),
  openVisits: async (clinic) => [
    {
      ...{ clinic, group: 'Pending', open: 3, days_0_7: 1, days_8_30: 2, days_31_90: 0, days_over_90: 0 },
      oldest_days: 9,
    },
  ],
  unknownStatuses: async () => ['Seltsam'],
  prices: async ({ clinic, timezone }, { day: on = '2026-03-02' }) => ({
    next: [],
    ...{ clinic, timezone, on, known_since: '2026-01-01T00:00:00.000Z' },
    prices:
      on < '2026-01-01'
        ? []
        : samplePeriods.flatMap(({ valid_from, valid_to, sequence: _n, removed_by: _by, ...one }) =>
            valid_to === null ? [{ ...one, clinic, since: valid_from, until: valid_to }] : [],
          ),
  }),
  feePeriodsOf: async (_clinic, { kind, id }) =>
    samplePeriods.filter((one) => one.kind === kind && one.id === id).reverse(),
  month: async ({ clinic, timezone }, month) => ({
    ...{ clinic, name: 'Bright Dental', timezone, month, known_since: null, head: null, notes: [] },
    ...{
      from: `${month}-01T00:00:00.000Z`,
      to: `${month}-28T00:00:00.000Z`,
      taken_at: `${month}-28T00:00:00.000Z`,
    },
    ...{ fees: [], changes: [], visits: [], visits_total: 0, leads: [], figures: [] },
    ...{ leads_total: totalOf(leadFigures, []), corrections: [] },
  }),
};
