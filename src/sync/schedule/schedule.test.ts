import { describe, expect, it, onTestFinished } from 'vitest';
import { fakeClock, settle } from '../../../test/support/fake-clock.ts';
import { instant } from '../../platform/clock.ts';
import { HOUR, MINUTE } from '../../platform/duration.ts';
import { Failure } from '../../platform/failure.ts';
import { silentLog } from '../../platform/log.ts';
import type { PollState, PollVerbs } from '../../store/ports/polls.ts';
import type { Job } from './runner.ts';
import { startSchedule } from './schedule.ts';

const never = () => new Promise<never>(() => {});

/** What the store keeps of due times, in memory: a schedule can be started again on it. */
function keptRuns(): PollVerbs & { states: Map<string, PollState> } {
  const states = new Map<string, PollState>();
  const of = (clinic: string, poll: PollState['poll']): PollState => {
    const known = states.get(`${clinic}/${poll}`);
    if (known) return known;
    const fresh: PollState = {
      clinic,
      poll,
      next_due_at: null,
      last_success_at: null,
      last_idle_at: null,
      last_error: null,
      failures: 0,
      rows: 0,
      failing_since: null,
      last_change_at: null,
    };
    states.set(`${clinic}/${poll}`, fresh);
    return fresh;
  };
  return {
    states,
    list: async () => [...states.values()].map((state) => ({ ...state })),
    idle: async () => {},
    unreadable: async () => [],
    finished: async (clinic, poll, _at, { error }) => {
      of(clinic, poll).last_error = error;
    },
    due: async (clinic, poll, next) => {
      of(clinic, poll).next_due_at = next;
    },
    plan: async (clinic, poll, next, known) => {
      const state = of(clinic, poll);
      if (state.next_due_at !== null && state.next_due_at < next && state.next_due_at !== known) return false;
      state.next_due_at = next;
      return true;
    },
    capTimes: async (clinic, poll, at) => {
      const state = of(clinic, poll);
      for (const time of ['last_success_at', 'last_idle_at', 'failing_since'] as const)
        if ((state[time] ?? at) > at) state[time] = at;
    },
  };
}

function setUp(options: { start?: string; runs?: PollVerbs; clock?: ReturnType<typeof fakeClock> } = {}) {
  const clock = options.clock ?? fakeClock(options.start ?? '2026-03-02T09:05:00Z');
  const runs = options.runs ?? keptRuns();
  const started: { poll: string; clinic: string; at: string }[] = [];
  const job = (part: Partial<Job> = {}): Job => {
    const { run, ...rest } = part;
    const whole = {
      clinic: 'main',
      poll: 'treatments' as const,
      cron: '*/15 * * * *',
      deadlineMs: 2 * MINUTE,
      ...rest,
    };
    return {
      ...whole,
      run: async (signal) => {
        started.push({ poll: whole.poll, clinic: whole.clinic, at: instant(clock.now()) });
        return run?.(signal);
      },
    };
  };
  const start = (...jobs: Job[]) => {
    const schedule = startSchedule({ jobs, store: { polls: runs }, clock, log: silentLog });
    onTestFinished(() => void schedule.stop());
    return schedule;
  };
  return { clock, runs, started, job, start, times: () => started.map(({ at }) => at.slice(11, 19)) };
}

