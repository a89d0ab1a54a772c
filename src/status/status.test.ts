import { describe, expect, it, onTestFinished } from 'vitest';
import { claimNext, heldAnswer } from '../../test/conformance/store/samples.ts';
import { fakeClock } from '../../test/support/fake-clock.ts';
import { createBookings } from '../bookings/bookings.ts';
import { judgeWithin } from '../bookings/duplicates/judge-lead.ts';
import { ClinicConfig } from '../config/config.ts';
import { polls } from '../domain/clinics/resource.ts';
import { type Need, nothingLearned } from '../domain/status/report.ts';
import { runReport } from '../domain/texts/problem.ts';
import { type Instant, instant } from '../platform/clock.ts';
import { DAY, HOUR, MINUTE } from '../platform/duration.ts';
import { Failure } from '../platform/failure.ts';
import { silentLog } from '../platform/log.ts';
import type { NewBooking } from '../store/ports/bookings.ts';
import { openFileStore } from '../store/sqlite.ts';
import type { Store } from '../store/store.ts';
import type { CallState } from './call-watch.ts';
import { createStatus, type StatusParts } from './status.ts';

async function setUp(part: Partial<StatusParts> = {}) {
  const clock = fakeClock('2026-03-02T09:00:00Z');
  const store = await openFileStore({ file: ':memory:', clock, log: silentLog, mode: 'daemon' });
  onTestFinished(() => store.close());
  const clinic = {
    ...ClinicConfig.parse({ base_url: 'https://clinic.example/api/v1', timezone: 'Asia/Dhaka' }),
    key: 'main',
    app_key: 'app',
    secret_key: 'secret',
  };
  const now = () => instant(clock.now());
  const bookings = createBookings({ store, clinics: new Map(), sources: new Map(), clock, log: silentLog });
  const parts: StatusParts = {
    store,
    clinics: [clinic],
    connectors: [],
    clock,
    version: '1.0.0',
    startedAt: now(),
    bookingNeeds: bookings.needs,
    ...part,
  };
  const polled = async (error: string | null = null, only: readonly (typeof polls)[number][] = polls) => {
    for (const poll of only) await store.polls.finished('main', poll, now(), { error });
  };
  const book = (fields: Partial<NewBooking> = {}) =>
    store.bookings.accept(
      {
        clinic: 'main',
        source: 'website',
        submission_id: null,
        kind: 'booking',
        unreadable_fields: [],
        state: 'held',
        reason: 'missing_field',
        message: 'Rahima Begum lacks a phone',
        patient_name: 'Rahima Begum',
        patient_phone: '+8801711999888',
        phone_e164: null,
        address: 'Planted Lane 5',
        appointment_date: null,
        appointment_time: null,
        doctor_id: null,
        doctor: null,
        treatment_id: null,
        treatment: null,
        note: 'Planted note',
        not_before: null,
        received_at: now(),
        content_hash: null,
        submission_hash: null,
        ...fields,
      },
      judgeWithin(0),
    );
  return { clock, store, clinic, parts, report: createStatus(parts).report, polled, book, now };
}

const raiseGuard = (store: Store, clinic: string, at: Instant) =>
  store.guards.raise({ ...heldAnswer, clinic }, at);

