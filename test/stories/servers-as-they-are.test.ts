import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../sandbox/clinic/clinic.ts';
import type { ScriptedFault } from '../../sandbox/clinic/faults/script.ts';
import * as wire from '../../sandbox/clinic/wire.ts';
import { createBookings } from '../../src/bookings/bookings.ts';
import type { Clinic } from '../../src/clinic/clinic.ts';
import type { ListPoll } from '../../src/domain/clinics/resource.ts';
import { systemClock } from '../../src/platform/clock.ts';
import type { Failure } from '../../src/platform/failure.ts';
import type { Json, JsonObject } from '../../src/platform/json.ts';
import { silentLog } from '../../src/platform/log.ts';
import { openFileStore } from '../../src/store/sqlite.ts';
import type { Store } from '../../src/store/store.ts';
import { createMirror, type Mirror } from '../../src/sync/mirror-poller.ts';
import { startBookings } from '../support/bookings/start-bookings.ts';
import { clinicSettings } from '../support/bookings/world.ts';
import { testClinic } from '../support/clinic/clinic-kit.ts';
import { tier } from '../support/tiers.ts';
import { until } from '../support/until.ts';

/**
 * The client, the mirror, the store and the bookings against a server that writes every field of section 2 in every way
 * servers write fields. What has to come of it is worked out here from the kind of field alone.
 */

const signal = new AbortController().signal;
const ways = ['null', 'missing', 'number', 'digits', 'text', 'empty_list', 'empty_map'] as const;
type Way = (typeof ways)[number];

const fieldsOf: Record<ListPoll, string[]> = {
  organization: Object.keys(wire.Organization.shape).filter((field) => field !== 'statistics'),
  website: Object.keys(wire.Website.shape),
  treatments: Object.keys(wire.Treatment.shape),
  dentists: Object.keys(wire.Dentist.shape),
};
const nested = [
  ...['open', 'close', 'is_closed'].map((field) => `opening_hours.monday.${field}`),
  ...['photo', 'name', 'role', 'linkedin'].map((field) => `team_members.1.${field}`),
  ...['photo', 'name', 'role', 'comment'].map((field) => `testimonials.0.${field}`),
  ...['question', 'answer'].map((field) => `faqs.0.${field}`),
  ...['image', 'title', 'description', 'features'].map((field) => `services.0.${field}`),
  'section_labels.team',
  // The last member: one that cannot be read leaves the list, and the next would take its place.
  'opening_hours.monday',
  'team_members.2',
];

type Kind = 'id' | 'name' | 'fee' | 'decimal' | 'number' | 'map' | 'list' | 'flag' | 'object' | 'text';
const kinds: Record<string, Kind> = {
  ...Object.fromEntries(['care_id', 'treatment_id', 'doctor_id'].map((field) => [field, 'id'])),
  ...Object.fromEntries(['name', 'clinic_name', 'treatment_name', 'doctor_name'].map((f) => [f, 'name'])),
  base_fee: 'fee',
  consultation_fee: 'decimal',
  duration_minutes: 'number',
  experience_years: 'number',
  opening_hours: 'map',
  section_labels: 'map',
  ...Object.fromEntries(['team_members', 'testimonials', 'faqs', 'services'].map((f) => [f, 'list'])),
  'opening_hours.monday': 'object',
  'opening_hours.monday.is_closed': 'flag',
  'team_members.2': 'object',
};
const kindOf = (path: string): Kind => kinds[path] ?? 'text';

const UNREADABLE = 'unreadable';

/** What is stored of `value` when it comes in some way: an equal value, another one that is as good, or nothing. */
function stored(kind: Kind, value: Json, way: Way): Json | undefined {
  const isStructure = way === 'empty_list' || way === 'empty_map';
  const numeric = way === 'number' || way === 'digits' ? value : undefined;
  switch (kind) {
    case 'id':
    case 'fee':
      return numeric === undefined ? UNREADABLE : numeric;
    case 'name':
      return shownAs(value, way) ?? UNREADABLE;
    case 'decimal':
    case 'number':
    case 'flag':
      return numeric === undefined ? null : numeric;
    case 'map':
      return isStructure ? {} : null;
    case 'list':
      return isStructure ? [] : null;
    case 'object':
      if (way !== 'empty_map') return null;
      return Object.fromEntries(Object.keys(value as JsonObject).map((key) => [key, null]));
    case 'text':
      return shownAs(value, way);
  }
}

