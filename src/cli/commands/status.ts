import type { Parts } from '../../app/parts.ts';
import { createStatusReport } from '../../app/status-report.ts';
import { noClinic } from '../../domain/bookings/booking.ts';
import {
  type ClinicReport,
  type ResourceReport,
  STATISTICS_SHOWN,
  type StatusReport,
} from '../../domain/status/report.ts';
import { retentionSentence } from '../../domain/status/retention-sentence.ts';
import { waitWords } from '../../domain/status/sending-waits.ts';
import { systemClock, toMs } from '../../platform/clock.ts';
import { formatDuration, HOUR, MINUTE } from '../../platform/duration.ts';
import { CLINICS_IN_DATA, clinicsPage } from '../../reports/clinics-page.ts';
import type { Store } from '../../store/store.ts';
import { type CommonArguments, command, flagArgument } from '../command.ts';
import { clinicKeys } from '../configuration.ts';
import { type DaemonFault, daemonFault } from '../daemon.ts';
import { clearScreen, Exit, exit, failureText, type Io, type Paint, painter, printJson } from '../io.ts';
import { headed } from '../list.ts';
import { packageVersion } from '../package.ts';
import { withParts } from '../with-app.ts';

const LOOK_AGAIN_MS = 2000;
const STARTS_WITHIN_MS = 2 * MINUTE;

export const status = command({
  name: 'status',
  describe: 'Does it work? Freshness, connectors, bookings that need a person',
  args: {
    watch: flagArgument('Refresh every two seconds'),
    after: { type: 'string', describe: 'With many clinics: those after this one' },
  },
  examples: { status: 'exit 0 healthy, 1 trouble or a person is needed, 2 stale or no daemon runs' },
  async open(io, given, use: (opened: undefined) => Promise<void>) {
    await use(undefined).catch((error: unknown) => {
      if (error instanceof Exit) throw error;
      // Without a database nothing is synchronized, and the exit code must say so.
      if (given.json) printJson(io, { health: 'stale', running: false, sentence: failureText(error) });
      throw new Exit(exit.notSyncing, given.json ? '' : failureText(error));
    });
  },
  run: (io, { watch, after, ...given }) =>
    withParts(io, given, async (parts) => {
      clinicKeys(parts.config, after);
      const { report } = createStatusReport({ parts, clock: systemClock, version: packageVersion() });
      for (;;) {
        const code = await show(io, await report(), { ...given, watch, after }, parts);
        if (!watch) throw new Exit(code);
        await systemClock.sleep(LOOK_AGAIN_MS, io.signal).catch(() => {});
        if (io.signal.aborted) return;
      }
    }),
});

/** Prints the report; resolves to the exit code. */
async function show(
  io: Io,
  report: StatusReport,
  { json, watch, after }: Pick<CommonArguments, 'json'> & { watch: boolean; after: string | undefined },
  { config, store }: Pick<Parts, 'config' | 'store'>,
): Promise<number> {
  const fault = report.running ? await toldBy(config, report) : undefined;
  const known = fault === undefined ? report : { ...report, ...inFault(fault, report) };
  if (json) printJson(io, await paged(known, after, store));
  else {
    const text = statusText(report, painter(io), { after, fault });
    io.out(`${watch && io.terminal ? clearScreen : ''}${text}\n`);
  }
  return exitCode(known);
}

/** What the daemon says of itself and the report does not: what it stored last looks well for minutes. */
async function toldBy(
  { http }: Pick<Parts['config'], 'http'>,
  { clinics, reasons, started_at, at }: StatusReport,
): Promise<DaemonFault | undefined> {
  const fault = await daemonFault(http);
  // Nothing listens while it starts, or when it runs on another machine.
  if (fault?.state === 'away') {
    const isNew = started_at !== null && toMs(at) - toMs(started_at) < STARTS_WITHIN_MS;
    const hasRead = clinics.some(({ resources }) =>
      resources.some(
        ({ last_success_at: read }) => read !== null && started_at !== null && read > started_at,
      ),
    );
    const isStarting = isNew && !hasRead;
    return isStarting ? { ...fault, sentence: 'The daemon is starting.' } : undefined;
  }
  const isKnown = fault?.state === 'not ready' && reasons.some(({ kind }) => kind === 'database');
  return isKnown ? undefined : fault;
}

