import type { CommandModule } from 'yargs';
import { statusReport } from '../../app/report.ts';
import { noClinic } from '../../domain/booking.ts';
import type { ClinicReport, ResourceReport, StatusReport } from '../../domain/report.ts';
import { retentionSentence } from '../../domain/retention.ts';
import { systemClock, toMs } from '../../platform/clock.ts';
import { formatDuration } from '../../platform/duration.ts';
import type { ConfigArguments } from '../configuration.ts';
import {
  clearScreen,
  Exit,
  exit,
  failureText,
  type Io,
  type Paint,
  painter,
  printJson,
  table,
} from '../io.ts';
import { packageVersion } from '../package.ts';
import { withParts } from '../with-parts.ts';

interface Arguments extends ConfigArguments {
  json?: boolean;
  watch: boolean;
}

const colours = { ok: 'green', trouble: 'yellow', stale: 'red' } as const;
const LOOK_AGAIN_MS = 2000;

/** `clinic-sync status [--json] [--watch]` */
export const statusCommand = (io: Io): CommandModule => ({
  command: 'status',
  describe: 'Does it work? Freshness, connectors, bookings that need a person',
  builder: (yargs) =>
    yargs
      .option('watch', { type: 'boolean', default: false, describe: 'Show it again every two seconds' })
      .example('$0 status', 'exit 0 healthy, 1 trouble or a person is needed, 2 stale or no daemon runs'),
  handler: (argv) => status(io, argv as unknown as Arguments),
});

async function status(io: Io, given: Arguments): Promise<void> {
  await report(io, given).catch((error: unknown) => {
    if (error instanceof Exit) throw error;
    // Without a database to look into, nothing is in step: whoever watches the exit code must hear that.
    if (given.json) printJson(io, { health: 'stale', running: false, sentence: failureText(error) });
    throw new Exit(exit.notSyncing, given.json ? '' : failureText(error));
  });
}

async function report(io: Io, given: Arguments): Promise<void> {
  await withParts(io, given, async (parts) => {
    const { report: look } = statusReport({ parts, clock: systemClock, version: packageVersion() });
    for (;;) {
      const now = await look();
      if (given.json) printJson(io, now);
      else io.out(`${given.watch && io.terminal ? clearScreen : ''}${statusText(now, painter(io))}\n`);
      if (!given.watch) throw new Exit(exitCode(now));
      await systemClock.sleep(LOOK_AGAIN_MS, io.signal).catch(() => {});
      if (io.signal.aborted) return;
    }
  });
}

function exitCode({ health, running, needs_total }: StatusReport): number {
  if (!running || health === 'stale') return exit.notSyncing;
  return health === 'trouble' || needs_total > 0 ? exit.needsPerson : exit.ok;
}

/** The report as a page of text. */
export function statusText(report: StatusReport, paint: Paint): string {
  const blocks = [
    headline(report, paint),
    needsBlock(report, paint),
    ...report.clinics.map((one) => clinicBlock(one, report)),
  ];
  return [
    ...blocks,
    connectorsBlock(report),
    bookingsBlock(report),
    report.retention && retentionSentence(report.retention),
  ]
    .filter((block) => block != null)
    .join('\n\n');
}

const RECOVERY_SHOWN_MS = 60 * 60_000;

const ago = (at: string | null, now: number, missing = 'never') =>
  at === null ? missing : `${formatDuration(now - toMs(at))} ago`;

/** Which clinic something is about goes without saying where there is one. */
const place = ({ clinics }: StatusReport, clinic: string | undefined) =>
  clinics.length > 1 && clinic !== undefined && clinic !== noClinic ? `${clinic}: ` : '';

function headline({ health, sentence, running, reasons, recovered, at }: StatusReport, paint: Paint): string {
  const now = toMs(at);
  const lines = [paint(['bold', colours[health]], sentence)];
  if (!running) {
    const stopped = 'No daemon is running: nothing is read, booked or delivered.';
    lines.unshift(
      `${paint(['bold', 'red'], stopped)}\n  → Start it with \`clinic-sync run\`. Below is what was known last.`,
    );
  }
  if (reasons.length > 1)
    lines.push(...reasons.map((one) => `  ${paint(colours[one.health], one.health)}  ${one.sentence}`));
  if (recovered !== null && now - toMs(recovered.at) < RECOVERY_SHOWN_MS)
    lines.push(`Recovered ${ago(recovered.at, now)}: ${recovered.sentence}`);
  return lines.join('\n');
}

