import type { MirrorView, Row } from '../../../src/connector.ts';
import { latestRows } from '../../../src/domain/clinics/latest-rows.ts';
import type { Clock } from '../../../src/platform/clock.ts';
import { parsedJson } from '../../../src/platform/json.ts';

export interface Choice {
  id: string;
  /** As the clinic spells it. */
  name: string;
  /** Shown after the name. */
  about: string;
  /** A treatment's fee, as the clinic's decimal. */
  fee?: string;
  minutes?: number;
}

/** What the form shows of a clinic, from the mirror. */
export interface ClinicShown {
  clinic: string;
  name: string | null;
  phone: string | null;
  address: string | null;
  colour: string | null;
  currency: string | null;
  currencySymbol: string | null;
  /** As the clinic entered them. */
  openingHours: unknown;
  treatments: Choice[];
  dentists: Choice[];
}

const idField = { treatment: 'treatment_id', dentist: 'doctor_id' } as const;
const nameField = { treatment: 'treatment', dentist: 'doctor' } as const;

/** The fields that carry a choice, by id and by name. */
export const fieldsOf = (label: keyof typeof idField) => ({ id: idField[label], name: nameField[label] });

/** Found by id, or by name when another form sent a name. */
export function chosenOf(
  values: Readonly<Record<string, string>>,
  label: keyof typeof idField,
  choices: readonly Choice[],
): Choice | undefined {
  const { id, name } = fieldsOf(label);
  const given = values[name]?.trim().toLowerCase();
  return (
    choices.find((one) => one.id === values[id]) ?? choices.find((one) => one.name.toLowerCase() === given)
  );
}

/** Short, so that a treatment added at the clinic appears right after the next poll. */
const FRESH_MS = 1_000;

export type FormClinicFacts = (mirror: MirrorView, clinic: string) => Promise<ClinicShown>;

/** Pages requested within a second share one reading: in a burst, each would keep all rows in memory until sent. */
export function createClinicFacts(clock: Pick<Clock, 'monotonic'>): FormClinicFacts {
  const read = new Map<string, { at: number; shown: Promise<ClinicShown> }>();
  return (mirror, clinic) => {
    const at = clock.monotonic();
    const last = read.get(clinic);
    if (last !== undefined && at - last.at < FRESH_MS) return last.shown;
    const shown = clinicShown(mirror, clinic);
    read.set(clinic, { at, shown });
    shown.catch(() => read.delete(clinic));
    return shown;
  };
}

async function clinicShown(mirror: MirrorView, clinic: string): Promise<ClinicShown> {
  const [treatments, dentists, [website]] = await Promise.all([
    mirror.rows('treatments', clinic),
    mirror.rows('dentists', clinic),
    mirror.rows('website', clinic).then((rows) => rows.filter(present)),
  ]);
  const facts = mirror.clinics.find((one) => one.clinic === clinic);
  return {
    clinic,
    name: facts?.name ?? text(website, 'clinic_name'),
    phone: text(website, 'contact_phone'),
    address: text(website, 'contact_address'),
    currency: facts?.currency ?? null,
    currencySymbol: facts?.currency_symbol ?? null,
    colour: text(website, 'theme_primary'),
    openingHours: parsedJson(text(website, 'opening_hours') ?? ''),
    treatments: choices(treatments, 'treatment_id', 'treatment_name'),
    dentists: choices(dentists, 'doctor_id', 'doctor_name', 'specialization'),
  };
}

const present = (row: Row): boolean => row.removed_at === null || row.removed_at === undefined;

function choices(rows: readonly Row[], id: string, name: string, about?: string): Choice[] {
  return latestRows(rows, name)
    .map((row) => ({
      id: String(row[id] ?? ''),
      name: text(row, name) ?? '',
      about: (about && text(row, about)) || '',
      ...priceOf(row),
    }))
    .filter((choice) => choice.id !== '' && choice.name !== '');
}

/** A day in minutes; what is longer is no length of a visit. */
const LONGEST_VISIT = 24 * 60;

function priceOf({ base_fee, duration_minutes }: Row): Pick<Choice, 'fee' | 'minutes'> {
  return {
    ...(Number(base_fee) > 0 && { fee: String(base_fee) }),
    ...(Number(duration_minutes) > 0 &&
      Number(duration_minutes) <= LONGEST_VISIT && { minutes: Number(duration_minutes) }),
  };
}

function text(row: Row | undefined, column: string): string | null {
  const value = row?.[column];
  return typeof value === 'string' && value.trim() !== '' ? value : null;
}
