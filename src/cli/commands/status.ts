import type { CommandModule } from 'yargs';
import { statusReport } from '../../daemon/report.ts';
import { systemClock, toMs } from '../../model/clock.ts';
import { formatDuration } from '../../model/duration.ts';
import type { Health, StatusReport } from '../../model/report.ts';
import type { ConfigArguments } from '../configuration.ts';
import { Exit, exit, failureText, type Io, type Paint, painter, printJson, table } from '../io.ts';
import { packageVersion } from '../package.ts';
import { withParts } from '../with-parts.ts';

interface Arguments extends ConfigArguments {
  json?: boolean;
  watch: boolean;
}

const codes: Record<Health, number> = {
  ok: exit.ok,
  attention: exit.needsPerson,
  not_syncing: exit.notSyncing,
};
const colours = { ok: 'green', attention: 'yellow', not_syncing: 'red' } as const;
const LOOK_AGAIN_MS = 2000;

/** `clinic-sync status [--json] [--watch]` */
export const statusCommand = (io: Io): CommandModule => ({
  command: 'status',
  describe: 'Does it work? Freshness, connectors, bookings that need a person',
  builder: (yargs) =>
    yargs
      .option('watch', { type: 'boolean', default: false, describe: 'Show it again every two seconds' })
      .example('$0 status', 'exit 0 healthy, 1 a person is needed, 2 not syncing'),
  handler: (argv) => status(io, argv as unknown as Arguments),
});

async function status(io: Io, given: Arguments): Promise<void> {
  await report(io, given).catch((error: unknown) => {
    if (error instanceof Exit) throw error;
    // Without a database to look into, nothing is in step: whoever watches the exit code must hear that.
    if (given.json) printJson(io, { health: 'not_syncing', sentence: failureText(error) });
    throw new Exit(exit.notSyncing, given.json ? '' : failureText(error));
  });
}

async function report(io: Io, given: Arguments): Promise<void> {
  await withParts(io, given, async (parts) => {
    const look = statusReport({ parts, clock: systemClock, version: packageVersion() });
    for (;;) {
      const now = await look();
      if (given.json) printJson(io, now);
      else
        io.out(`${given.watch && io.terminal ? '\u001b[2J\u001b[H' : ''}${statusText(now, painter(io))}\n`);
      if (!given.watch) throw new Exit(codes[now.health]);
      await systemClock.sleep(LOOK_AGAIN_MS, io.signal).catch(() => {});
      if (io.signal.aborted) return;
    }
  });
}

/** The report as a page of text. */
export function statusText(report: StatusReport, paint: Paint): string {
  const now = toMs(report.at);
  const ago = (at: string | null) => (at === null ? 'never' : `${formatDuration(now - toMs(at))} ago`);
  const parts = [paint(['bold', colours[report.health]], report.sentence)];

  const place = (clinic: string | undefined) =>
    report.clinics.length > 1 && clinic !== undefined ? `${clinic}: ` : '';
  if (report.needs.length > 0) {
    const rows = report.needs.map(
      ({ subject, clinic, sentence, action }) =>
        `  ${paint('yellow', subject)}  ${place(clinic)}${sentence}\n      → ${action}`,
    );
    parts.push(`Needs you\n${rows.join('\n')}`);
  }
  for (const clinic of report.clinics) {
    const rows = clinic.resources.map((one) => [
      `  ${one.poll}`,
      String(one.rows),
      ago(one.last_success_at),
      ago(one.last_change_at),
      one.next_due_at === null ? '' : `in ${formatDuration(toMs(one.next_due_at) - now)}`,
      one.last_error ?? (one.stale ? 'stale' : 'ok'),
    ]);
    const limit =
      clinic.limiter.ceiling_per_minute === null
        ? 'no limit met yet'
        : `limit ${Math.round(clinic.limiter.ceiling_per_minute)} calls a minute`;
    const lane = laneWords(clinic, now);
    parts.push(
      `${place(clinic.clinic)}${clinic.name ?? clinic.clinic} (${clinic.timezone}; ${limit}; ${lane})\n${table([['  RESOURCE', 'ROWS', 'READ', 'CHANGED', 'NEXT', 'STATE'], ...rows])}`,
    );
  }
  if (report.connectors.length > 0) {
    const rows = report.connectors.map((one) => [
      `  ${one.connector}`,
      one.use,
      one.state,
      String(one.lag + one.pending),
      ago(one.last_success_at),
      [one.last_error, ...one.problems].filter(Boolean).join('; '),
    ]);
    parts.push(
      `Connectors\n${table([['  NAME', 'KIND', 'STATE', 'WAITING', 'LAST SUCCESS', 'PROBLEM'], ...rows])}`,
    );
  }
  if (report.bookings.length > 0) {
    const rows = report.bookings.map(({ source, today, last_7_days, states }) => [
      `  ${source}`,
      String(today),
      String(last_7_days),
      Object.entries(states)
        .map(([state, count]) => `${count} ${state}`)
        .join(', '),
    ]);
    parts.push(`Bookings\n${table([['  SOURCE', 'TODAY', '7 DAYS', 'STATES'], ...rows])}`);
  }
  return parts.join('\n\n');
}

function laneWords({ lane, limiter }: StatusReport['clinics'][number], nowMs: number): string {
  if (lane.state === 'paused') return `bookings paused: ${lane.reason ?? ''}`;
  const { blocked_until } = limiter;
  if (blocked_until === null || toMs(blocked_until) <= nowMs) return 'bookings are sent';
  return `the clinic has asked us to wait; bookings are sent again in ${formatDuration(toMs(blocked_until) - nowMs)}`;
}