const LISTED = 50;

function needsBlock(report: StatusReport, paint: Paint): string | undefined {
  const { needs, needs_total } = report;
  if (needs_total === 0) return undefined;
  const rows = needs
    .slice(0, LISTED)
    .map(
      ({ subject, clinic, sentence, action }) =>
        `  ${paint('yellow', subject)}  ${place(report, clinic)}${sentence}\n      → ${action}`,
    );
  const more = needs_total - rows.length;
  if (more > 0) rows.push(`  and ${more} more: \`clinic-sync bookings list --needs-me\` lists the bookings`);
  return `Needs you (${needs_total})\n${rows.join('\n')}`;
}

function clinicBlock(clinic: ClinicReport, report: StatusReport): string {
  const now = toMs(report.at);
  const rows = clinic.resources.map((one) => [
    `  ${one.poll}`,
    String(one.rows),
    ago(one.last_success_at, now),
    ago(one.last_change_at, now),
    report.running ? nextWords(one, now) : '–',
    resourceWords(one),
  ]);
  const { ceiling_per_minute } = clinic.limiter;
  const limit =
    ceiling_per_minute === null
      ? 'no limit met yet'
      : `limit ${Math.round(ceiling_per_minute)} calls a minute`;
  const lane = report.running ? laneWords(clinic, now) : 'bookings are not sent: no daemon is running';
  return `${place(report, clinic.clinic)}${clinic.name ?? clinic.clinic} (${clinic.timezone}; ${limit}; ${lane})\n${table([['  RESOURCE', 'ROWS', 'READ', 'CHANGED', 'NEXT', 'STATE'], ...rows])}`;
}

/** Computed as it is shown; what should have begun is said to be due. */
function nextWords({ next_due_at }: ResourceReport, now: number): string {
  if (next_due_at === null) return '';
  const left = toMs(next_due_at) - now;
  return left <= 0 ? 'now' : `in ${formatDuration(left)}`;
}

function resourceWords({
  stale,
  failures,
  last_error,
  unreadable,
  last_success_at,
  idle_at,
}: ResourceReport): string {
  const unread = unreadable.length === 0 ? '' : `${unreadable.length} cannot be read`;
  const idle = idle_at !== null && (last_success_at === null || idle_at > last_success_at);
  const state = stale ? 'stale' : failures > 0 ? 'failing' : idle ? 'nothing due' : 'ok';
  return [failures > 0 && last_error !== null ? last_error : state, unread].filter(Boolean).join('; ');
}

function connectorsBlock({ connectors, at }: StatusReport): string | undefined {
  if (connectors.length === 0) return undefined;
  const now = toMs(at);
  const rows = connectors.map((one) => [
    `  ${one.connector}`,
    one.use,
    one.state,
    String(one.lag + one.pending),
    ago(one.last_success_at, now),
    [one.state === 'ok' ? null : (one.reason ?? one.last_error), ...one.problems].filter(Boolean).join('; '),
  ]);
  return `Connectors\n${table([['  NAME', 'KIND', 'STATE', 'WAITING', 'LAST SUCCESS', 'PROBLEM'], ...rows])}`;
}

function bookingsBlock({ bookings }: StatusReport): string | undefined {
  if (bookings.length === 0) return undefined;
  const rows = bookings.map(({ source, today, last_7_days, states }) => [
    `  ${source}`,
    String(today),
    String(last_7_days),
    Object.entries(states)
      .map(([state, count]) => `${count} ${state}`)
      .join(', '),
  ]);
  return `Bookings\n${table([['  SOURCE', 'TODAY', '7 DAYS', 'STATES'], ...rows])}`;
}

function laneWords({ lane, limiter, connection }: ClinicReport, now: number): string {
  if (lane.state === 'paused') return `bookings paused: ${lane.reason ?? ''}`;
  if (connection.state === 'failing') return 'bookings wait until the clinic answers';
  const { blocked_until } = limiter;
  if (blocked_until === null || toMs(blocked_until) <= now) return 'bookings are sent';
  return `the clinic has asked us to wait; bookings are sent again in ${formatDuration(toMs(blocked_until) - now)}`;
}