describe('schedule', () => {
  it('runs a new job at once, and then in its slots', async () => {
    const { clock, job, start, times } = setUp();
    start(job());

    await clock.advance(40 * MINUTE);

    expect(times()).toEqual(['09:05:00', '09:15:00', '09:30:00', '09:45:00']);
  });

  it('runs at once after a start what failed last, however long its own next try would wait', async () => {
    const runs = keptRuns();
    const { clock, job, start, times } = setUp({ runs });
    await runs.due('main', 'treatments', '2026-03-02T21:00:00.000Z');
    Object.assign(runs.states.get('main/treatments') ?? {}, { failures: 9, last_error: 'wrong key' });
    start(job());

    await clock.advance(MINUTE);

    expect(times()).toEqual(['09:05:00']);
  });

  it('is behind while a run takes more than 20 s', async () => {
    const { clock, job, start } = setUp();
    const schedule = start(job({ run: async (signal) => void (await clock.sleep(MINUTE, signal)) }));
    const isBehind = async (after: number) => {
      await clock.advance(after);
      return schedule.isBehind();
    };

    const found = [await isBehind(15_000), await isBehind(10_000), await isBehind(MINUTE)];

    expect(found).toEqual([false, true, false]);
  });

  it('runs at once when a user asks, and again after a run in progress', async () => {
    const { clock, job, start, times } = setUp();
    const schedule = start(job({ run: async (signal) => void (await clock.sleep(MINUTE, signal)) }));
    await clock.advance(3 * MINUTE);

    schedule.runNow('treatments');
    await clock.advance(MINUTE / 2);
    schedule.runNow();
    schedule.runNow('dentists');
    await clock.advance(4 * MINUTE);

    expect(times()).toEqual(['09:05:00', '09:08:00', '09:09:00']);
  });

  it('supports a first field of seconds', async () => {
    const { clock, job, start, times } = setUp();
    start(job({ cron: '*/20 * * * * *' }));

    await clock.advance(60_000);

    expect(times()).toEqual(['09:05:00', '09:05:20', '09:05:40', '09:06:00']);
  });

  it('waits for its stored slot after a restart', async () => {
    const runs = keptRuns();
    await runs.due('main', 'treatments', '2026-03-02T09:15:00.000Z');
    const { clock, job, start, times } = setUp({ runs });
    start(job());

    await clock.advance(11 * MINUTE);

    expect(times()).toEqual(['09:15:00']);
  });

  it('catches up once after a long absence, one job after the other, the most overdue first', async () => {
    const runs = keptRuns();
    await runs.due('main', 'treatments', '2026-03-01T09:15:00.000Z');
    await runs.due('main', 'dentists', '2026-02-27T09:15:00.000Z');
    await runs.due('main', 'website', '2026-03-02T09:05:00.000Z');
    const { clock, job, start, started } = setUp({ runs });
    start(job(), job({ poll: 'dentists' }), job({ poll: 'website' }));

    await clock.advance(9 * MINUTE);

    expect(started.map(({ poll }) => poll)).toEqual(['dentists', 'treatments', 'website']);
    expect(new Set(started.map(({ at }) => at)).size).toBe(3);
  });

  it('ignores a stored due time further away than the expression allows', async () => {
    const runs = keptRuns();
    await runs.due('main', 'treatments', '2031-01-01T00:00:00.000Z');
    const { clock, job, start, times } = setUp({ runs });
    start(job());

    await clock.advance(11 * MINUTE);

    expect(times()).toEqual(['09:15:00']);
  });

  it('stays due when it is stopped in the middle of a run, and runs at the next start', async () => {
    const { clock, runs, job, start, started } = setUp();
    const run = (signal: AbortSignal) =>
      new Promise<never>((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
      });
    const first = start(job({ run }));
    await clock.advance(1_000);

    await first.stop();
    start(job());
    await clock.advance(1_000);

    expect(started).toHaveLength(2);
    expect(await runs.list()).toMatchObject([{ next_due_at: '2026-03-02T09:15:00.000Z' }]);
  });

  it('runs at once when another process stored an earlier due time and wakes it', async () => {
    const { clock, runs, job, start, times } = setUp();
    const schedule = start(job());
    await clock.advance(2 * MINUTE);
    await runs.due('main', 'treatments', instant(clock.now()));

    schedule.wake();
    await clock.advance(1_000);

    expect(times()).toEqual(['09:05:00', '09:07:00']);
  });

  it('runs at once although the request came while the due times were being read', async () => {
    const runs = keptRuns();
    let answer = () => {};
    let isSlow = false;
    const list = async () => {
      const states = await runs.list();
      if (isSlow) await new Promise<void>((resolve) => (answer = resolve));
      return states;
    };
    const { clock, job, start, times } = setUp({ runs: { ...runs, list } });
    const schedule = start(job());
    await clock.advance(2 * MINUTE);
    isSlow = true;
    schedule.wake();
    await settle();

    await runs.due('main', 'treatments', instant(clock.now()));
    schedule.wake();
    await settle();
    isSlow = false;
    answer();
    await clock.advance(1_000);

    expect(times()).toEqual(['09:05:00', '09:07:00']);
  });

  it('runs at once although its own due time was being stored when another process asked', async () => {
    const runs = keptRuns();
    let store = () => {};
    let isSlow = true;
    const plan: PollVerbs['plan'] = async (...planned) => {
      if (isSlow) await new Promise<void>((resolve) => (store = resolve));
      return runs.plan(...planned);
    };
    const { clock, job, start, times } = setUp({ runs: { ...runs, plan } });
    const schedule = start(job());
    await clock.advance(2 * MINUTE);

    await runs.due('main', 'treatments', instant(clock.now()));
    schedule.wake();
    isSlow = false;
    store();
    await clock.advance(1_000);

    expect(times()).toEqual(['09:05:00', '09:07:00']);
  });

  it('retries a transient failure before the next slot, but no sooner than the clinic asked', async () => {
    const { clock, job, start, times } = setUp();
    const failed = new Failure({ kind: 'transient', message: 'busy', status: 429, retryAfterMs: 5 * MINUTE });
    let runs = 0;
    start(
      job({
        cron: '0 * * * *',
        run: async () => {
          runs += 1;
          return runs === 1 ? { failed } : undefined;
        },
      }),
    );

    await clock.advance(50 * MINUTE);

    expect(times()).toEqual(['09:05:00', '09:10:00']);
  });

  it('retries within 30 s after a refusal, then less and less often', async () => {
    const { clock, job, start, times } = setUp();
    const failed = new Failure({ kind: 'refused', message: 'no', status: 401 });
    start(job({ run: async () => ({ failed }) }));

    await clock.advance(15 * MINUTE);

    expect(times()).toEqual(['09:05:00', '09:05:30', '09:06:30', '09:08:30', '09:12:30', '09:15:00']);
  });

  it('retries within 30 s after every transient failure', async () => {
    const { clock, job, start, times } = setUp();
    const down = new Failure({ kind: 'transient', message: 'cannot connect' });
    start(job({ cron: '0 * * * *', run: async () => ({ failed: down }) }));

    await clock.advance(2 * MINUTE + 1_000);

    expect(times()).toEqual(['09:05:00', '09:05:30', '09:06:00', '09:06:30', '09:07:00']);
  });

  it('forgets no failure because of a run that had nothing to do', async () => {
    const { clock, job, start, times } = setUp();
    const failed = new Failure({ kind: 'refused', message: 'no' });
    const outcomes = [{ failed }, { nothing_due: true }, { failed }];
    start(job({ run: async () => outcomes.shift() }));

    await clock.advance(12 * MINUTE);

    expect(times()).toEqual(['09:05:00', '09:05:30', '09:15:00', '09:16:00']);
  });

  it('is not delayed by a later due time that another process stored', async () => {
    const { clock, job, start, times, runs } = setUp();
    const schedule = start(job());
    await clock.advance(MINUTE);

    await runs.due('main', 'treatments', '2026-03-02T11:00:00.000Z');
    schedule.wake();
    await clock.advance(10 * MINUTE);

    expect(times()).toEqual(['09:05:00', '09:15:00']);
  });

  it('never overlaps a job with itself, and lets no job wait for another', async () => {
    const { clock, job, start, started } = setUp();
    let open = 0;
    let most = 0;
    const slow = job({
      cron: '* * * * *',
      deadlineMs: HOUR,
      run: async (signal) => {
        open += 1;
        most = Math.max(most, open);
        await clock.sleep(150_000, signal);
        open -= 1;
        return undefined;
      },
    });
    start(slow, job({ poll: 'dentists', cron: '* * * * *' }));

    await clock.advance(12 * MINUTE);

    expect(most).toBe(1);
    expect(started.filter(({ poll }) => poll === 'treatments')).toHaveLength(5);
    expect(started.filter(({ poll }) => poll === 'dentists').length).toBeGreaterThanOrEqual(12);
  });
});

