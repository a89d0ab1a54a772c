import type { Clock } from '../../src/platform/clock.ts';
import { type AppointmentBook, createAppointmentBook } from './appointments.ts';
import type { SandboxDatabase } from './database.ts';
import type { IdPolicy } from './ids.ts';
import type { Random } from './random.ts';
import { seedAppointments, seedDentists, seedOrganization, seedWebsite } from './seed/practice.ts';
import { seedTreatments } from './seed/treatments.ts';
import { Dentist, Organization, Treatment, Website } from './wire.ts';

type Statistics = Organization['statistics'];

/** Rows that can be deactivated without being forgotten. */
interface Catalog<T> {
  /** Active rows by id. */
  list(): T[];
  /** An active row. */
  get(id: number): T | undefined;
  /** Adds an active row under the given id or the next free one. */
  add(fields: Partial<T>): T;
  /** False if there is no such id; the result is checked against the wire contract. */
  edit(id: number, fields: Partial<T>): boolean;
  setActive(id: number, active: boolean): boolean;
}

/** The whole practice: everything that the API shows, and the appointment book. */
export interface Practice {
  organization(): Organization;
  website(): Website;
  treatments: Catalog<Treatment>;
  dentists: Catalog<Dentist>;
  appointments: AppointmentBook;
  /** `statistics` may be partial; the API then shows the given figures. */
  editOrganization(
    fields: Partial<Omit<Organization, 'statistics'>> & { statistics?: Partial<Statistics> },
  ): void;
  editWebsite(fields: Partial<Website>): void;
}

interface Options {
  database: SandboxDatabase;
  clock: Clock;
  ids: IdPolicy;
  /** Number of the latest appointment before the first of its own. */
  lastId?: number | undefined;
  random: Random;
}

export function openPractice({ database, clock, ids, lastId, random }: Options): Practice {
  const appointments = createAppointmentBook({
    database,
    clock,
    ids,
    random,
    lastId: lastId ?? seedOrganization.statistics.total_appointments,
  });
  const part = partsOf(database);
  const treatments = createCatalog<Treatment>(
    database,
    'treatments',
    'treatment_id',
    (raw) => Treatment.parse(raw),
    {
      treatment_name: 'New Treatment',
      description: 'Newly offered.',
      base_fee: '1000.00',
      duration_minutes: 30,
      image_url: 'https://media.shapla-dental.example/treatments/new.webp',
    },
  );
  const dentists = createCatalog<Dentist>(database, 'dentists', 'doctor_id', (raw) => Dentist.parse(raw), {
    doctor_name: 'Dr. New Colleague',
    specialization: 'General Dentistry',
    qualification: 'BDS',
    experience_years: 1,
    consultation_fee: '700.00',
    signature_image_url: 'https://media.shapla-dental.example/signatures/new.png',
  });

  database
    .transaction(() => {
      if (part.has('organization')) return;
      part.write('organization', seedOrganization);
      part.write('website', seedWebsite);
      for (const { active, fields } of seedTreatments) {
        treatments.add(fields);
        treatments.setActive(fields.treatment_id, active);
      }
      for (const fields of seedDentists) dentists.add(fields);
      for (const appointment of seedAppointments(clock.now())) appointments.addByStaff(appointment);
    })
    .immediate();

  /** Figures of the book, to be added to those from before it began. */
  const counted = (): Partial<Statistics> => {
    const book = appointments.counts();
    return {
      total_patients: book.phones,
      total_appointments: book.appointments,
      total_doctors: dentists.list().length,
    };
  };
  const combine = (figures: Statistics, sign: 1 | -1): Statistics => {
    const here = counted();
    return {
      total_users: figures.total_users,
      total_patients: figures.total_patients + sign * (here.total_patients ?? 0),
      total_appointments: figures.total_appointments + sign * (here.total_appointments ?? 0),
      total_doctors: figures.total_doctors + sign * (here.total_doctors ?? 0),
    };
  };
  const organization = (): Organization => {
    const stored = part.read<Organization>('organization');
    return { ...stored, statistics: combine(stored.statistics, 1) };
  };

  return {
    organization,
    website: () => part.read<Website>('website'),
    treatments,
    dentists,
    appointments,
    editOrganization({ statistics, ...fields }) {
      const edited = { ...organization(), ...fields };
      const shown = Organization.parse({ ...edited, statistics: { ...edited.statistics, ...statistics } });
      part.write('organization', { ...shown, statistics: combine(shown.statistics, -1) });
    },
    editWebsite(fields) {
      part.write('website', Website.parse({ ...part.read<Website>('website'), ...fields }));
    },
  };
}

function partsOf(database: SandboxDatabase) {
  const read = database.prepare<[string], string>('SELECT fields FROM practice WHERE part = ?').pluck();
  const write = database.prepare('INSERT OR REPLACE INTO practice (part, fields) VALUES (?, ?)');
  return {
    has: (name: string) => read.get(name) !== undefined,
    read: <T>(name: string) => JSON.parse(read.get(name) ?? '{}') as T,
    write: (name: string, fields: object) => void write.run(name, JSON.stringify(fields)),
  };
}

function createCatalog<T extends object>(
  database: SandboxDatabase,
  table: 'treatments' | 'dentists',
  key: keyof T & string,
  parse: (raw: unknown) => T,
  defaults: Partial<T>,
): Catalog<T> {
  const active = database
    .prepare<[], string>(`SELECT fields FROM ${table} WHERE active = 1 ORDER BY id`)
    .pluck();
  const any = database.prepare<[number], { active: number; fields: string }>(
    `SELECT active, fields FROM ${table} WHERE id = ?`,
  );
  const highest = database.prepare<[], number | null>(`SELECT max(id) FROM ${table}`).pluck();
  const insert = database.prepare(`INSERT INTO ${table} (id, active, fields) VALUES (?, 1, ?)`);
  const update = database.prepare(`UPDATE ${table} SET fields = ? WHERE id = ?`);
  const toggle = database.prepare(`UPDATE ${table} SET active = ? WHERE id = ?`);

  return {
    list: () => active.all().map((fields) => JSON.parse(fields) as T),
    get(id) {
      const row = any.get(id);
      return row?.active === 1 ? (JSON.parse(row.fields) as T) : undefined;
    },
    add(fields) {
      const id = Number(fields[key] ?? (highest.get() ?? 0) + 1);
      const row = parse({ ...defaults, ...fields, [key]: id });
      insert.run(id, JSON.stringify(row));
      return row;
    },
    edit(id, fields) {
      const row = any.get(id);
      if (row === undefined) return false;
      update.run(JSON.stringify(parse({ ...JSON.parse(row.fields), ...fields, [key]: id })), id);
      return true;
    },
    setActive: (id, on) => toggle.run(on ? 1 : 0, id).changes === 1,
  };
}
