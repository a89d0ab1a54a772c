import { createClient } from '../../../connectors/google-sheets/api/client.ts';
import { createGoogleSheets, openSpreadsheet } from '../../../connectors/google-sheets/google-sheets.ts';
import { GoogleSheetsSettings } from '../../../connectors/google-sheets/settings.ts';
import type { SheetsSandbox } from '../../../sandbox/google-sheets/google-sheets.ts';
import {
  type Ask,
  type ConnectorContext,
  type Converged,
  type ErasedPeople,
  type LeadCounts,
  type MirrorTable,
  type MirrorView,
  type Row,
  sentenceOf,
} from '../../../src/connector.ts';
import type { Change } from '../../../src/domain/clinics/change.ts';
import type { Clock } from '../../../src/platform/clock.ts';
import { silentLog } from '../../../src/platform/log.ts';
import { desk, type FakeBookings } from '../csv/kit.ts';
import { pagedRows } from '../paged-rows.ts';
import type { WrongPolicy } from './wrong-policies.ts';

export type ReceivedLeads = { at: string; count: number } & Pick<LeadCounts['sources'][number], 'source'> &
  Partial<LeadCounts['sources'][number]>;

/** The clinic as a test has it; change it and converge again. */
export interface SheetsMirror {
  rows: Partial<Record<MirrorTable, Row[]>>;
  changes: Change[];
  asOf: string;
  /** The age of the tracked appointments; undefined: there is none. */
  followed?: { as_of: string; next_due_at: string | null };
  /** Leads of one source and instant, and what became of them. */
  leads?: { received: ReceivedLeads[]; states: LeadCounts['states'] };
  /** Rows and changes that were read so far. */
  rowsRead?: number;
}

export const treatmentRow = (id: number, fields: Row = {}): Row => ({
  clinic: 'main',
  treatment_id: id,
  treatment_name: `Treatment ${id}`,
  description: '=1+1',
  base_fee: '1500.00',
  duration_minutes: 30,
  image_url: 'https://clinic.example/t.png',
  first_seen_at: '2026-02-01T00:00:00.000Z',
  changed_at: '2026-02-01T00:00:00.000Z',
  removed_at: null,
  ...fields,
});

export const dentistRow = (id: number, fields: Row = {}): Row => ({
  clinic: 'main',
  doctor_id: id,
  doctor_name: `Dr. ${id}`,
  specialization: 'Orthodontics',
  qualification: 'DDS',
  experience_years: 7,
  consultation_fee: '80.50',
  first_seen_at: '2026-02-01T00:00:00.000Z',
  removed_at: null,
  ...fields,
});

export const appointmentRow = (id: number, fields: Row = {}): Row => ({
  clinic: 'main',
  appointment_id: id,
  status: 'Pending',
  name: `Patient ${id}`,
  date: '2026-03-19',
  time: '10:30',
  changed_at: '2026-02-01T00:00:00.000Z',
  ...fields,
});

export const appointmentChange = (sequence: number, id: number): Change => ({
  clinic: 'main',
  sequence,
  at: '2026-03-01T10:00:00.000Z',
  type: 'appointment.updated',
  resource: 'appointment',
  id: String(id),
  data: {},
  previous: {},
});

export const feeChange = (sequence: number, fields: Partial<Change> = {}): Change => ({
  clinic: 'main',
  sequence,
  at: '2026-03-01T10:00:00.000Z',
  type: 'treatment.updated',
  resource: 'treatment',
  id: '1',
  data: { treatment_id: 1, treatment_name: 'Scaling', base_fee: '110.00' },
  previous: { base_fee: '100.10' },
  ...fields,
});

export function mirrorView(
  mirror: SheetsMirror,
  office: FakeBookings,
  clinics: ConnectorContext['clinics'],
  currency: string | Partial<Record<string, string>> = 'BDT',
): MirrorView {
  const counted = <T>(rows: T[]): T[] => {
    mirror.rowsRead = (mirror.rowsRead ?? 0) + rows.length;
    return rows;
  };
  const { page, rowsById, rowsChangedSince } = pagedRows(mirror);
  return {
    clinics: clinics.map((one) => ({
      ...one,
      name: null,
      currency: typeof currency === 'string' ? currency : (currency[one.clinic] ?? null),
      currency_symbol: '৳',
    })),
    rows: async (table, clinic) => counted((mirror.rows[table] ?? []).filter((row) => row.clinic === clinic)),
    page: async (...given) => counted(await page(...given)),
    rowsById: async (...given) => counted(await rowsById(...given)),
    async rowsChangedSince(...given) {
      const changed = await rowsChangedSince(...given);
      return { ...changed, rows: counted(changed.rows) };
    },
    ownBookings: async (clinic, refs) =>
      office.bookings.filter((one) => one.clinic === clinic && refs.includes(one.ref)).reverse(),
    ownBookingsBySubmission: async (clinic, ids) =>
      office.bookings
        .filter((one) => one.clinic === clinic && ids.includes(one.submission_id ?? ''))
        .reverse(),
    changes: async (clinic, after, limit) =>
      counted(mirror.changes.filter((one) => one.clinic === clinic && one.sequence > after).slice(0, limit)),
    leadCounts: async (_clinic, from, until) => ({
      sources: (mirror.leads?.received ?? [])
        .filter(({ at }) => at >= from && at < until)
        .map(({ source, count, booked = 0, completed = 0, value = 0, currency = null }) => ({
          ...{ source, leads: count, booked, completed, value, currency },
        })),
      states: mirror.leads?.states ?? {},
    }),
    month: async () => undefined,
    freshness: async (clinic) => [
      {
        poll: 'treatments',
        rows: (mirror.rows.treatments ?? []).filter((row) => row.clinic === clinic).length,
        as_of: mirror.asOf,
        next_due_at: new Date(Date.parse(mirror.asOf) + 15 * 60_000).toISOString(),
      },
      ...(mirror.followed === undefined ? [] : [{ poll: 'appointments', rows: 0, ...mirror.followed }]),
    ],
  };
}