describe('schedule, when the clinic may be down', () => {
  const lists = [
    { poll: 'treatments', cron: '0 * * * *' },
    { poll: 'dentists', cron: '0 * * * *' },
    { poll: 'organization', cron: '30 * * * *' },
    { poll: 'appointments', cron: '* * * * *' },
  ] as const;
  const down = new Failure({ kind: 'transient', message: 'cannot connect' });

  it('calls at once for the list due next, never for a poll that may make no call', async () => {
    const { clock, job, start, started } = setUp();
    const schedule = start(...lists.map((part) => job(part)));
    await clock.advance(5 * MINUTE + 1_000);
    started.length = 0;

    schedule.ask('main');
    await clock.advance(1_000);

    expect(started).toEqual([{ poll: 'organization', clinic: 'main', at: '2026-03-02T09:10:01.000Z' }]);
  });

  it('calls for the list that failed most often, so that a second failure shows soon', async () => {
    const { clock, job, start, started } = setUp();
    const run = async () => ({ failed: down });
    const schedule = start(
      ...lists.map((part) => job({ ...part, ...(part.poll === 'dentists' && { run }) })),
    );
    await clock.advance(5_000);
    started.length = 0;

    schedule.ask('main');
    await clock.advance(100);

    expect(started.map(({ poll }) => poll)).toEqual(['dentists']);
  });

  it('makes no further call while one is in progress, nor to another clinic', async () => {
    const { clock, job, start, started } = setUp();
    const schedule = start(
      job({ run: () => new Promise(() => {}) }),
      job({ poll: 'dentists' }),
      job({ clinic: 'north' }),
    );
    await clock.advance(MINUTE);
    started.length = 0;

    schedule.ask('main');
    await clock.advance(1_000);

    expect(started).toEqual([]);
  });

  it('makes no further call while one is in progress, not even for what failed before', async () => {
    const { clock, job, start, started } = setUp();
    const failed = new Failure({ kind: 'transient', message: 'The clinic answers 503.' });
    const schedule = start(
      job({ run: () => new Promise(() => {}) }),
      job({ poll: 'dentists', run: async () => ({ failed }) }),
    );
    await clock.advance(10_000);
    started.length = 0;

    schedule.ask('main');
    await clock.advance(1_000);

    expect(started).toEqual([]);
  });

  it('keeps the regular slots afterwards', async () => {
    const { clock, job, start, times } = setUp();
    const schedule = start(job());
    await clock.advance(2 * MINUTE);

    schedule.ask('main');
    await clock.advance(30 * MINUTE);

    expect(times()).toEqual(['09:05:00', '09:07:00', '09:15:00', '09:30:00']);
  });

  it('retries what failed, and only that, as soon as one list works again', async () => {
    const { clock, job, start, started } = setUp();
    let isDown = true;
    const run = async () => (isDown ? { failed: down } : undefined);
    const schedule = start(
      job({ cron: '0 * * * *', run }),
      job({ poll: 'dentists', cron: '0 * * * *', run }),
      job({ poll: 'website', cron: '0 * * * *' }),
      job({ clinic: 'north', cron: '0 * * * *', run }),
    );
    await clock.advance(5_000);
    isDown = false;
    started.length = 0;

    schedule.ask('main');
    await clock.advance(5_000);

    expect(started.map(({ clinic, poll }) => `${clinic} ${poll}`)).toEqual([
      'main treatments',
      'main dentists',
    ]);
  });
});

