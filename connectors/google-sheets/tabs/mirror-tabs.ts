import type { ClinicFacts, MirrorView, Row } from '../../../src/connector.ts';
import type { GoogleSheetsSettings, TabKey } from '../settings.ts';
import { instantSerial, money, number, text } from '../sheet/cells.ts';
import type { History } from './history.ts';
import type { DesiredRow } from './tab-spec.ts';

/** Rows of a tab that shows a table of the mirror as it is now. */
type Builder = (
  view: MirrorView,
  facts: ClinicFacts,
  options: { settings: GoogleSheetsSettings; history: History },
) => Promise<DesiredRow[]>;

/** Of a thing that may be removed: its state, since when, and whether its row goes. */
function life(row: Row, zone: string, { on_remove }: GoogleSheetsSettings) {
  const removed = typeof row.removed_at === 'string';
  const since = instantSerial(removed ? row.removed_at : row.first_seen_at, zone);
  return {
    cells: {
      state: removed ? 'Removed' : 'Active',
      since: typeof since === 'number' ? Math.floor(since) : since,
    },
    ...(removed && on_remove === 'delete' && { gone: true }),
  };
}

const treatments: Builder = async (view, { clinic, timezone }, { settings }) =>
  (await view.rows('treatments', clinic)).map((row) => {
    const { cells, ...rest } = life(row, timezone, settings);
    return {
      clinic,
      id: row.treatment_id ?? '',
      cells: {
        name: text(row.treatment_name),
        fee: money(row.base_fee),
        minutes: number(row.duration_minutes),
        description: text(row.description),
        image: text(row.image_url),
        ...cells,
      },
      ...rest,
    };
  });

const dentists: Builder = async (view, { clinic, timezone }, { settings }) =>
  (await view.rows('dentists', clinic)).map((row) => {
    const { cells, ...rest } = life(row, timezone, settings);
    return {
      clinic,
      id: row.doctor_id ?? '',
      cells: {
        name: text(row.doctor_name),
        specialization: text(row.specialization),
        qualification: text(row.qualification),
        years: number(row.experience_years),
        fee: money(row.consultation_fee),
        ...cells,
      },
      ...rest,
    };
  });

const profile: readonly [field: string, label: string][] = [
  ['name', 'Name'],
  ['short_name', 'Short name'],
  ['care_id', 'Care ID'],
  ['currency', 'Currency'],
  ['tooth_system', 'Tooth system'],
  ['address', 'Address'],
  ['city', 'City'],
  ['state', 'State'],
  ['region', 'Region'],
  ['postal_code', 'Postal code'],
  ['country', 'Country'],
  ['phone', 'Phone'],
  ['email', 'E-mail'],
  ['website', 'Website'],
  ['fax', 'Fax'],
  ['established_date', 'Established'],
];
/** By column of the Statistics tab. The ids are in people's sheets already. */
const figures: readonly [column: string, id: string, label: string][] = [
  ['users', 'total_users', 'Users in all'],
  ['patients', 'total_patients', 'Patients in all'],
  ['appointments', 'total_appointments', 'Appointments in all'],
  ['dentists', 'total_doctors', 'Dentists in all'],
];
const contact: readonly [field: string, label: string][] = [
  ['contact_phone', 'Phone on the website'],
  ['contact_email', 'E-mail on the website'],
  ['contact_address', 'Address on the website'],
  ['whatsapp_number', 'WhatsApp'],
];

const clinicTab: Builder = async (view, facts, { history }) => {
  const { clinic } = facts;
  const [organization] = await view.rows('organization', clinic);
  const latest = (await history.rows('statistics')(view, facts)).at(-1)?.cells;
  const [website] = await view.rows('website', clinic);
  const rows = (prefix: string, labels: readonly [string, string][], from: Row | undefined): DesiredRow[] =>
    from === undefined
      ? []
      : labels.map(([field, label]) => ({
          clinic,
          id: prefix + field,
          cells: { field: label, value: number(from[field]) },
        }));
  return [
    ...rows('', profile, organization),
    ...figures.flatMap(([column, id, label]) =>
      latest ? [{ clinic, id: `figures.${id}`, cells: { field: label, value: latest[column] ?? null } }] : [],
    ),
    ...rows('website.', contact, website),
    ...openingHours(website).map(([day, hours]) => ({
      clinic,
      id: `website.opening_hours.${day}`,
      cells: { field: `Open on ${day}`, value: hours },
    })),
  ];
};

function openingHours(website: Row | undefined): [day: string, hours: string][] {
  try {
    const hours: unknown = JSON.parse(String(website?.opening_hours ?? '{}'));
    return Object.entries(
      hours as Record<string, { open?: string; close?: string; is_closed?: boolean }>,
    ).map(([day, { open, close, is_closed }]) => [
      day,
      is_closed ? 'closed' : `${open ?? '?'}–${close ?? '?'}`,
    ]);
  } catch {
    return [];
  }
}

export const mirrorTabs: Partial<Record<TabKey, Builder>> = {
  treatments,
  dentists,
  clinic: clinicTab,
};