export interface SheetsRig {
  mirror: SheetsMirror;
  desk: FakeBookings;
  connector: Awaited<ReturnType<typeof createGoogleSheets>>;
  /** `problems` in sentences; `asks`: those that ask a person. */
  converge(signal?: AbortSignal): Promise<Converged & { problems: string[]; asks: Ask[] }>;
  forget(refs: string[], appointments?: ErasedPeople['appointments']): Promise<void>;
  /** What a tab shows, cell by cell, as entered. */
  shown(tab: string): unknown[][];
  /** Our column's place in a tab, by its first header. */
  column(tab: string, header: string): number;
}

interface RigOptions {
  sandbox: SheetsSandbox;
  clock: Clock;
  settings?: Record<string, unknown>;
  clinics?: ConnectorContext['clinics'];
  includePatient?: boolean;
  currency?: string;
  currencies?: Partial<Record<string, string>>;
  mirror?: SheetsMirror;
  /** What the connector reads, instead of the fake mirror. */
  view?: () => Promise<MirrorView>;
  desk?: FakeBookings;
  instance?: string;
  policy?: WrongPolicy;
  random?: () => number;
}

/** The connector over a sheets sandbox, a fake mirror and fake bookings. */
export async function sheetsRig(options: RigOptions): Promise<SheetsRig> {
  const { sandbox, clock, includePatient = false, instance = 'here', policy = {}, random } = options;
  const clinics = options.clinics ?? [{ clinic: 'main', timezone: 'Asia/Dhaka' }];
  const mirror = options.mirror ?? { rows: {}, changes: [], asOf: '2026-03-02T08:59:00.000Z' };
  const office = options.desk ?? desk(clock);
  const context: ConnectorContext<GoogleSheetsSettings> = {
    name: 'accounts',
    settings: GoogleSheetsSettings.parse({
      spreadsheet: sandbox.spreadsheetId,
      credentials: JSON.stringify(sandbox.credentials),
      api_url: `${sandbox.url}/`,
      tabs: ['treatments'],
      ...options.settings,
    }),
    clinics,
    includePatient,
    instance,
    bookings: office.port,
    memory: office.memory,
    clock,
    log: silentLog,
    wake() {},
  };
  const connector = await createGoogleSheets(context, async () => {
    const parts = await openSpreadsheet(context, {
      ...(random && { random }),
      connect: async (given) => (policy.client ?? ((client) => client))(await createClient(given)),
    });
    return policy.parts?.(parts) ?? parts;
  });
  const shown = (tab: string) =>
    sandbox.control.tab(tab).rows.map((row) =>
      row.map((cell) => {
        const { numberValue, stringValue, boolValue, formulaValue } = cell?.value ?? {};
        return numberValue ?? stringValue ?? boolValue ?? formulaValue ?? null;
      }),
    );
  return {
    mirror,
    desk: office,
    connector,
    async converge(signal = new AbortController().signal) {
      const view =
        (await options.view?.()) ??
        mirrorView(mirror, office, clinics, options.currencies ?? options.currency);
      const converged = await connector.state.converge(view, signal);
      return {
        ...converged,
        problems: converged.problems.map(sentenceOf),
        asks: converged.problems.filter((problem) => typeof problem === 'object' && 'weight' in problem),
      };
    },
    forget: (refs, appointments = []) =>
      connector.forget(
        { refs, appointments },
        mirrorView(mirror, office, clinics),
        new AbortController().signal,
      ),
    shown,
    column(tab, header) {
      const found = shown(tab)[0]?.indexOf(header) ?? -1;
      if (found < 0) throw new RangeError(`${tab} has no column ${header}`);
      return found;
    },
  };
}
