import { describe, expect, it, onTestFinished } from 'vitest';
import type { SandboxStatus } from '../../../sandbox/clinic/wire.ts';
import { clinicOfLists } from '../../../test/support/clinic/clinic-of-lists.ts';
import { fakeClock } from '../../../test/support/fake-clock.ts';
import { heldBytes } from '../../../test/support/held-bytes.ts';
import { ClinicConfig } from '../../config/config.ts';
import { instant } from '../../platform/clock.ts';
import { DAY, HOUR, MINUTE } from '../../platform/duration.ts';
import { Failure } from '../../platform/failure.ts';
import { silentLog } from '../../platform/log.ts';
import type { TrackedAppointment } from '../../store/ports/appointments.ts';
import { openFileStore } from '../../store/sqlite.ts';
import { createMirror } from '../mirror-poller.ts';

const signal = new AbortController().signal;

/** 2 March 2026, 15:00 on the clinic's wall clock. */
const START = '2026-03-02T09:00:00Z';
const status = (fields: object = {}): SandboxStatus => ({
  status: 'Scheduled',
  name: 'Nusrat Jahan',
  date: '2026-03-02',
  time: '17:00',
  ...fields,
});

/** Each on a day and at a minute of its own within half a year, and not due. */
const visit = (id: number): TrackedAppointment => ({
  clinic: 'main',
  appointment_id: id,
  status: 'Scheduled',
  name: null,
  date: instant(Date.parse(START) + (id % 180) * DAY).slice(0, 10),
  time: instant(Math.floor(id / 180) * MINUTE).slice(11, 16),
  ref: null,
  status_changed_at: null,
  first_seen_at: START,
  seen_at: START,
  next_due_at: '2026-04-02T09:00:00Z',
  done: false,
  removed_at: null,
  missed_at: null,
  misses: 0,
});

async function setUp(start = START) {
  const clock = fakeClock(start);
  const store = await openFileStore({ file: ':memory:', clock, log: silentLog, mode: 'daemon' });
  onTestFinished(() => store.close());
  const clinic = clinicOfLists();
  const settings = {
    ...ClinicConfig.parse({
      base_url: 'https://clinic.example/api/v1',
      timezone: 'Asia/Dhaka',
      final_statuses: ['Completed', 'cancelled'],
    }),
    key: 'main',
    app_key: 'app',
    secret_key: 'secret',
  };
  /** Rows of appointments that were read from the database. */
  let rowsRead = 0;
  const counted = async <T extends unknown[]>(rows: Promise<T>) => {
    rowsRead += (await rows).length;
    return rows;
  };
  const { appointments } = store;
  const counting: typeof store = {
    ...store,
    appointments: {
      ...appointments,
      pending: (...asked) => counted(appointments.pending(...asked)),
      due: (...asked) => counted(appointments.due(...asked)),
      list: (...asked) => counted(appointments.list(...asked)),
      page: (...asked) => counted(appointments.page(...asked)),
    },
  };
  const open = (verbs: Partial<typeof appointments> = {}) =>
    createMirror({
      clinic,
      store: { ...counting, appointments: { ...counting.appointments, ...verbs } },
      clock,
      log: silentLog,
      settings,
    });
  let mirror = open();
  const poll = (options = {}) => mirror.poll('appointments', signal, options);
  /** A round a minute, as the schedule has it. */
  const pollList = () => mirror.poll('organization', signal);
  const rounds = async (minutes: number) => {
    const results = [];
    for (let i = 0; i < minutes; i += 1) {
      await clock.advance(MINUTE);
      results.push(await poll());
    }
    return results;
  };
  return {
    clock,
    store,
    clinic,
    open,
    poll,
    pollList,
    rounds,
    track: (...ids: number[]) => store.appointments.track('main', ids, instant(clock.now())),
    tracked: async (id: number) =>
      (await store.appointments.page('main', 100)).find(({ appointment_id }) => appointment_id === id),
    restart: () => {
      mirror = open();
    },
    rowsReadSince: (before: number) => rowsRead - before,
  };
}

