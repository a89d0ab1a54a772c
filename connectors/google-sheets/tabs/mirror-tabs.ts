import type { ClinicFacts, MirrorView, Row } from '../../../src/connector.ts';
import type { GoogleSheetsSettings, TabKey } from '../settings.ts';
import { type Content, dateSerial, instantSerial, money, text, timeSerial } from '../sheet/cells.ts';
import type { DesiredRow } from './tab-spec.ts';

/** Rows of a tab that shows a table of the mirror as it is now. */
type Builder = (
  view: MirrorView,
  facts: ClinicFacts,
  settings: GoogleSheetsSettings,
) => Promise<DesiredRow[]>;

/** Figures and history are kept up to date this far back; older rows stay as they are. */
export const KEPT_ROWS = 5_000;

const number = (value: string | number | null | undefined): Content =>
  typeof value === 'number' ? value : text(value);

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

const treatments: Builder = async (view, { clinic, timezone }, settings) =>
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

const dentists: Builder = async (view, { clinic, timezone }, settings) =>
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
const figures: readonly [field: string, label: string][] = [
  ['total_users', 'Users in all'],
  ['total_patients', 'Patients in all'],
  ['total_appointments', 'Appointments in all'],
  ['total_doctors', 'Dentists in all'],
];
const contact: readonly [field: string, label: string][] = [
  ['contact_phone', 'Phone on the website'],
  ['contact_email', 'E-mail on the website'],
  ['contact_address', 'Address on the website'],
  ['whatsapp_number', 'WhatsApp'],
];

const clinicTab: Builder = async (view, { clinic }) => {
  const [organization] = await view.rows('organization', clinic);
  const latest = (await view.rows('organization_statistics', clinic)).reduce<Row | undefined>(
    (newest, row) => (newest === undefined || String(row.at) > String(newest.at) ? row : newest),
    undefined,
  );
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
    ...rows('figures.', figures, latest),
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

const statistics: Builder = async (view, { clinic, timezone }) =>
  (await view.rows('organization_statistics', clinic)).slice(-KEPT_ROWS).map((row) => ({
    clinic,
    id: row.at ?? '',
    cells: {
      at: instantSerial(row.at, timezone),
      users: number(row.total_users),
      patients: number(row.total_patients),
      appointments: number(row.total_appointments),
      dentists: number(row.total_doctors),
    },
  }));

const appointments: Builder = async (view, { clinic, timezone }) =>
  (await view.rows('appointments', clinic)).map((row) => ({
    clinic,
    id: row.appointment_id ?? '',
    cells: {
      status: text(row.status),
      patient: text(row.name),
      date: dateSerial(row.date),
      time: timeSerial(row.time),
      changed: instantSerial(row.changed_at, timezone),
    },
  }));

export const mirrorTabs: Partial<Record<TabKey, Builder>> = {
  treatments,
  dentists,
  clinic: clinicTab,
  statistics,
  appointments,
};
