import type { CountryCode } from 'libphonenumber-js';
import type { ClinicSettings } from '../../config/config.ts';
import type { Booking } from '../../domain/bookings/booking.ts';
import type { Choices, ChosenNames } from '../../domain/bookings/booking-actions.ts';
import { latestRows, readHeldNames } from '../../domain/clinics/latest-rows.ts';
import type { Poll } from '../../domain/clinics/resource.ts';
import { countryFor } from '../../domain/phone.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Store } from '../../store/store.ts';
import type { Facts } from './check.ts';
import type { Candidate } from './mapping.ts';
import { nearNames } from './near-names.ts';

/** Cached, because reading the mirror costs more than storing a lead. */
const FRESH_MS = 5_000;

interface ClinicFacts extends Facts {
  country: CountryCode | undefined;
}

export interface FactsSource {
  of(settings: ClinicSettings): Promise<ClinicFacts>;
  /** The mirror of this clinic (of any, if omitted) has changed: reads it again next time. */
  forget(clinic?: string): void;
}

/** What the mirror says about a clinic, for checks. Concurrent callers share one reading. */
export function createFacts({ store, clock }: { store: Store; clock: Clock }): FactsSource {
  const known = new Map<string, { at: number; facts: Promise<ClinicFacts> }>();
  return {
    of(settings) {
      const fresh = known.get(settings.key);
      if (fresh !== undefined && clock.monotonic() - fresh.at < FRESH_MS) return fresh.facts;
      const facts = readFacts(store, settings);
      known.set(settings.key, { at: clock.monotonic(), facts });
      facts.catch(() => known.delete(settings.key));
      return facts;
    },
    forget(clinic) {
      if (clinic === undefined) known.clear();
      else known.delete(clinic);
    },
  };
}

/** The clinic's names for the dentist and treatment that the booking refers to by number. */
export async function chosenNames(
  facts: FactsSource,
  settings: ClinicSettings | undefined,
  { doctor_id, treatment_id }: Booking,
): Promise<ChosenNames> {
  if (settings === undefined) return { doctor: null, treatment: null };
  const { dentists, treatments } = await facts.of(settings);
  const nameOf = (candidates: readonly Candidate[] = [], asked: number | null) =>
    candidates.find(({ id }) => id === asked)?.name ?? null;
  return { doctor: nameOf(dentists, doctor_id), treatment: nameOf(treatments, treatment_id) };
}

/** What a choice is for; nothing is chosen yet for a new booking. */
export type ChoiceOf = Pick<Booking, 'clinic' | 'doctor_id' | 'doctor' | 'treatment_id' | 'treatment'>;

/** The present choices, and those that the given name may mean. */
export async function choicesFor(
  facts: FactsSource,
  settings: ClinicSettings | undefined,
  { doctor_id, doctor, treatment_id, treatment }: ChoiceOf,
): Promise<Record<'doctor' | 'treatment', Choices>> {
  const known = settings && (await facts.of(settings));
  const choices = (candidates: readonly Candidate[] = [], id: number | null, name: string | null) => ({
    all: candidates.flatMap((one) => (one.removed ? [] : [{ id: one.id, name: one.name }])),
    near: id !== null || name === null ? [] : nearNames(name, candidates),
  });
  return {
    doctor: choices(known?.dentists, doctor_id, doctor),
    treatment: choices(known?.treatments, treatment_id, treatment),
  };
}

async function readFacts(store: Store, settings: ClinicSettings): Promise<ClinicFacts> {
  const { key } = settings;
  const runs = await store.polls.list(key);
  const filled = (poll: Poll) => runs.some((run) => run.poll === poll && run.last_success_at !== null);
  const candidates = async (table: 'dentists' | 'treatments', id: string, name: string) => {
    if (!filled(table)) return undefined;
    const renamed = await readHeldNames(store.keyValue, key, table);
    const rows = (await store.mirror.rows(table, key)).map((row) => ({
      ...row,
      [name]: renamed.get(String(row[id])) ?? row[name] ?? null,
    }));
    const latest = new Set(latestRows(rows, name));
    return rows.map(
      (row): Candidate => ({
        id: Number(row[id]),
        name: String(row[name] ?? ''),
        removed: !latest.has(row),
        renamed: renamed.has(String(row[id])),
      }),
    );
  };
  // Replaced rows stay in the mirror but no longer describe the clinic.
  const present = async (table: 'organization' | 'website') =>
    (await store.mirror.rows(table, key)).find(({ removed_at }) => (removed_at ?? null) === null);
  const [organization, website, dentists, treatments] = await Promise.all([
    present('organization'),
    present('website'),
    candidates('dentists', 'doctor_id', 'doctor_name'),
    candidates('treatments', 'treatment_id', 'treatment_name'),
  ]);
  return {
    zone: settings.timezone,
    country: countryFor(settings.country, organization),
    dentists,
    treatments,
    openingHours: parsed(website?.opening_hours),
  };
}

function parsed(value: string | number | null | undefined): unknown {
  if (typeof value !== 'string') return undefined;
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
}
