/** @module-tag thorough */
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import type { Endpoint } from '../../sandbox/clinic/routes.ts';
import { type Poll, polls } from '../../src/domain/clinics/resource.ts';
import type { HealthReason, Need, StatusReport } from '../../src/domain/status/report.ts';
import { changeFee } from '../support/crash-points/booking-points.ts';
import { type Story, startStory } from '../support/daemon/clinic-story.ts';
import { until } from '../support/until.ts';

const isLongRun = Number(process.env.VERIFY_RUNS ?? 1) > 1;
const PATIENCE = { timeout: 120_000 };
const INTERVAL_S = 3;
/** Two intervals, and what a busy machine may add. */
const IN_TIME = { withinMs: 2 * INTERVAL_S * 1_000 + 6_000 };
/** A call without an answer fails after 30 s, and the second failure in a row is trouble. */
const UNANSWERED = { withinMs: 2 * (30_000 + INTERVAL_S * 1_000) + 10_000 };
const IN_A_MINUTE = { withinMs: 60_000 + 5_000 };
/** The interval of files beside an inbox. */
const COMPARED_EVERY_MS = 60_000;
const cron = `*/${INTERVAL_S} * * * * *`;
const still = {
  clinic: { schedule: Object.fromEntries(polls.map((poll) => [poll, cron])) },
  here: !isLongRun,
};

const hourly = { clinic: { schedule: Object.fromEntries(polls.map((poll) => [poll, '0 * * * *'])) } };

const endpointOf: Record<Exclude<Poll, 'appointments'>, Endpoint> = {
  organization: 'organization',
  website: 'website',
  treatments: 'treatments',
  dentists: 'dentists',
};

async function allRead(story: Story): Promise<void> {
  await story.start();
  await until('everything was read once', async () => {
    const [main] = (await story.status()).clinics;
    return main?.resources.every(({ last_success_at, idle_at }) => (last_success_at ?? idle_at) !== null);
  });
  expect((await story.status()).needs).toEqual([]);
}

/** Resolves to the report once it says this, as a cause of trouble or as something that waits for a person. */
const untilSaid = (
  story: Story,
  about: (one: Need | HealthReason) => boolean,
  { withinMs } = IN_TIME,
): Promise<StatusReport> =>
  until(
    'the status page says so',
    async () => {
      const report = await story.status();
      return report.health !== 'ok' && [...report.reasons, ...report.needs].some(about) && report;
    },
    { withinMs, found: () => story.status() },
  );

const healthy = (story: Story) =>
  until('all is well again', async () => (await story.status()).health === 'ok', {
    found: () => story.status(),
  });

describe.concurrent('a stage that hangs is noticed in time', () => {
  it.each(Object.entries(endpointOf))(
    'when the clinic never answers about its %s',
    PATIENCE,
    async (poll, endpoint) => {
      await using story = await startStory({ name: `still-${poll}`, ...still });
      await allRead(story);

      story.sandbox.control.script({
        match: { endpoint },
        times: 'always',
        fault: { kind: 'silence_before_commit' },
      });
      const report = await untilSaid(story, ({ subject }) => subject === poll, UNANSWERED);

      expect(report.sentence).not.toMatch(/^All good/);
    },
  );

  it(
    'when a clinic that is polled hourly still accepts connections, but answers nothing: within a minute',
    PATIENCE,
    async () => {
      await using story = await startStory({ name: 'still-clinic', ...hourly, here: !isLongRun });
      await allRead(story);

      story.sandbox.control.script({ match: {}, times: 'always', fault: { kind: 'silence_before_commit' } });
      const report = await untilSaid(story, ({ kind }) => kind === 'unreachable', IN_A_MINUTE);

      expect(report.sentence).toContain('the clinic does not answer');
    },
  );

  it('when the clinic never answers about an appointment', PATIENCE, async () => {
    await using story = await startStory({ name: 'still-appointments', ...still });
    await allRead(story);

    story.sandbox.control.script({
      match: { endpoint: 'status' },
      times: 'always',
      fault: { kind: 'silence_before_commit' },
    });
    const { control } = story.sandbox;
    await story.run(['appointments', 'track', String(control.addAppointment())]);
    await until('it is asked about', () => control.faults()[0]?.struck === 1, IN_TIME);

    await untilSaid(story, ({ subject }) => subject === 'appointments', UNANSWERED);
  });

  it('when no booking is answered', PATIENCE, async () => {
    await using story = await startStory({ name: 'still-bookings', ...still });
    await allRead(story);
    story.sandbox.control.script({
      match: { endpoint: 'book' },
      times: 'always',
      fault: { kind: 'silence_before_commit' },
    });

    await story.submit(story.lead());
    await story.submit(story.lead());

    await until(
      'both are shown on their way',
      async () => {
        const [form] = (await story.status()).bookings;
        return form?.states.sending === 1 && form.states.queued === 1;
      },
      IN_TIME,
    );
  });

  it('when a receiver never answers', PATIENCE, async () => {
    await using story = await startStory({ name: 'still-receiver', ...still, webhook: { timeout: 2 } });
    await allRead(story);
    story.hook.misbehave = () => true;

    for (let lead = 0; lead < 3; lead += 1) await story.submit(story.lead());

    const { connectors } = await untilSaid(story, ({ subject }) => subject === 'crm');
    const crm = connectors.find(({ connector }) => connector === 'crm');
    expect(crm).toMatchObject({
      state: 'failing',
      last_error: expect.stringContaining('did not answer in time'),
    });
    expect(crm?.pending).toBeGreaterThan(0);
  });

  it('when the files cannot be written', PATIENCE, async () => {
    await using story = await startStory({ name: 'still-files', ...still });
    await allRead(story);
    const folder = join(story.folder, 'csv', 'main');
    await until('the files are there', () => story.csv('manifest.json').then(() => true));

    await rm(folder, { recursive: true });
    await writeFile(folder, 'a file in the place of the folder');
    changeFee(story);

    const { connectors } = await untilSaid(story, ({ subject }) => subject === 'reports', {
      withinMs: 2 * COMPARED_EVERY_MS,
    });
    expect(connectors.find(({ connector }) => connector === 'reports')).toMatchObject({ state: 'failing' });

    await rm(folder);
    await story.act('/admin/connectors/reports/resume');
    await healthy(story);
  });

  it(
    'when another program keeps the database to itself; and no lead is acknowledged meanwhile',
    PATIENCE,
    async () => {
      await using story = await startStory({ name: 'still-database', ...still });
      await allRead(story);
      const other = new Database(story.database);
      other.exec('begin immediate');

      const refused = await story.submit(story.lead());
      const ready = await story.ask('/readyz');
      await untilSaid(story, ({ kind }) => kind === 'database');
      const sync = await story.ask('/syncz');
      other.exec('rollback');
      other.close();

      expect(refused?.status).toBe(503);
      expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(ready.status).toBe(503);
      expect(sync.body).not.toMatchObject({ health: 'ok' });
      await healthy(story);
      expect((await story.submit(story.lead()))?.status).toBe(200);
    },
  );
});