describe('schedule against a clock that is wrong', () => {
  it('runs once, not many times, when the wall clock jumps forward', async () => {
    const { clock, job, start, started } = setUp();
    start(job());
    await clock.advance(MINUTE);

    clock.jump(5 * HOUR);
    await clock.advance(5 * MINUTE);

    expect(started).toHaveLength(2);
  });

  it('keeps its rhythm when the wall clock is set back', async () => {
    const { clock, job, start, started } = setUp();
    start(job());
    await clock.advance(MINUTE);

    clock.jump(-26 * HOUR);
    await clock.advance(HOUR);

    expect(started.length).toBeGreaterThanOrEqual(4);
    expect(started.length).toBeLessThanOrEqual(6);
  });

  it('shows no time later than now or the next run after the wall clock was set back', async () => {
    const runs = keptRuns();
    const { clock, job, start } = setUp({ runs });
    start(job({ cron: '0 */6 * * *' }));
    await clock.advance(MINUTE);
    const [stored] = runs.states.values();
    expect.assert(stored);
    stored.last_success_at = instant(clock.now());

    clock.jump(-48 * HOUR);
    await clock.advance(2 * MINUTE);

    expect(stored.last_success_at <= instant(clock.now())).toBe(true);
    expect(stored.next_due_at).toMatch(/^2026-02-28T1/);
  });

  it('does not run more than once a minute however the wall clock swings', async () => {
    const { clock, job, start, started } = setUp();
    start(job());

    for (let i = 0; i < 60; i += 1) {
      clock.jump(i % 2 === 0 ? HOUR : -HOUR);
      await clock.advance(10_000);
    }

    expect(started.length).toBeLessThanOrEqual(11);
  });

  it('does not run more than once a minute however fast the wall clock jumps ahead', async () => {
    const { clock, job, start, started } = setUp();
    start(job());

    for (let i = 0; i < 60; i += 1) {
      clock.jump(HOUR);
      await clock.advance(10_000);
    }

    expect(started.length).toBeLessThanOrEqual(11);
  });

  it('does not run more than once a minute because others do while the wall clock jumps ahead', async () => {
    const { clock, job, start, started } = setUp();
    start(job(), job({ poll: 'appointments', cron: '*/10 * * * * *' }));

    for (let i = 0; i < 60; i += 1) {
      clock.jump(HOUR);
      await clock.advance(10_000);
    }

    expect(started.filter(({ poll }) => poll === 'treatments').length).toBeLessThanOrEqual(11);
  });

  it('runs every slot once over 30 days including a change to summer time and restarts', {
    timeout: 60_000,
    tags: ['thorough'],
  }, async () => {
    const { clock, job, start, started } = setUp({ start: '2026-03-10T00:00:00Z' });
    const jobs = [
      job({ cron: '0 * * * *' }),
      job({ poll: 'dentists', cron: '30 */6 * * *' }),
      job({ poll: 'organization', cron: '0 3 * * *' }),
    ];
    let schedule = start(...jobs);

    for (let day = 0; day < 30; day += 1) {
      await clock.advance(24 * HOUR);
      if (day % 7 !== 6) continue;
      await schedule.stop();
      schedule = start(...jobs);
    }

    const count = (poll: string) => started.filter((one) => one.poll === poll).length;
    expect(count('treatments')).toBe(30 * 24 + 1);
    expect(count('dentists')).toBe(30 * 4 + 1);
    expect(count('organization')).toBe(30 + 1);
    expect(schedule.alarms()).toEqual([]);
  });
});