describe('tracking appointments', () => {
  it('reads a new one at once and records its first status as a change from null', async () => {
    const { clinic, poll, track } = await setUp();
    clinic.statuses.set(5, status());
    await track(5);

    const { changes, rows } = await poll();

    expect(rows).toBe(1);
    expect(changes).toMatchObject([
      {
        type: 'appointment.status_changed',
        id: '5',
        previous: { status: null },
        data: { status: 'Scheduled', time: '17:00' },
      },
    ]);
  });

  it('distinguishes a change of status from a change of date, time or name', async () => {
    const { clinic, poll, rounds, track } = await setUp();
    clinic.statuses.set(5, status());
    await track(5);
    await poll();
    clinic.statuses.set(5, status({ status: 'Confirmed', time: '17:30' }));

    const changes = (await rounds(30)).flatMap((result) => result.changes);

    expect(changes.map(({ type, previous }) => ({ type, previous }))).toEqual([
      { type: 'appointment.status_changed', previous: { status: 'Scheduled' } },
      { type: 'appointment.updated', previous: { time: '17:00' } },
    ]);
  });

  it.each(['Completed', ' CANCELLED '])(
    'reads the final status %j again after ten minutes, an hour and in the evening, then never',
    async (final) => {
      const { clinic, clock, poll, rounds, track, tracked } = await setUp();
      const at: number[] = [];
      const begun = clock.monotonic();
      clinic.before = () => void at.push(Math.round((clock.monotonic() - begun) / MINUTE));
      clinic.statuses.set(5, status({ status: final }));
      await track(5);
      await poll();

      await rounds(24 * 60);

      expect(clinic.reads).toHaveLength(4);
      // It is 15:00 at the clinic.
      expect(at.filter((_, index) => index > 0)).toEqual([10, 60, 5 * 60]);
      expect(await tracked(5)).toMatchObject({ done: true, next_due_at: null, status: final });
    },
  );

  it('reads a final status again in a full round when it is due, and not before', async () => {
    const { clinic, clock, poll, track, tracked } = await setUp();
    clinic.statuses.set(5, status({ status: 'Completed' }));
    await track(5);
    await poll();

    await clock.advance(5 * MINUTE);
    await poll({ all: true });
    const early = clinic.reads.length;
    clinic.statuses.set(5, status({ status: 'Confirmed' }));
    await clock.advance(5 * MINUTE);
    await poll({ all: true });

    expect([early, clinic.reads.length]).toEqual([1, 2]);
    expect(await tracked(5)).toMatchObject({ done: false, status: 'Confirmed' });
  });

  it('reads for the last time 30 days after the visit in the clinic’s time zone', async () => {
    const { clinic, clock, poll, track, tracked } = await setUp();
    clinic.statuses.set(5, status());
    await track(5);
    await poll();

    // 17:00 in Dhaka is 11:00 UTC.
    await clock.advance(30 * DAY + 2 * HOUR - MINUTE);
    await poll();
    expect(await tracked(5)).toMatchObject({ done: false });
    await clock.advance(7 * HOUR);
    await poll();

    expect(await tracked(5)).toMatchObject({ done: true });
  });

  it('reads often around the visit, seldom weeks ahead, and little at night', async () => {
    const looks = async (date: string, start: string) => {
      const { clinic, poll, rounds, track } = await setUp(start);
      clinic.statuses.set(5, status({ date, time: '16:00' }));
      await track(5);
      await poll();
      await rounds(60);
      return clinic.reads.length;
    };

    const around = await looks('2026-03-02', '2026-03-02T09:00:00Z');
    const ahead = await looks('2026-03-30', '2026-03-02T09:00:00Z');
    const night = await looks('2026-03-30', '2026-03-02T18:00:00Z');

    expect(around).toBeGreaterThan(25);
    expect(ahead).toBeLessThan(around / 3);
    expect(night).toBeLessThan(ahead);
  });

  it('never uses more than half of what the clinic allows, and neglects none', async () => {
    const { clinic, rounds, track } = await setUp();
    clinic.ceiling = 8;
    const ids = Array.from({ length: 40 }, (_, i) => i + 1);
    for (const id of ids) clinic.statuses.set(id, status({ time: id === 40 ? '15:30' : '23:00' }));
    await track(...ids);

    await rounds(60);

    expect(clinic.reads.length).toBeLessThanOrEqual(60 * 4 + 3 * 4);
    expect(new Set(clinic.reads).size).toBe(40);
    expect(clinic.reads.filter((id) => id === 40).length).toBeGreaterThan(
      clinic.reads.filter((id) => id === 1).length,
    );
  });

  it('saves no more calls over a long pause than a few rounds’ worth', async () => {
    const { clinic, clock, rounds, poll, track } = await setUp();
    clinic.ceiling = 8;
    const ids = Array.from({ length: 60 }, (_, i) => i + 1);
    for (const id of ids) clinic.statuses.set(id, status());
    await track(...ids);
    await rounds(20);
    const before = clinic.reads.length;

    await clock.advance(5 * HOUR);
    await poll();

    expect(clinic.reads.length - before).toBe(3 * 4);
  });

  it('keeps learning when the clock was set back by weeks', async () => {
    const { clinic, clock, rounds, track, store } = await setUp();
    clinic.statuses.set(5, status({ date: '2026-03-04' }));
    await track(5);
    await rounds(90);
    const first = await store.keyValue.get('mirror/main', 'habits');
    clock.jump(-20 * DAY);

    await rounds(150);

    const second = await store.keyValue.get('mirror/main', 'habits');
    const at = (kept: string | undefined) => Date.parse(JSON.parse(kept ?? '{}').until);
    expect(at(second)).toBeGreaterThan(clock.now() - 90 * MINUTE);
    expect(at(second)).toBeLessThan(at(first));
  });

  it('keeps what it learned across restarts', async () => {
    const { clinic, rounds, track, store, restart } = await setUp();
    clinic.statuses.set(5, status());
    await track(5);
    await rounds(100);
    const first = await store.keyValue.get('mirror/main', 'habits');
    restart();

    await rounds(30);

    const second = await store.keyValue.get('mirror/main', 'habits');
    expect(Object.keys(JSON.parse(first ?? '{}').seen)).not.toEqual([]);
    expect(second).not.toBe(first);
  });
});