const inFault = ({ state, sentence }: DaemonFault, { health }: StatusReport) =>
  state === 'hangs'
    ? { running: false, sentence }
    : { health: health === 'ok' ? ('trouble' as const) : health, sentence };

/** Paged like `/status.json`. */
async function paged(report: StatusReport, after: string | undefined, { mirror }: Pick<Store, 'mirror'>) {
  const { shown, next } = clinicsPage(report, { limit: CLINICS_IN_DATA, after });
  if (shown.length === report.clinics_total) return report;
  const figures = (clinic: string) => mirror.statistics(clinic, STATISTICS_SHOWN);
  const clinics = shown.map(async (one) => ({ ...one, statistics: await figures(one.clinic) }));
  return { ...report, clinics: await Promise.all(clinics), ...(next !== null && { clinics_next: next }) };
}

function exitCode({ health, running, needs_total }: StatusReport): number {
  if (!running || health === 'stale') return exit.notSyncing;
  return health === 'trouble' || needs_total > 0 ? exit.needsPerson : exit.ok;
}

interface Shown {
  /** Clinics after this one. */
  after?: string | undefined;
  /** What the daemon says of itself. */
  fault?: DaemonFault | undefined;
}

export function statusText(report: StatusReport, paint: Paint, { after, fault }: Shown = {}): string {
  const { shown, left, next } = clinicsPage(report, { limit: CLINICS_LISTED, after });
  return [
    headline(report, paint, fault),
    needsBlock(report, paint),
    ...shown.map((one) => clinicBlock(one, report, fault)),
    next === null ? undefined : `and ${left} more clinics: \`clinic-sync status --after ${next}\``,
    connectorsBlock(report),
    bookingsBlock(report),
    report.retention && retentionSentence(report.retention),
  ]
    .filter((block) => block != null)
    .join('\n\n');
}

/** Each clinic takes seven lines. */
const CLINICS_LISTED = 20;

const colours = { ok: 'green', trouble: 'yellow', stale: 'red' } as const;
const RECOVERY_SHOWN_MS = HOUR;

const ago = (at: string | null, now: number) =>
  at === null ? 'never' : `${formatDuration(now - toMs(at))} ago`;

/** A prefix naming the clinic when there are several. */
const place = ({ clinics }: StatusReport, clinic: string | undefined) =>
  clinics.length > 1 && clinic !== undefined && clinic !== noClinic ? `${clinic}: ` : '';