describe('the status report', () => {
  it('says that all is good, and how old the data is', async () => {
    const { clock, report, polled } = await setUp();
    await polled();
    await clock.advance(3 * MINUTE - 1);

    expect(await report()).toMatchObject({
      health: 'ok',
      sentence: 'All good: data 3 min old.',
      needs: [],
      reasons: [],
      database: { ok: true },
    });
  });

  it('is not stale after a fresh start until three intervals have passed', async () => {
    const { clock, report, polled } = await setUp();
    expect(await report()).toMatchObject({
      health: 'ok',
      sentence: 'Starting: not everything has been read yet.',
    });
    await clock.advance(MINUTE);
    await polled(null, ['organization', 'website', 'appointments', 'dentists']);
    await clock.advance(44 * MINUTE + 1_000);
    await polled(null, ['organization', 'website', 'appointments', 'dentists']);

    const { health, sentence } = await report();

    expect({ health, sentence }).toEqual({
      health: 'stale',
      sentence: 'Not syncing: treatments never read.',
    });
  });

  it('does not call stale what was not due while no daemon ran, but what fails after the start', async () => {
    const { clock, parts, polled, now } = await setUp();
    await polled();
    await clock.advance(5 * HOUR);
    const { report } = createStatus({ ...parts, startedAt: now() });

    const beside = { startedAt: null, running: () => true, runningSince: now };
    const [started, command] = [await report(), await createStatus({ ...parts, ...beside }).report()];
    await polled('The clinic cannot be reached.', ['treatments']);
    const failing = await report();

    expect([started.health, command.health]).toEqual(['ok', 'ok']);
    expect(failing).toMatchObject({
      health: 'stale',
      clinics: [
        { resources: expect.arrayContaining([expect.objectContaining({ poll: 'treatments', stale: true })]) },
      ],
    });
  });

  it('names what is stale, since when and why, by the last complete poll', async () => {
    const { clock, report, polled } = await setUp();
    await polled();
    await clock.advance(2 * HOUR);
    await polled(null, ['organization', 'website', 'appointments', 'dentists']);
    await polled('The clinic answers 401: wrong key.', ['treatments']);

    const { sentence, reasons, clinics } = await report();

    expect(sentence).toBe('Not syncing: treatments last read 2 h ago (The clinic answers 401: wrong key).');
    expect(reasons).toHaveLength(1);
    expect(clinics[0]?.resources.find(({ poll }) => poll === 'treatments')).toMatchObject({
      stale: true,
      failures: 1,
      interval_ms: 15 * MINUTE,
    });
  });

  it('does not call the morning’s data stale because the schedule sleeps at night', async () => {
    const { clock, parts, polled, clinic } = await setUp();
    const schedule = Object.fromEntries(polls.map((poll) => [poll, '*/15 3-11 * * *']));
    const report = createStatus({ ...parts, clinics: [{ ...clinic, schedule } as typeof clinic] }).report;
    await clock.advance(2 * HOUR + 46 * MINUTE);
    await polled();
    await clock.advance(15 * HOUR);

    expect((await report()).reasons).toEqual([]);
    await clock.advance(HOUR);

    expect((await report()).reasons).toHaveLength(5);
  });

  it('puts held and unknown bookings first, each with what to do', async () => {
    const { store, report, polled, book, now } = await setUp();
    await polled();
    await book();
    const { booking } = await book({ state: 'queued', reason: null, source: 'facebook' });
    await claimNext(store, 'main', now());
    await store.bookings.interruptSending(now());

    const { health, sentence, needs, bookings } = await report();

    expect(health).toBe('ok');
    expect(sentence).toBe('2 bookings need you.');
    expect(needs.find(({ subject }) => subject === booking.ref)).toMatchObject({
      sentence: `Booking ${booking.ref} from facebook: It was sent, but it is not known whether it is booked. It may exist at the clinic.`,
    });
    expect(needs.find(({ subject }) => subject !== booking.ref)?.action).toContain(
      'clinic-sync bookings show CS-',
    );
    expect(bookings).toEqual([
      { source: 'facebook', today: 1, last_7_days: 1, states: { unknown: 1 } },
      { source: 'website', today: 1, last_7_days: 1, states: { held: 1 } },
    ]);
  });

  it('counts bookings by the clinic’s own day', async () => {
    const { clock, report, book, polled } = await setUp();
    // 18:00 UTC is midnight in Dhaka.
    await clock.advance(9 * HOUR - MINUTE);
    await book();
    await clock.advance(2 * MINUTE);
    await book();
    await polled();

    expect((await report()).bookings).toMatchObject([{ source: 'website', today: 1, last_7_days: 2 }]);
  });

  it('counts bookings of no clinic by the first clinic’s calendar where zones differ', async () => {
    const { parts, clinic, polled, book } = await setUp();
    const north = { ...clinic, key: 'north', timezone: 'Europe/Lisbon' };
    await polled();
    await book({ clinic: '-' });

    const { bookings } = await createStatus({ ...parts, clinics: [clinic, north] }).report();

    expect(bookings).toMatchObject([{ today: 1, last_7_days: 1, states: { held: 1 } }]);
  });

  it('names what else it needs before hundreds of bookings, and only some of much', async () => {
    const { store, parts, polled, now } = await setUp();
    await polled();
    const need = { sentence: 'It waits.', action: 'Decide.', since: now(), urgent: false };
    const bookingNeeds = async () =>
      Array.from({ length: 200 }, (_, index): Need => ({ ...need, kind: 'booking', subject: `CS-${index}` }));
    await raiseGuard(store, 'main', now());
    const connectors = Array.from({ length: 9 }, (_, index) => ({ name: `c${index}`, use: 'webhook' }));
    for (const { name } of connectors)
      await store.deliveries.report(name, { paused: true, paused_reason: 'asked to' });

    const { needs } = await createStatus({ ...parts, connectors, bookingNeeds }).report();

    const kinds = needs.map(({ kind }) => kind);
    expect(kinds.slice(0, 5)).toEqual(['guard', 'connector', 'connector', 'connector', 'booking']);
    expect(kinds.slice(204)).toEqual(Array(6).fill('connector'));
    expect(needs[4]).toMatchObject({ subject: 'CS-0' });
  });

  it('does not ask about an answer of a clinic that is no longer configured', async () => {
    const { store, parts, polled, now } = await setUp();
    await polled();
    await raiseGuard(store, 'former', now());

    expect((await createStatus(parts).report()).needs).toEqual([]);
  });

  it('asks for a decision about guards, dead deliveries, connectors, paused bookings and alarms', async () => {
    const { store, parts, polled, now } = await setUp();
    await polled();
    await raiseGuard(store, 'main', now());
    const delivery = { id: 'd1', sequence: 1, type: 'treatment.updated', thing: 'treatment:1', body: '{}' };
    await store.deliveries.enqueue('crm', 'main', 1, [delivery], now());
    await store.deliveries.settle([{ id: 'd1', at: now(), state: 'dead', error: 'It answers 400.' }]);
    await store.deliveries.report('reports', { paused: true, paused_reason: 'asked to' });
    await store.deliveries.report('accounts', {
      failures: 4,
      last_error: 'No access.',
      last_failure_at: now(),
    });
    const { report } = createStatus({
      ...parts,
      bookingNeeds: async () => [
        {
          kind: 'clinic',
          clinic: 'main',
          subject: 'main',
          sentence: 'Bookings of main are not being sent. The clinic answers 401.',
          action: 'Correct what it names; sending then resumes on its own.',
          since: now(),
          urgent: false,
        },
      ],
      connectors: [
        { name: 'crm', use: 'webhook' },
        { name: 'reports', use: 'csv' },
        { name: 'accounts', use: 'google-sheets' },
        { name: 'own', use: './own.js', quarantined: 'It threw.' },
      ],
      live: {
        limiter: () => ({
          ceiling_per_minute: 60,
          window_ms: 60_000,
          blocked_until: null,
          blocked_since: null,
          refused_last_hour: 0,
          calls_last_hour: 9,
          counted_since: null,
          token_expires_at: null,
          answer_ms: null,
        }),
        lane: () => ({ state: 'paused', reason: 'The clinic answers 401.', since: now() }),
        alarms: () => [
          {
            sentence: 'Polling treatments of main is 40 min overdue (it should end every 15 min).',
            action: 'Restart.',
            asksPerson: true,
          },
        ],
        needs: () => [],
      },
    });

    const { health, sentence, needs, connectors, clinics } = await report();

    expect(health).toBe('trouble');
    expect(sentence).toBe(
      'Trouble: bookings are not being sent (The clinic answers 401), and 4 more. 7 things need you.',
    );
    expect(needs.map(({ kind, subject, sentence }) => `${kind} ${subject}: ${sentence}`)).toEqual([
      'clinic schedule: Polling treatments of main is 40 min overdue (it should end every 15 min).',
      'clinic main: Bookings of main are not being sent. The clinic answers 401.',
      'guard 1: The clinic’s answer would remove 8 of 10 treatments.',
      'delivery crm: One delivery to crm was given up.',
      'connector reports: reports is paused: asked to.',
      'connector accounts: accounts has failed 4 times in a row: No access.',
      'connector own: own could not be started: It threw.',
    ]);
    expect(needs.every(({ action }) => action.length > 0)).toBe(true);
    expect(connectors.map(({ state }) => state)).toEqual(['ok', 'paused', 'failing', 'quarantined']);
    expect(clinics[0]?.limiter.ceiling_per_minute).toBe(60);
  });

  it('says once why bookings are not being sent', async () => {
    const { parts, polled, now } = await setUp();
    await polled();
    const reason = 'The clinic’s API refuses to book (404).';
    const need = {
      kind: 'clinic',
      clinic: 'main',
      subject: 'main',
      action: 'Nothing.',
      urgent: false,
    } as const;
    const sentence = `Bookings of main are not being sent. ${reason}`;
    const { report } = createStatus({
      ...parts,
      bookingNeeds: async () => [{ ...need, sentence, since: now() }],
      live: {
        limiter: () => nothingLearned,
        lane: () => ({ state: 'paused', reason, since: now() }),
        alarms: () => [],
        needs: () => [],
      },
    });

    const { sentence: headline, needs } = await report();

    expect(headline).toBe('Trouble: bookings are not being sent (The clinic’s API refuses to book (404)).');
    expect(needs).toHaveLength(1);
  });

  it('names a connector that was taken out of the configuration while deliveries waited', async () => {
    const { store, report, polled, now } = await setUp();
    await polled();
    const delivery = { sequence: 1, type: 'treatment.updated', thing: 'treatment:1', body: '{}' };
    const waiting = ['d1', 'd2'].map((id) => ({ ...delivery, id }));
    await store.deliveries.enqueue('echo', 'main', 1, waiting, now());

    const { health, sentence, needs } = await report();

    expect(health).toBe('ok');
    expect(sentence).toBe('echo is no longer in the configuration, but 2 deliveries still wait for it.');
    expect(needs).toEqual([
      {
        kind: 'connector',
        subject: 'echo',
        said: { name: 'connector_left', count: 2 },
        sentence: 'echo is no longer in the configuration, but 2 deliveries still wait for it.',
        action:
          'Put it back, or skip what waits; after 30 days it is deleted (`clinic-sync deliveries skip echo`).',
        since: now(),
        urgent: false,
      },
    ]);
  });

  it('shows recent changes in a few words', async () => {
    const { store, report, now } = await setUp();
    const fields = { treatment_id: 1, treatment_name: 'Scaling', base_fee: '130.00' };
    const change = { resource: 'treatment', id: '1', data: fields } as const;
    await store.mirror.record({
      clinic: 'main',
      poll: 'treatments',
      at: now(),
      upserts: [],
      removals: [],
      changes: [
        { ...change, type: 'treatment.created', previous: null },
        { ...change, type: 'treatment.updated', previous: { base_fee: '120.00' } },
      ],
    });

    const { changes, clinics } = await report();

    expect(changes.map(({ summary }) => summary)).toEqual([
      'Scaling: base_fee 120.00 → 130.00',
      'Scaling created',
    ]);
    expect(clinics[0]?.resources.find(({ poll }) => poll === 'treatments')?.last_change_at).toBe(now());
  });

  it('carries no patient data', async () => {
    const { store, report, book, now } = await setUp();
    await book();
    await store.appointments.track('main', [5], now());
    const seen = { status: 'Scheduled', name: 'Rahima Begum', date: '2026-03-03', time: '10:00' };
    await store.appointments.observe({
      clinic: 'main',
      appointment_id: 5,
      at: now(),
      seen: { ...seen, raw: seen },
      next_due_at: null,
      done: false,
      changes: [
        {
          type: 'appointment.updated',
          resource: 'appointment',
          id: '5',
          data: seen,
          previous: { name: 'Rahima B' },
        },
      ],
    });

    const shown = JSON.stringify(await report());

    expect(shown).not.toMatch(/Rahima|8801711999888|Planted/);
    expect(shown).toContain('appointment 5 updated: name');
  });
});