describe('tracking thousands of appointments', () => {
  /** Far-off visits, each read once, followed by this many rounds. */
  async function following(count: number, minutes: number) {
    const kit = await setUp();
    const { clinic, poll, rounds, track, rowsReadSince } = kit;
    const ids = Array.from({ length: count }, (_, i) => i + 1);
    for (const id of ids) clinic.statuses.set(id, status({ date: '2026-04-30' }));
    await track(...ids);
    await poll({ all: true });
    const [before, reads] = [rowsReadSince(0), clinic.reads.length];
    await rounds(minutes);
    return { ...kit, ids, rowsPerRound: (rowsReadSince(before) - (clinic.reads.length - reads)) / minutes };
  }

  it('reads no more of the database in a round however many are pending', {
    tags: ['thorough'],
  }, async () => {
    const some = await following(400, 20);
    const many = await following(1_600, 20);

    expect(some.rowsPerRound).toBeGreaterThan(0);
    expect(many.rowsPerRound).toBeLessThan(some.rowsPerRound * 1.3);
  });

  it('shares the calls among all of them from the first round on', async () => {
    const { clinic, poll, track } = await setUp();
    const ids = Array.from({ length: 600 }, (_, i) => i + 1);
    for (const id of ids) clinic.statuses.set(id, status());
    await track(...ids);

    await poll();

    // One a minute for every six that are pending, at most 60, and three minutes’ worth in a first round.
    expect(clinic.reads).toHaveLength(180);
  });

  it('keeps nothing of the visits that it has looked at', async () => {
    const { open } = await setUp();
    const visits = Array.from({ length: 9_000 }, (_, index) => visit(index + 1));
    const pending = async (_clinic: string, limit: number, after = 0) => visits.slice(after, after + limit);
    const mirrors = Array.from({ length: 8 }, () => open({ pending, due: async () => [] }));
    const before = heldBytes();

    for (const mirror of mirrors) await mirror.poll('appointments', signal);

    expect(heldBytes() - before).toBeLessThan(3 * 2 ** 20);
    for (const mirror of mirrors)
      expect(await mirror.poll('appointments', signal)).toMatchObject({ rows: 9_000 });
  });

  it('rereads all of them within their longest gap', async () => {
    const { clinic, clock, ids, rounds } = await following(500, 0);
    clinic.reads.length = 0;
    await clock.advance(5.75 * HOUR);

    await rounds(25);

    expect(new Set(clinic.reads).size).toBe(ids.length);
  });

  it('reads those whose due time cannot be trusted after the wall clock was set back', async () => {
    const { clinic, clock, ids, rounds } = await following(500, 0);
    clinic.reads.length = 0;
    clock.jump(-20 * DAY);

    await rounds(15);

    expect(new Set(clinic.reads).size).toBe(ids.length);
  });

  it('records no news until the clinic has confirmed who it is', async () => {
    const { clinic, poll, track, tracked } = await setUp();
    clinic.statuses.set(5, status());
    await track(5);
    await poll();
    clinic.statuses.set(5, status({ status: 'Completed' }));
    clinic.isAnother = true;

    const { failed } = await poll({ all: true });

    expect(failed).toBeDefined();
    expect(await tracked(5)).toMatchObject({ status: 'Scheduled' });
  });

  it('records nothing of one that was untracked while it was read', async () => {
    const { clinic, poll, track, tracked, store } = await setUp();
    clinic.statuses.set(5, status());
    await track(5);
    clinic.before = async () =>
      void (await store.appointments.untrack('main', [5], instant(Date.parse(START))));

    const { changes } = await poll();

    expect(changes).toEqual([]);
    expect(await tracked(5)).toMatchObject({ status: null, done: true });
  });

  it('is not delayed by hundreds that cannot be read', async () => {
    const { clinic, rounds, track } = await setUp();
    const broken = new Failure({ kind: 'refused', status: 200, message: 'data.status is missing', fault });
    for (let id = 1; id <= 400; id += 1) clinic.statuses.set(id, broken);
    await track(...clinic.statuses.keys());
    await rounds(30);
    clinic.statuses.set(401, status({ time: '15:30' }));
    await track(401);
    clinic.reads.length = 0;

    await rounds(10);

    expect(clinic.reads.filter((id) => id === 401).length).toBeGreaterThan(5);
  });
});