describe('schedule, when something hangs', () => {
  it('aborts and reports a run at its deadline, and runs again in the next slot', async () => {
    const { clock, runs, job, start, times } = setUp();
    let asked = 0;
    const run = (signal: AbortSignal) =>
      new Promise<undefined>((resolve, reject) => {
        asked += 1;
        if (asked > 1) return resolve(undefined);
        signal.addEventListener('abort', () => reject(signal.reason));
      });
    const schedule = start(job({ run }));

    await clock.advance(3 * MINUTE);
    expect(schedule.alarms()).toMatchObject([
      {
        sentence: 'The last run of treatments of main did not end within 2 min and was aborted.',
        asksPerson: false,
      },
    ]);
    expect(await runs.list()).toMatchObject([
      { last_error: 'The last run did not end within 2 min and was stopped.' },
    ]);

    await clock.advance(8 * MINUTE);
    expect(times()).toEqual(['09:05:00', '09:15:00']);
    expect(schedule.alarms()).toEqual([]);
  });

  it('abandons a run that ignores its abort, and no more than three', async () => {
    const { clock, job, start, started } = setUp();
    const schedule = start(job({ run: never }), job({ poll: 'dentists' }));

    await clock.advance(2 * HOUR);

    expect(started.filter(({ poll }) => poll === 'treatments')).toHaveLength(3);
    expect(started.filter(({ poll }) => poll === 'dentists')).toHaveLength(9);
    expect(schedule.alarms()).toContainEqual({
      sentence: '3 runs of treatments of main did not stop when asked.',
      action: 'If it lasts, restart clinic-sync: nothing is lost by that.',
      asksPerson: true,
    });
  });

  it.each([
    ['answers within its interval', 10 * MINUTE],
    ['takes longer than its interval', 22 * MINUTE],
    ['takes longer than it may', 4 * HOUR],
  ])('never advises a restart because the clinic %s', async (_how, takesMs) => {
    const { clock, job, start } = setUp();
    const run = async (signal: AbortSignal) => void (await clock.sleep(takesMs, signal));
    const schedule = start(job({ run, deadlineMs: 30 * MINUTE }), job({ poll: 'dentists' }));

    const advice = new Set<string>();
    for (let minute = 0; minute < 8 * 60; minute += 1) {
      await clock.advance(MINUTE);
      for (const { action, asksPerson } of schedule.alarms()) advice.add(`${action} ${asksPerson}`);
    }

    expect([...advice].join()).not.toMatch(/restart|true/);
  });

  const hung = <T extends object>(whole: T, part: Partial<T>): T => ({ ...whole, ...part });
  it.each([
    ['a run that ignores its abort', { run: never }, {}],
    ['a run with a deadline longer than its interval', { run: never, deadlineMs: 10 * HOUR }, {}],
    ['reading the due times', {}, { list: never }],
    ['storing the next due time', {}, { plan: never }],
    ['storing a failed run', { run: never }, { finished: never }],
  ] satisfies [string, Partial<Job>, Partial<PollVerbs>][])(
    'raises the alarm within two intervals: %s',
    async (_stage, part, broken) => {
      const { clock, job, start } = setUp({ runs: hung<PollVerbs>(keptRuns(), broken) });
      const schedule = start(job(part));

      await clock.advance(30 * MINUTE);

      expect(schedule.alarms()).not.toEqual([]);
    },
  );

  it('logs an alarm once while it lasts', async () => {
    const { clock, job, runs } = setUp();
    const problems: unknown[] = [];
    const log = {
      ...silentLog,
      error: (_: string, fields?: { problem?: unknown }) => problems.push(fields?.problem),
    };
    const schedule = startSchedule({ jobs: [job({ run: never })], store: { polls: runs }, clock, log });
    onTestFinished(() => void schedule.stop());

    await clock.advance(14 * MINUTE);

    expect(problems.filter((problem) => String(problem).startsWith('One run'))).toHaveLength(1);
  });

  it('raises the alarm within two intervals when its timer stops firing', async () => {
    const { clock, job } = setUp();
    const deaf = { ...clock, sleep: never };
    const schedule = startSchedule({
      jobs: [job()],
      store: { polls: keptRuns() },
      clock: deaf,
      log: silentLog,
    });
    await settle();

    await clock.advance(15 * MINUTE + 30 * MINUTE);

    expect(schedule.alarms()).toMatchObject([
      { sentence: expect.stringContaining('Polling treatments of main is'), asksPerson: true },
    ]);
  });

  it('reports that polling has not begun while the due times cannot be read, and begins once they can', async () => {
    const runs = keptRuns();
    const failure = new Failure({ kind: 'transient', message: 'The database is locked.' });
    let broken = true;
    const { clock, job, start, started } = setUp({
      runs: { ...runs, list: () => (broken ? Promise.reject(failure) : runs.list()) },
    });
    const schedule = start(job());
    await clock.advance(20_000);

    expect(schedule.alarms()).toMatchObject([
      { sentence: 'Polling has not begun for 20 s: The database is locked.' },
    ]);
    broken = false;
    await clock.advance(10_000);

    expect(started).toHaveLength(1);
    expect(schedule.alarms()).toEqual([]);
  });

  it('stops within 5 s although a run ignores its abort', async () => {
    const { clock, job, start } = setUp();
    const schedule = start(job({ run: never }));
    await clock.advance(1_000);
    let stopped = false;

    const stopping = schedule.stop().then(() => {
      stopped = true;
    });
    await clock.advance(6_000);
    await stopping;

    expect(stopped).toBe(true);
  });
});
