import { type Bookings, createBookings } from '../../../src/bookings/bookings.ts';
import type { Clinic } from '../../../src/clinic/clinic.ts';
import type { ClinicSettings } from '../../../src/config/config.ts';
import { ClinicConfig } from '../../../src/config/config.ts';
import type { Submission } from '../../../src/domain/bookings/booking.ts';
import { instant } from '../../../src/platform/clock.ts';
import type { Json } from '../../../src/platform/json.ts';
import { silentLog } from '../../../src/platform/log.ts';
import type { Store } from '../../../src/store/store.ts';
import { type FakeClock, settle } from '../fake-clock.ts';
import { type Life, startLife } from './mortal.ts';
import { type ScriptedClinic, scriptedClinic } from './scripted-clinic.ts';
import { startBookings } from './start-bookings.ts';

export const zone = 'Asia/Dhaka';

export function clinicSettings(key: string, rules: Partial<ClinicSettings['bookings']> = {}): ClinicSettings {
  const parsed = ClinicConfig.parse({
    base_url: 'http://127.0.0.1:1/api/v1',
    timezone: zone,
    country: 'BD',
    bookings: rules,
  });
  return { ...parsed, key, app_key: 'app', secret_key: 'secret' };
}

const sample = { patient_phone: '01712-345678', appointment_date: '2026-03-03', appointment_time: '10:00' };

/**
 * Fields of a complete submission for tomorrow. One with another phone number or for another time is another patient's:
 * the same name soon after the first would be asked about.
 */
export const lead = (fields: Submission['fields'] = {}): Submission['fields'] => {
  const { patient_phone, appointment_date, appointment_time } = { ...sample, ...fields };
  const differs = [patient_phone, appointment_date, appointment_time].filter(
    (value) => !Object.values<Json>(sample).includes(value),
  );
  return { patient_name: ['Rahim Uddin', ...differs].join(' '), ...sample, ...fields };
};

export interface WorldOptions {
  store: Store;
  clock: FakeClock;
  key?: string;
  rules?: Partial<ClinicSettings['bookings']>;
  approval?: 'none' | 'required';
  /** Besides the clinic's form. */
  sources?: readonly string[];
  /** A wrong policy: wraps what one life sees. */
  spoil?: (parts: { store: Store; clinic: Clinic }) => { store: Store; clinic: Clinic };
}

export interface World {
  readonly clinic: ScriptedClinic;
  readonly settings: ClinicSettings;
  readonly store: Store;
  readonly clock: FakeClock;
  readonly bookings: Bookings;
  readonly life: Life;
  /** A new process on what the last one left. */
  start(store?: Store): Promise<void>;
  /** The process is gone from one moment to the next. */
  crash(): void;
  accept(fields?: Submission['fields'], more?: Partial<Submission>): ReturnType<Bookings['accept']>;
  advance(ms: number): Promise<void>;
  /** A new process that finds sending paused until a person resumes it. */
  pauseSending(): Promise<void>;
}

/** As a process leaves it that has seen three unknown outcomes in ten minutes: sending waits for a person. */
export async function keepPaused(store: Store, clinic: string, nowMs: number): Promise<void> {
  const pause = { kind: 'doubts', reason: 'Three unknown.', since: instant(nowMs), until: null };
  const state = { pause, faults: 0, doubts: [], resumed_at: null };
  await store.keyValue.set('bookings', { [`lane:${clinic}`]: JSON.stringify(state) });
}

/** Bookings of one clinic on a real store and a scripted clinic, which outlive any number of processes. */
export function bookingsWorld(options: WorldOptions): World {
  const { clock, key = 'main', rules = {}, approval = 'none', spoil = (parts) => parts } = options;
  const sources = [`${key}-form`, ...(options.sources ?? [])];
  const clinic = scriptedClinic(key);
  const settings = clinicSettings(key, rules);
  let store = options.store;
  let life = startLife();
  let bookings: Bookings | undefined;

  const current = (): Bookings => {
    if (bookings === undefined) throw new Error('no process is running');
    return bookings;
  };

  const start = async (reopened = store) => {
    store = reopened;
    life = startLife();
    const parts = spoil({ store, clinic });
    const mortal = life.clinic(parts.clinic);
    bookings = createBookings({
      store: life.store(parts.store),
      clinics: new Map([[key, { clinic: mortal, settings }]]),
      sources: new Map(sources.map((source) => [source, { approval }])),
      clock,
      log: silentLog,
      random: () => 0.5,
    });
    const started = startBookings(bookings, mortal);
    await Promise.race([started, settle(50)]);
  };

  return {
    clinic,
    settings,
    clock,
    start,
    get store() {
      return store;
    },
    get life() {
      return life;
    },
    get bookings() {
      return current();
    },
    crash() {
      life.die();
    },
    accept: (fields, more) => current().accept({ source: `${key}-form`, fields: lead(fields), ...more }),
    advance: (ms) => clock.advance(ms),
    async pauseSending() {
      const stopping = current().stop();
      await clock.advance(10_000);
      await stopping;
      await keepPaused(store, key, clock.now());
      await start();
    },
  };
}