const fault = { field: 'status', problem: 'is missing' };

describe('tracking appointments when something is wrong', () => {
  it('retries an id the clinic does not know at growing intervals, and gives up after 30 days', async () => {
    const { clinic, clock, poll, track, tracked } = await setUp();
    const at: number[] = [];
    clinic.before = () => void at.push(clock.monotonic());
    await track(404);

    for (let i = 0; i < 45 * 4; i += 1) {
      await poll();
      await clock.advance(6 * HOUR);
    }

    const gaps = at.slice(1).map((one, i) => one - (at[i] ?? 0));
    expect(gaps).toEqual(gaps.toSorted((a, b) => a - b));
    expect(at.length).toBeLessThan(40);
    expect(await tracked(404)).toMatchObject({ done: true, status: null });
  });

  it('soon retries an id that the clinic does not know yet', async () => {
    const { clinic, rounds, track, poll, tracked } = await setUp();
    await track(404);
    await poll();

    await rounds(60);
    const asked = clinic.reads.length;
    clinic.statuses.set(404, status());
    await rounds(60);

    expect(asked).toBeGreaterThanOrEqual(5);
    expect(asked).toBeLessThanOrEqual(8);
    expect(await tracked(404)).toMatchObject({ status: 'Scheduled' });
  });

  it('continues with the others when one cannot be read, and retries that one later', async () => {
    const { clinic, poll, rounds, track } = await setUp();
    const broken = new Failure({ kind: 'refused', status: 200, message: 'data.time must be HH:MM' });
    clinic.statuses.set(1, broken).set(2, status()).set(3, status());
    await track(1, 2, 3);

    const { changes, failed } = await poll();

    expect(failed).toBeUndefined();
    expect(changes.map(({ id }) => id)).toEqual(['2', '3']);
    clinic.statuses.set(1, status());
    const later = (await rounds(5)).flatMap((result) => result.changes);
    expect(later.map(({ id }) => id)).toEqual(['1']);
  });

  it('shows one that cannot be read until it is read, also while nothing else is due', async () => {
    const { clinic, poll, rounds, track, store } = await setUp();
    clinic.statuses.set(1, new Failure({ kind: 'refused', status: 200, message: 'data.status is missing' }));
    await track(1);
    await poll();

    const [, , idle] = await rounds(3);
    const meanwhile = await store.polls.list();
    const shown = await store.polls.unreadable('main');
    clinic.statuses.set(1, status());
    await rounds(3);

    expect(idle).toMatchObject({ nothing_due: true, changes: [] });
    expect(meanwhile).toMatchObject([
      { failures: 3, last_error: 'data.status is missing', last_success_at: null },
    ]);
    expect(shown).toMatchObject([
      { poll: 'appointments', id: '1', tries: 3, problem: 'data.status is missing' },
    ]);
    expect(await store.polls.unreadable('main')).toEqual([]);
    expect(await store.polls.list()).toMatchObject([{ failures: 0, last_error: null }]);
  });

  it('retries one that cannot be read at least every half hour, until 30 days after its visit', async () => {
    const { clinic, clock, rounds, track, poll, tracked } = await setUp();
    clinic.statuses.set(1, new Failure({ kind: 'refused', status: 200, message: 'data.status is missing' }));
    await track(1);
    await rounds(24 * 60);

    const before = clinic.reads.length;
    await rounds(60);
    const hourly = clinic.reads.length - before;
    await clock.advance(30 * DAY);
    await poll();

    expect(hourly).toBe(2);
    expect(await tracked(1)).toMatchObject({ done: true, next_due_at: null });
  });

  it.each([
    ['told to wait', { kind: 'transient', status: 429, retryAfterMs: 5_000 }],
    ['cut off', { kind: 'transient' }],
    ['refused as a client', { kind: 'refused', status: 401 }],
  ] as const)('stops the round when %s; the others stay due', async (_why, failure) => {
    const { clinic, poll, rounds, track, store } = await setUp();
    clinic.statuses.set(1, new Failure({ ...failure, message: 'No.' }));
    for (const id of [2, 3]) clinic.statuses.set(id, status());
    await track(1, 2, 3);

    const { failed } = await poll();

    expect(failed?.message).toBe('No.');
    expect(clinic.reads).toEqual([1]);
    expect(await store.polls.list()).toMatchObject([
      { poll: 'appointments', failures: 1, last_error: 'No.' },
    ]);
    clinic.statuses.set(1, status());
    await rounds(3);
    expect(new Set(clinic.reads)).toEqual(new Set([1, 2, 3]));
  });

  it.each([
    ['unreachable', undefined],
    ['behind a gateway that answers 502', 502],
  ])('reads what it missed as soon as the clinic is back that was %s for an hour', async (_why, code) => {
    const { clinic, clock, poll, pollList, rounds, track, store } = await setUp();
    clinic.statuses.set(1, status({ date: '2026-03-20' }));
    await track(1);
    await poll();
    await clock.advance(3 * HOUR);
    const { organization } = clinic.answers;
    const gone = new Failure({ kind: 'transient', ...(code && { status: code }), message: 'Gone.' });
    clinic.statuses.set(1, gone);
    clinic.answers.organization = gone;
    for (let minute = 0; minute < 60; minute += 1) {
      await rounds(1);
      await pollList();
    }
    const before = clinic.reads.length;
    clinic.statuses.set(1, status({ date: '2026-03-20', status: 'Confirmed' }));
    clinic.answers.organization = organization;

    await pollList();
    const { changes } = await poll();

    expect(before).toBeLessThan(40);
    expect(changes).toMatchObject([{ type: 'appointment.status_changed', id: '1' }]);
    expect(await store.polls.unreadable('main')).toEqual([]);
  });

  it('fails again in the next round if the only one that is due fails, as trouble is two failures in a row', async () => {
    const { clinic, clock, poll, track, store } = await setUp();
    clinic.statuses.set(1, new Failure({ kind: 'transient', message: 'No answer.' }));
    await track(1);

    await poll();
    await clock.advance(5_000);
    await poll();

    expect(await store.polls.list()).toMatchObject([{ poll: 'appointments', failures: 2 }]);
    await poll();
    expect(clinic.reads).toEqual([1, 1]);
  });

  it('does not retry early one that fails alone while lists can be read', async () => {
    const { clinic, pollList, rounds, track } = await setUp();
    clinic.statuses.set(
      1,
      new Failure({ kind: 'transient', status: 500, message: 'The clinic answers 500.' }),
    );
    clinic.statuses.set(2, status());
    await track(1, 2);

    for (let minute = 0; minute < 60; minute += 1) {
      await rounds(1);
      await pollList();
    }

    expect(clinic.reads.filter((id) => id === 1).length).toBeLessThan(9);
  });

  it('reads all within two minutes of the return when only statuses failed for hours', async () => {
    const { clinic, rounds, track, store } = await setUp();
    const ids = [1, 2, 3, 4, 5];
    for (const id of ids)
      clinic.statuses.set(id, new Failure({ kind: 'transient', status: 500, message: 'No status.' }));
    await track(...ids);
    await rounds(5 * 60);
    const before = clinic.reads.length;
    for (const id of ids) clinic.statuses.set(id, status());

    await rounds(3);

    expect(before).toBeLessThan(5 * 60 * 3);
    expect(await store.polls.unreadable('main')).toEqual([]);
    expect(await store.polls.list()).toMatchObject([{ failures: 0, last_error: null }]);
  });

  it('stops after three in a row that each fail on their own', async () => {
    const { clinic, poll, track } = await setUp();
    const down = new Failure({ kind: 'transient', status: 503, message: 'The clinic answers 503.' });
    for (const id of [1, 2, 3, 4, 5]) clinic.statuses.set(id, down);
    await track(1, 2, 3, 4, 5);

    expect((await poll()).failed?.status).toBe(503);

    expect(clinic.reads).toEqual([1, 2, 3]);
  });

  it('keeps reading when the wall clock was set back or forward', async () => {
    const { clinic, clock, poll, rounds, track } = await setUp();
    clinic.statuses.set(5, status({ date: '2026-03-20' }));
    await track(5);
    await poll();

    for (const jump of [-5 * HOUR, 10 * HOUR, -5 * HOUR]) {
      const before = clinic.reads.length;
      clock.jump(jump);
      await rounds(30);
      expect(clinic.reads.length).toBeGreaterThan(before);
      expect(clinic.reads.length).toBeLessThan(before + 6);
    }
  });

  it('keeps what it knows of a visit when an answer leaves it out, and reads on when the statuses of others fail', async () => {
    const { clinic, poll, rounds, track, tracked, store } = await setUp();
    for (const id of [1, 2, 3, 4]) clinic.statuses.set(id, status({ status: '' }));
    clinic.statuses.set(4, [] as never);
    clinic.statuses.set(5, status());
    await track(1, 2, 3, 4, 5);
    const first = await poll();
    clinic.statuses.set(5, status({ status: 'Confirmed', date: null, time: undefined, name: null }));

    const changes = (await rounds(10)).flatMap((result) => result.changes);

    expect(first).toMatchObject({
      changes: [{ id: '5' }],
      unreadable: [1, 2, 3, 4].map((id) => ({ id: `${id}` })),
    });
    expect(changes).toMatchObject([
      { type: 'appointment.status_changed', previous: { status: 'Scheduled' } },
    ]);
    expect(await tracked(5)).toMatchObject({ date: '2026-03-02', time: '17:00', name: 'Nusrat Jahan' });
    expect((await store.polls.unreadable()).map(({ id, field }) => [id, field])).toEqual(
      [1, 2, 3, 4].map((id) => [`${id}`, id === 4 ? null : 'status']),
    );
  });

  it('ignores whether a time has seconds', async () => {
    const { clinic, poll, rounds, track, tracked } = await setUp();
    clinic.statuses.set(5, status());
    await track(5);
    await poll();
    clinic.statuses.set(5, status({ time: '17:00:00' }));

    const changes = (await rounds(10)).flatMap((result) => result.changes);

    expect(changes).toEqual([]);
    expect(await tracked(5)).toMatchObject({ time: '17:00' });
  });

  it('does not delay one that was never read when the wall clock was set back', async () => {
    const { clinic, clock, poll, rounds, track } = await setUp();
    await track(404);
    await rounds(30);
    const usual = clinic.reads.length;
    await track(5);
    clock.jump(-5 * HOUR);
    clinic.statuses.set(5, status());

    await poll();
    await rounds(30);

    expect(clinic.reads).toContain(5);
    expect(clinic.reads.filter((id) => id === 404).length).toBeGreaterThan(usual + 2);
    expect(clinic.reads.filter((id) => id === 404).length).toBeLessThan(usual + 20);
  });

  it('tolerates a visit on a date that does not exist', async () => {
    const { clinic, poll, track, tracked } = await setUp();
    clinic.statuses.set(5, status({ date: '2026-02-31', time: '29:99' }));
    await track(5);

    expect((await poll()).failed).toBeUndefined();

    expect(await tracked(5)).toMatchObject({ status: 'Scheduled', done: false });
  });
});
