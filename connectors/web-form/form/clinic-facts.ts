import type { MirrorView, Row } from '../../../src/connector.ts';
import { type Hours, readHours } from './hours.ts';

export interface Choice {
  id: string;
  /** The name as the clinic writes it. */
  name: string;
  /** Shown behind the name. */
  about: string;
}

/** What the form shows of a clinic, from the mirror. */
export interface ClinicShown {
  clinic: string;
  name: string | null;
  phone: string | null;
  colour: string | null;
  hours: Hours;
  treatments: Choice[];
  dentists: Choice[];
}

/** Reads it anew for each page: a treatment added at the clinic is in the form with the next poll. */
export async function clinicShown(mirror: MirrorView, clinic: string, lang: string): Promise<ClinicShown> {
  const [treatments, dentists, [website]] = await Promise.all([
    mirror.rows('treatments', clinic),
    mirror.rows('dentists', clinic),
    mirror.rows('website', clinic).then((rows) => rows.filter(present)),
  ]);
  const name = mirror.clinics.find((one) => one.clinic === clinic)?.name ?? text(website, 'clinic_name');
  return {
    clinic,
    name,
    phone: text(website, 'contact_phone'),
    colour: text(website, 'theme_primary'),
    hours: readHours(text(website, 'opening_hours'), lang),
    treatments: choices(treatments, 'treatment_id', 'treatment_name'),
    dentists: choices(dentists, 'doctor_id', 'doctor_name', 'specialization'),
  };
}

const present = (row: Row): boolean => row.removed_at === null || row.removed_at === undefined;

function choices(rows: readonly Row[], id: string, name: string, about?: string): Choice[] {
  return rows
    .filter(present)
    .map((row) => ({
      id: String(row[id] ?? ''),
      name: text(row, name) ?? '',
      about: (about && text(row, about)) || '',
    }))
    .filter((choice) => choice.id !== '' && choice.name !== '');
}

function text(row: Row | undefined, column: string): string | null {
  const value = row?.[column];
  return typeof value === 'string' && value.trim() !== '' ? value : null;
}