function shownAs(value: Json, way: Way): string | null {
  if (['null', 'missing', 'empty_list', 'empty_map'].includes(way)) return null;
  if (way === 'text') return 'n/a';
  if (way !== 'number') return String(value ?? 7);
  return String(Number.isNaN(Number(value)) || value === '' ? 7 : Number(value));
}

const below = (value: Json | undefined, path: string): Json | undefined =>
  path
    .split('.')
    .reduce<Json | undefined>((at, key) => (at == null ? undefined : (at as JsonObject)[key]), value);

describe('servers as they are', () => {
  let sandbox: Sandbox;
  let store: Store;
  let clinic: Clinic;
  let mirror: Mirror;
  const settings = clinicSettings('main', { max_per_source_per_hour: 100_000 });
  /** The next Monday but one, in the middle of the day: open, whatever day it is. */
  const monday = new Date(Date.now() + (8 + ((8 - new Date().getUTCDay()) % 7)) * 86_400_000);
  let leads = 0;

  beforeAll(async () => {
    sandbox = await startSandbox();
    store = await openFileStore({ file: ':memory:', clock: systemClock, log: silentLog, mode: 'daemon' });
    clinic = await testClinic({ base_url: sandbox.url, ...sandbox.credentials });
    mirror = createMirror({ clinic, store, clock: systemClock, log: silentLog, settings });
    for (const poll of ['organization', 'website', 'treatments', 'dentists'] as const)
      await mirror.poll(poll, signal);
  });
  afterAll(async () => {
    await clinic.close();
    await store.close();
    await sandbox.close();
  });

  /** What was struck in one way and then in another would count as going to and fro. */
  async function forgetFormerWays(): Promise<void> {
    const memories = await store.keyValue.list('flapping', '');
    await store.keyValue.set(
      'flapping',
      Object.fromEntries(Object.keys(memories).map((key) => [key, undefined])),
    );
    mirror = createMirror({ clinic, store, clock: systemClock, log: silentLog, settings });
  }

  const strike = (endpoint: string, fault: ScriptedFault['fault']) =>
    sandbox.control.script({ match: { endpoint } as ScriptedFault['match'] & {}, times: 'always', fault });

  /** A lead that names a treatment, sent by a lane that knows nothing yet; resolves to its state. */
  async function bookOne(through = clinic): Promise<string> {
    const bookings = createBookings({
      store,
      clinics: new Map([['main', { clinic: through, settings }]]),
      sources: new Map([['form', { approval: 'none' as const }]]),
      clock: systemClock,
      log: silentLog,
    });
    await startBookings(bookings, through);
    leads += 1;
    const { ref } = await bookings.accept({
      source: 'form',
      fields: {
        patient_name: `Rahim Uddin ${leads}`,
        patient_phone: `01711${String(100_000 + leads)}`,
        appointment_date: monday.toISOString().slice(0, 10),
        appointment_time: '12:00',
        treatment: 'Consultation & Check-up',
      },
    });
    const state = async () => (await store.bookings.get(ref))?.state;
    await until('it is sent, or sending is paused', async () => {
      const isOpen = ['received', 'queued', 'sending'].includes((await state()) ?? '');
      return !isOpen || bookings.sendingState('main').state === 'paused';
    });
    await bookings.stop();
    return (await state()) ?? 'lost';
  }

  const rowOf = async (poll: ListPoll, row: number) => {
    const [, ...ids] = ['', ...(await store.mirror.hashes('main', poll)).keys()].sort(
      (a, b) => Number(a) - Number(b),
    );
    const id = ids[row] ?? '';
    return { id, thing: (await store.mirror.records('main', poll, [id])).get(id) };
  };

  const readInEachWay = (poll: 'organization' | 'website' | 'treatments' | 'dentists') => {
    const isList = poll === 'treatments' || poll === 'dentists';
    const paths = poll === 'website' ? [...fieldsOf.website, ...nested] : fieldsOf[poll];

    const alone = paths.filter((path) => ['id', 'name', 'fee'].includes(kindOf(path)));
    const nests = paths.filter((path) => kindOf(path) === 'object');
    const optional = paths.filter((path) => !alone.includes(path) && !path.includes('.'));
    const leaves = paths.filter((path) => path.includes('.') && !nests.includes(path));

    it.each(ways)('is read with its fields as %s, and a booking goes through each time', async (way) => {
      const row = isList ? 1 : 0;
      const { id, thing } = await rowOf(poll, row);
      const before = thing?.fields ?? {};
      const seen: Record<string, unknown> = {};
      const wanted: Record<string, unknown> = {};

      for (const path of [...alone.map((one) => [one]), optional, leaves, nests]) {
        if (path.length === 0) continue;
        await forgetFormerWays();
        strike(poll, { kind: 'variant', path, as: way, ...(isList && { row }) });
        const struck = await mirror.poll(poll, signal);
        const { thing: after } = await rowOf(poll, row);
        const booking = await bookOne();
        await sandbox.control.clearFaults();
        const back = await mirror.poll(poll, signal);

        const values = path.map((one) => {
          const former = below(before, one) ?? null;
          const expected = stored(kindOf(one), former, way);
          return { one, former, expected: expected === UNREADABLE ? former : expected, stored: expected };
        });
        const isUnreadable = values.some((value) => value.stored === UNREADABLE);
        const isSame = values.every(
          ({ former, expected }) => JSON.stringify(former) === JSON.stringify(expected),
        );
        seen[path.join()] = {
          failed: struck.failed?.message ?? back.failed?.message,
          values: values.map(({ one }) => [one, below(after?.fields, one) ?? null]),
          unreadable: struck.unreadable.map((one) => [one.id, one.field]),
          touched: [...new Set([...struck.changes, ...back.changes].map((change) => change.id))],
          guarded: struck.guarded !== undefined,
          listed: (await store.polls.unreadable('main')).length,
          booking,
        };
        const hasNoId = isUnreadable && kindOf(path[0] ?? '') === 'id';
        wanted[path.join()] = {
          failed: undefined,
          values: values.map(({ one, expected }) => [one, expected ?? null]),
          unreadable: isUnreadable ? [[hasNoId ? null : id, path[0]]] : [],
          touched: isSame ? [] : [id],
          guarded: false,
          listed: 0,
          booking: 'booked',
        };
      }

      expect(seen).toEqual(wanted);
      expect((await rowOf(poll, row)).thing?.fields).toEqual(before);
    });
  };
  for (const poll of ['organization', 'website', 'treatments', 'dentists'] as const)
    describe(poll, tier(poll === 'website' || poll === 'treatments'), () => readInEachWay(poll));

  describe('figures', () => {
    const figures = ['total_users', 'total_patients', 'total_appointments', 'total_doctors'] as const;

    it.each(ways)('as %s are known or unknown, never invented, and a booking goes through', async (way) => {
      const paths = figures.map((figure) => `statistics.${figure}`);
      const { statistics } = await clinic.organization(signal);
      strike('organization', { kind: 'variant', path: paths, as: way });

      const struck = await clinic.organization(signal);
      const { failed, unreadable } = await mirror.poll('organization', signal);
      const booking = await bookOne();

      await sandbox.control.clearFaults();
      const [evidence] = (await store.bookings.list({ clinic: 'main', limit: 1 })).map((one) => one.evidence);
      const isNumber = way === 'number' || way === 'digits';
      expect({ booking, failed, unreadable }).toEqual({
        booking: 'booked',
        failed: undefined,
        unreadable: [],
      });
      expect(struck.statistics).toEqual(isNumber ? statistics : undefined);
      expect(evidence?.counter_before?.value).toEqual(isNumber ? expect.any(Number) : null);
    });

    it.each(ways)('are not needed at all: statistics as %s', async (way) => {
      strike('organization', { kind: 'variant', path: 'statistics', as: way });

      const { statistics } = await clinic.organization(signal);
      const { failed } = await mirror.poll('organization', signal);
      const booking = await bookOne();

      await sandbox.control.clearFaults();
      expect([statistics, failed, booking]).toEqual([undefined, undefined, 'booked']);
    });
  });

  describe('an appointment', () => {
    it.each(ways)('is followed with its fields as %s; only its status must be there', async (way) => {
      const [one] = sandbox.control.appointments();
      const id = one?.id ?? 0;
      const seen: unknown[] = [];

      for (const path of ['status', 'name', 'date', 'time']) {
        strike('status', { kind: 'variant', path, as: way });
        seen.push(await clinic.appointmentStatus(id, signal).catch((error: Failure) => error.fault?.field));
        await sandbox.control.clearFaults();
      }

      const [status, name, date, time] = seen as { [field: string]: Json }[];
      const isText = way === 'text' || way === 'digits';
      const shown = { status: one?.status, name: one?.name, date: one?.date, time: one?.time };
      const nameShown = way === 'text' ? 'n/a' : way === 'number' ? '7' : way === 'digits' ? one?.name : null;
      expect(status).toEqual(isText ? expect.anything() : 'status');
      expect(name).toMatchObject({ ...shown, name: nameShown });
      expect(date).toMatchObject({ ...shown, date: way === 'digits' ? one?.date : null });
      expect(time).toMatchObject({ ...shown, time: way === 'digits' ? one?.time : null });
    });

    it('that is not to be found right after it was booked is not missing for good', async () => {
      sandbox.control.script({ times: 'always', fault: { kind: 'late_status', reads: 2 } });
      const state = await bookOne();
      const id = sandbox.control.ledger().at(-1)?.appointment_id ?? 0;

      const reads = [];
      for (let i = 0; i < 4; i += 1) reads.push((await clinic.appointmentStatus(id, signal))?.status);

      await sandbox.control.clearFaults();
      expect(state).toBe('booked');
      expect(reads.filter((status) => status === undefined).length).toBeLessThanOrEqual(2);
      expect(reads.at(-1)).toBe('Scheduled');
    });
  });

  describe('a token', () => {
    it.each([
      ['expires_in', 'null'],
      ['expires_in', 'missing'],
      ['expires_in', 'digits'],
      ['expires_in', 'text'],
      ['expires_in', 'empty_list'],
      ['access_token', 'digits'],
    ] as const)('with %s as %s is used, and a booking goes through', async (path, as) => {
      strike('granttoken', { kind: 'variant', path, as });
      await using fresh = Object.assign(await testClinic({ base_url: sandbox.url, ...sandbox.credentials }), {
        [Symbol.asyncDispose]: () => fresh.close(),
      });

      const state = await bookOne(fresh);

      await sandbox.control.clearFaults();
      expect(state).toBe('booked');
    });
  });

  it('a booking answered with its number in digits is booked under it', async () => {
    strike('book', 'id_string');

    const state = await bookOne();

    await sandbox.control.clearFaults();
    expect(state).toBe('booked');
  });

  describe.each(['treatments', 'dentists'] as const)('the list of %s', (poll) => {
    it.each([
      ['no_success', { changes: 0 }],
      ['id_changed_type', { changes: 0 }],
      ['decimal_numbers', { changes: 0 }],
      ['duplicate_ids', { changes: 0 }],
      ['reversed_list', { changes: 0 }],
      ['bad_row', { changes: 0, unreadable: [[null, null]] }],
      ['twin_ids', { changes: 0, unreadable: [['1', `${poll === 'dentists' ? 'doctor' : 'treatment'}_id`]] }],
      ['empty_list', { changes: 0, guarded: true }],
      ['list_as_object', { failed: true }],
      ['data_null', { failed: true }],
      ['missing_data', { failed: true }],
      ['null_fields', { failed: true }],
    ] as const)('struck by %s', async (kind, wanted) => {
      const before = await store.mirror.hashes('main', poll);
      strike(poll, { kind });

      const { changes, unreadable, guarded, failed } = await mirror.poll(poll, signal);
      const state = await bookOne();
      const present = [...(await store.mirror.hashes('main', poll)).keys()];
      await sandbox.control.clearFaults();
      await mirror.poll(poll, signal);

      expect({
        changes: changes.length,
        unreadable: unreadable.map(({ id, field }) => [id, field]),
        guarded: guarded !== undefined,
        failed: failed !== undefined,
      }).toEqual({ changes: 0, unreadable: [], guarded: false, failed: false, ...wanted });
      expect(present).toEqual([...before.keys()]);
      expect(state).toBe('booked');
    });
  });

  it.each(['organization', 'website'] as const)(
    'an %s of another care_id waits for a person',
    async (poll) => {
      strike(poll, 'other_care_id');

      const { changes, guarded } = await mirror.poll(poll, signal);
      const state = await bookOne();

      await sandbox.control.clearFaults();
      await mirror.poll(poll, signal);
      expect(changes).toEqual([]);
      expect(guarded).toMatchObject({ approval_only: true, things: [{ id: '215' }] });
      expect([state, (await store.guards.list()).every((one) => one.state === 'withdrawn')]).toEqual([
        'booked',
        true,
      ]);
    },
  );
});