describe('trouble', () => {
  const limiter = () => nothingLearned;
  const lane = () => ({ state: 'open', reason: null, since: null }) as const;
  const live = (calls: CallState) => ({
    live: { limiter, lane, calls: () => calls, alarms: () => [], needs: () => [] },
  });

  it.each([
    [5_000, []],
    [61_000, ['late']],
  ])(
    'is not a list that waits its turn at a slow clinic: the last call worked %i ms ago',
    async (workedAgoMs, kinds) => {
      const { clock, store, parts, polled, now } = await setUp();
      await polled();
      const later = instant(clock.now() + HOUR);
      for (const poll of polls) await store.polls.due('main', poll, poll === 'treatments' ? now() : later);
      await clock.advance(2 * MINUTE);

      const { reasons } = await createStatus({ ...parts, ...live({ failing: null, workedAgoMs }) }).report();

      expect(reasons.map(({ kind }) => kind)).toEqual(kinds);
    },
  );

  it.each([
    [
      'need',
      'ok',
      'ok',
      'accounts needs attention: Fee is protected. Allow us to edit it. 1 more thing there.',
      [],
    ],
    [
      'trouble',
      'trouble',
      'failing',
      'Trouble for 3 min: accounts: Fee is protected.',
      ['accounts: Fee is protected'],
    ],
  ] as const)(
    'comes from what a connector’s last run left undone, since it first did: %s',
    async (weight, health, state, sentence, reasons) => {
      const { clock, store, parts, polled, now } = await setUp();
      await polled();
      const { report } = createStatus({ ...parts, connectors: [{ name: 'accounts', use: 'google-sheets' }] });
      const ask = { sentence: 'Fee is protected. Allow us to edit it.', weight };
      const more = { sentence: 'A copy.', weight: 'need' } as const;
      const since = now();
      await store.deliveries.report('accounts', runReport([more, 'Only a note.', ask], since));
      await clock.advance(3 * MINUTE);
      await store.deliveries.report('accounts', runReport([ask, more], now()));

      const seen = await report();
      await store.deliveries.report('accounts', runReport(['Only a note.'], now()));

      expect(seen).toMatchObject({ health, sentence, connectors: [{ state }] });
      expect(seen.reasons.map((reason) => reason.sentence)).toEqual(reasons);
      expect(seen.needs).toMatchObject([{ kind: 'connector', subject: 'accounts', since }]);
      expect(await report()).toMatchObject({
        health: 'ok',
        needs: [],
        sentence: expect.stringMatching(/^All good/),
      });
    },
  );

  it('is not that bookings are compared first: the sentence says so, and for how long', async () => {
    const { parts, polled, clock } = await setUp();
    await polled();
    const until = instant(clock.now() + 2 * MINUTE);
    const { live: lanes } = live({ failing: null, workedAgoMs: 0 });
    const lane = () => ({ state: 'waiting', reason: 'It is compared.', since: null, until }) as const;

    const { health, sentence } = await createStatus({ ...parts, live: { ...lanes, lane } }).report();

    expect(health).toBe('ok');
    expect(sentence).toMatch(/^All good: .* Bookings wait, for 2 min at most: It is compared\.$/);
  });

  it('is a status that fails, however often nothing else was due; nothing due alone is as fresh as planned', async () => {
    const { clock, store, report, polled, now } = await setUp();
    const appointments = async () =>
      (await report()).clinics[0]?.resources.find(({ poll }) => poll === 'appointments')?.stale;
    await polled();
    await clock.advance(10 * MINUTE);
    await store.polls.idle('main', 'appointments', now());
    const idle = await appointments();
    await polled('data.status is missing', ['appointments']);
    await clock.advance(10 * MINUTE);
    await store.polls.idle('main', 'appointments', now());

    expect([idle, await appointments()]).toEqual([false, true]);
  });

  it('is not the first status that fails after days in which none was due', async () => {
    const { clock, store, report, polled, now } = await setUp();
    await polled();
    await clock.advance(5 * DAY);
    await polled(null, ['organization', 'website', 'treatments', 'dentists']);
    await store.polls.idle('main', 'appointments', now());
    await clock.advance(MINUTE);
    await polled('the clinic answers 502', ['appointments']);
    const first = await report();
    await store.polls.idle('main', 'appointments', now());
    await clock.advance(4 * MINUTE);

    expect([first.health, (await report()).health]).toEqual(['ok', 'stale']);
  });

  const gone = {
    health: 'trouble',
    kind: 'unreachable',
    clinic: 'main',
    subject: 'unreachable',
    sentence: 'the clinic does not answer (no connection)',
    since: null,
  } as const;

  it('that lasts is not shown as over, though another has ended', async () => {
    const { store, parts, polled, now } = await setUp();
    await polled();
    await store.incidents.settle([gone], now());
    await store.incidents.settle([], now());
    const over = await createStatus(parts).report();
    const alarms = () => [{ sentence: 'Polling stands still.', action: 'Restart it.', asksPerson: true }];
    const down = { live: { ...live({ failing: null, workedAgoMs: 1 }).live, alarms } };

    const { health, recovered } = await createStatus({ ...parts, ...down }).report();

    expect(over.recovered).toMatchObject({ sentence: gone.sentence });
    expect([health, recovered]).toEqual(['trouble', null]);
  });

  it('that only the daemon sees is read by commands from its incidents while it runs', async () => {
    const { store, parts, polled, now } = await setUp();
    await polled();
    await store.incidents.settle([gone], now());
    const beside = async (running: boolean) =>
      createStatus({ ...parts, startedAt: null, running: () => running }).report();

    const [running, stopped] = [await beside(true), await beside(false)];

    expect(running.health).toBe('trouble');
    expect(running.sentence).toContain(gone.sentence);
    expect(running.clinics[0]?.connection.state).toBe('failing');
    expect(stopped.health).toBe('ok');
  });

  it('is one cause in commands, too, when a clinic does not answer', async () => {
    const { store, parts, polled, now } = await setUp();
    await polled();
    for (const poll of ['treatments', 'dentists'] as const)
      for (const _ of [1, 2]) await store.polls.finished('main', poll, now(), { error: 'no connection' });
    await store.incidents.settle([gone], now());

    const { reasons } = await createStatus({ ...parts, startedAt: null, running: () => true }).report();

    expect(reasons.map(({ kind }) => kind)).toEqual(['unreachable']);
  });

  it('of a clinic that was never read is no older beside the daemon than its first failure', async () => {
    const { parts, polled, clock } = await setUp();
    const beside = async (running: boolean) =>
      createStatus({ ...parts, startedAt: null, running: () => running }).report();
    await polled('no connection to the clinic');
    await polled('no connection to the clinic');

    const [soon, stopped] = [await beside(true), await beside(false)];
    await clock.advance(5 * HOUR);
    const later = await beside(true);

    expect([soon.health, stopped.health, later.health]).toEqual(['trouble', 'stale', 'stale']);
  });
});

