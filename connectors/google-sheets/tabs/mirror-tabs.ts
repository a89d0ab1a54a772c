import { hash } from 'node:crypto';
import type { ClinicFacts, MirrorView, Row } from '../../../src/connector.ts';
import { mirrorColumns } from '../../../src/domain/clinics/record-columns.ts';
import type { ListPoll } from '../../../src/domain/clinics/resource.ts';
import { DAY } from '../../../src/platform/duration.ts';
import { parsedJson } from '../../../src/platform/json.ts';
import { type Locale, localeOf } from '../../../src/platform/text/locale.ts';
import type { Language } from '../../../src/texts/texts.ts';
import type { GoogleSheetsSettings, TabKey } from '../settings.ts';
import { instantSerial, money, numberCell, textCell } from '../sheet/cells.ts';
import type { DesiredRow, TabSpec } from '../sheet/tab-spec.ts';
import { layoutOf } from './columns.ts';
import { type History, isHistoryTab } from './history.ts';
import type { Overview } from './overview.ts';

interface DesiredOptions {
  settings: GoogleSheetsSettings;
  history: History;
  overview: Overview;
  includePatient: boolean;
}

/** Builds the rows of a tab that shows the current mirror. */
type Builder = (view: MirrorView, facts: ClinicFacts, options: DesiredOptions) => Promise<DesiredRow[]>;

/** A row per treatment or dentist, with its state and since when. */
const recordsOf =
  (table: 'treatments' | 'dentists', id: string, cellsOf: (row: Row) => DesiredRow['cells']): Builder =>
  async (view, { clinic, timezone }, { settings }) =>
    (await view.rows(table, clinic)).map((row) => {
      const isRemoved = typeof row.removed_at === 'string';
      const since = instantSerial(isRemoved ? row.removed_at : row.first_seen_at, timezone);
      return {
        clinic,
        id: row[id] ?? '',
        cells: {
          ...cellsOf(row),
          state: isRemoved ? 'Removed' : 'Active',
          since: typeof since === 'number' ? Math.floor(since) : since,
        },
        ...(isRemoved && settings.on_remove === 'delete' && { gone: true }),
      };
    });

const treatments = recordsOf('treatments', 'treatment_id', (row) => ({
  name: textCell(row.treatment_name),
  fee: money(row.base_fee),
  minutes: numberCell(row.duration_minutes),
  description: textCell(row.description),
  image: textCell(row.image_url),
}));

const dentists = recordsOf('dentists', 'doctor_id', (row) => ({
  name: textCell(row.doctor_name),
  specialization: textCell(row.specialization),
  qualification: textCell(row.qualification),
  years: numberCell(row.experience_years),
  fee: money(row.consultation_fee),
}));

const profile = [
  ...['name', 'short_name', 'care_id', 'currency', 'tooth_system', 'address', 'city', 'state', 'region'],
  ...['postal_code', 'country', 'phone', 'email', 'website', 'fax', 'established_date'],
];
/** By column of the Statistics tab. The ids are in people's sheets and never change. */
const figures = [
  ['users', 'total_users', 'sheet_in_all_users'],
  ['patients', 'total_patients', 'sheet_in_all_patients'],
  ['appointments', 'total_appointments', 'sheet_in_all_appointments'],
  ['dentists', 'total_doctors', 'sheet_in_all_dentists'],
] as const;
const contact = ['contact_phone', 'contact_email', 'contact_address', 'whatsapp_number'];

const clinicTab: Builder = async (view, facts, { settings, history }) => {
  const locale = localeOf(settings.language);
  const { t } = locale;
  const { clinic } = facts;
  const [organization] = await view.rows('organization', clinic);
  const latest = (await history.rows('statistics')(view, facts)).at(-1)?.cells;
  const [website] = await view.rows('website', clinic);
  const rows = (prefix: string, poll: ListPoll, fields: readonly string[], from: Row | undefined) =>
    from === undefined
      ? []
      : fields.map((field) => ({
          clinic,
          id: prefix + field,
          cells: { field: labelIn(locale, poll, field), value: numberCell(from[field]) },
        }));
  return [
    ...rows('', 'organization', profile, organization),
    ...figures.flatMap(([column, id, label]) =>
      latest
        ? [{ clinic, id: `figures.${id}`, cells: { field: t(label), value: latest[column] ?? null } }]
        : [],
    ),
    ...rows('website.', 'website', contact, website),
    ...openingHours(website).map(([day, hours]) => ({
      clinic,
      id: `website.opening_hours.${day}`,
      cells: { field: t('sheet_open_on', { day: dayIn(locale, day) }), value: hours },
    })),
  ];
};

function labelIn({ t }: Locale, poll: ListPoll, field: string): string {
  const { label } = mirrorColumns[poll][field] ?? {};
  return field === 'care_id' ? t('sheet_care_id') : label === undefined ? field : t(label);
}

/** 5 January 1970 was a Monday. English days stay as the clinic wrote them. */
const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
function dayIn({ isSource, date }: Locale, day: string): string {
  const at = weekdays.indexOf(day.toLowerCase());
  return at < 0 || isSource ? day : date((4 + at) * DAY, { weekday: 'long' });
}

function openingHours(website: Row | undefined): [day: string, hours: string][] {
  const days = Object.entries(Object(parsedJson(String(website?.opening_hours ?? '')))) as [
    string,
    unknown,
  ][];
  return days.map(([day, hours]) => {
    const { open = '?', close = '?', is_closed }: Partial<Record<string, unknown>> = Object(hours);
    return [day, is_closed ? 'closed' : `${open}–${close}`];
  });
}

const mirrorTabs: Partial<Record<TabKey, Builder>> = {
  treatments,
  dentists,
  clinic: clinicTab,
};

interface Desired {
  /** Without Bookings and Sync, which depend on the sheet's content. */
  specs: ReadonlyMap<TabKey, TabSpec>;
  /** Equal digests mean equal tabs. */
  digests: ReadonlyMap<TabKey, string>;
}

/** The desired content of the spreadsheet. */
export async function desiredTabs(view: MirrorView, options: DesiredOptions): Promise<Desired> {
  const { settings, history, overview, includePatient } = options;
  const specs = new Map<TabKey, TabSpec>();
  const digests = new Map<TabKey, string>();
  for (const key of settings.tabs) {
    const rows: DesiredRow[] = [];
    const build = isHistoryTab(key)
      ? history.rows(key)
      : key === 'overview'
        ? overview.rows
        : mirrorTabs[key];
    if (build === undefined) continue;
    for (const facts of view.clinics) for (const row of await build(view, facts, options)) rows.push(row);
    specs.set(key, specOf(key, rows, { view, includePatient, language: settings.language }));
    digests.set(key, isHistoryTab(key) ? String(history.version(key)) : digestOf(rows));
  }
  return { specs, digests };
}

const digestOf = (rows: readonly DesiredRow[]): string => hash('sha256', JSON.stringify(rows), 'base64url');

export function specOf(
  key: TabKey,
  rows: readonly DesiredRow[],
  { view, ...options }: { view: Pick<MirrorView, 'clinics'>; includePatient: boolean; language: Language },
): TabSpec {
  const clinics = view.clinics.map(({ clinic }) => clinic);
  const currencies = new Map(view.clinics.map(({ clinic, currency }) => [clinic, currency]));
  return {
    key,
    rows,
    clinics,
    currencies,
    ...layoutOf(key, { several: clinics.length > 1, ...options }),
  };
}