function headline(
  { health, sentence, running, reasons, recovered, needs_total, at }: StatusReport,
  paint: Paint,
  fault: DaemonFault | undefined,
): string {
  const now = toMs(at);
  // Of a daemon that does not work, "All good" is what it said last.
  const isOld = fault !== undefined && health === 'ok' && needs_total === 0;
  const lines = isOld ? [] : [paint(['bold', colours[health]], sentence)];
  const stopped = running ? fault?.sentence : 'No daemon is running: nothing is read, booked or delivered.';
  if (stopped !== undefined) {
    const remedy = running ? fault?.state === 'hangs' && 'Restart it. ' : 'Start it with `clinic-sync run`. ';
    lines.unshift(`${paint(['bold', 'red'], stopped)}\n  → ${remedy || ''}Below is what was known last.`);
  }
  if (reasons.length > 1)
    lines.push(...reasons.map((one) => `  ${paint(colours[one.health], one.health)}  ${one.sentence}`));
  if (recovered !== null && now - toMs(recovered.at) < RECOVERY_SHOWN_MS)
    lines.push(`Recovered ${ago(recovered.at, now)} from this: ${recovered.sentence}`);
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

function clinicBlock(clinic: ClinicReport, report: StatusReport, fault: DaemonFault | undefined): string {
  const now = toMs(report.at);
  const { ceiling_per_minute } = clinic.limiter;
  const about = [
    clinic.timezone,
    ceiling_per_minute === null
      ? 'no limit met yet'
      : `limit ${Math.round(ceiling_per_minute)} calls a minute`,
    ...(fault === undefined ? [sendingWords(clinic, report)] : []),
  ];
  const resources = headed(clinic.resources, {
    RESOURCE: 'poll',
    ROWS: 'rows',
    READ: ({ last_success_at }) => ago(last_success_at, now),
    CHANGED: ({ last_change_at }) => ago(last_change_at, now),
    NEXT: (one) => (report.running ? nextWords(one, now) : '–'),
    STATE: resourceWords,
  });
  const title = `${place(report, clinic.clinic)}${clinic.name ?? clinic.clinic} (${about.join('; ')})`;
  return `${title}\n${resources}`;
}

/** Relative to the time of the report; an overdue poll is due now. */
function nextWords({ next_due_at }: ResourceReport, now: number): string {
  if (next_due_at === null) return '';
  const left = toMs(next_due_at) - now;
  return left <= 0 ? 'now' : `in ${formatDuration(left)}`;
}

function resourceWords(report: ResourceReport): string {
  const unread = report.unreadable.length === 0 ? '' : `${report.unreadable.length} cannot be read`;
  const problem = report.failures > 0 ? report.last_error : null;
  return [problem ?? stateWords(report), unread].filter(Boolean).join('; ');
}

function stateWords({ stale, failures, last_success_at, idle_at }: ResourceReport): string {
  if (stale) return 'stale';
  if (failures > 0) return 'failing';
  return idle_at !== null && (last_success_at === null || idle_at > last_success_at) ? 'nothing due' : 'ok';
}

function connectorsBlock({ connectors, at }: StatusReport): string | undefined {
  if (connectors.length === 0) return undefined;
  const rows = headed(connectors, {
    NAME: 'connector',
    KIND: 'use',
    STATE: 'state',
    WAITING: (one) => one.lag + one.pending,
    // Not "never": a connector that only takes bookings has none.
    'LAST SUCCESS': (one) => (one.last_success_at === null ? '–' : ago(one.last_success_at, toMs(at))),
    PROBLEM: (one) =>
      [one.state === 'ok' ? null : (one.reason ?? one.last_error), ...one.problems]
        .filter(Boolean)
        .join('; '),
  });
  return `Connectors\n${rows}`;
}

function bookingsBlock({ bookings }: StatusReport): string | undefined {
  if (bookings.length === 0) return undefined;
  const rows = headed(bookings, {
    SOURCE: 'source',
    TODAY: 'today',
    '7 DAYS': 'last_7_days',
    STATES: ({ states }) =>
      Object.entries(states)
        .map(([state, count]) => `${count} ${state}`)
        .join(', '),
  });
  return `Bookings\n${rows}`;
}

function sendingWords({ lane, limiter, connection }: ClinicReport, { running, at }: StatusReport): string {
  if (!running) return 'bookings are not sent: no daemon is running';
  const now = toMs(at);
  if (lane.state === 'paused') return `bookings paused: ${lane.reason ?? ''}`;
  if (lane.state === 'waiting') return `bookings ${waitWords(lane, now)}`;
  if (connection.state === 'failing') return 'bookings wait until the clinic answers';
  const { blocked_until } = limiter;
  if (blocked_until === null || toMs(blocked_until) <= now) return 'bookings are sent';
  return `the clinic has asked us to wait; bookings are sent again in ${formatDuration(toMs(blocked_until) - now)}`;
}