describe('the status report without a database', () => {
  const broken = new Failure({ kind: 'transient', message: 'The disk is full.' });

  it('says so and shows what was known last, never throwing', async () => {
    const { store, parts, polled } = await setUp();
    let down = false;
    const flaky: Store = {
      ...store,
      polls: { ...store.polls, list: () => (down ? Promise.reject(broken) : store.polls.list()) },
    };
    const report = createStatus({ ...parts, store: flaky }).report;
    await polled();
    const before = await report();
    down = true;

    const { health, sentence, database, needs, clinics } = await report();

    expect(health).toBe('stale');
    expect(sentence).toBe('Not syncing: the database cannot be read (The disk is full).');
    expect(database).toEqual({ ok: false, problem: 'The disk is full.', bytes: null });
    expect(needs).toMatchObject([{ kind: 'database', urgent: true }]);
    const lastSuccess = clinics[0]?.resources[0]?.last_success_at;
    expect.assert(lastSuccess, 'the last known success is shown');
    expect(lastSuccess).toBe(before.clinics[0]?.resources[0]?.last_success_at);
  });

  it('does not wait longer than 5 s for one that hangs', async () => {
    const { store, parts, clock } = await setUp();
    const hung: Store = { ...store, polls: { ...store.polls, list: () => new Promise(() => {}) } };
    const asked = createStatus({ ...parts, store: hung }).report();

    await clock.advance(5_000);

    expect((await asked).database.problem).toBe('it does not answer');
  });

  it('names the remedy, and shows no figures and no other needs when it never answered', async () => {
    const { store, parts } = await setUp();
    const hint = 'Restore a backup: clinic-sync restore FILE.';
    const damaged = new Failure({ kind: 'refused', message: 'The database is damaged.', hint });
    const list = () => Promise.reject(damaged);
    const alarm = { sentence: 'The plan could not be stored.', action: 'Look.', asksPerson: true };
    const live = {
      limiter: () => nothingLearned,
      lane: () => ({ state: 'open', reason: null, since: null }) as const,
      alarms: () => [alarm],
      needs: () => [],
    };

    const report = await createStatus({
      ...parts,
      live,
      store: { ...store, polls: { ...store.polls, list } },
    }).report();

    expect(report).toMatchObject({ clinics: [], connectors: [], bookings: [], changes: [] });
    expect(report.needs).toMatchObject([{ kind: 'database', action: expect.stringContaining(hint) }]);
  });

  it('is in trouble when only writing fails', async () => {
    const { store, parts, polled } = await setUp();
    await polled();
    const health = async () => ({
      ok: false,
      problem: 'The disk is full. Free space.',
      remedy: 'Free space.',
      bytes: 10,
      log_bytes: 0,
      warning: null,
    });

    const report = await createStatus({ ...parts, store: { ...store, health } }).report();

    expect(report.health).toBe('trouble');
    expect(report.sentence).toContain('a write was refused: The disk is full.');
    expect(report.needs).toMatchObject([
      {
        kind: 'database',
        urgent: true,
        sentence: 'The database does not work, and no booking is accepted: The disk is full.',
        action: 'Free space.',
      },
    ]);
  });
});
