import { HEARTBEAT, targetOf } from '../config/notify.ts';
import { type CheckedLine, type CheckLine, fail, ok, warn } from '../connector.ts';
import type { Probed } from '../domain/bookings/probe.ts';
import { idleness } from '../domain/status/target-report.ts';
import { isSameProblem, stated } from '../domain/texts/problem.ts';
import { type Clock, type Instant, systemClock, toMs } from '../platform/clock.ts';
import { formatDuration } from '../platform/duration.ts';
import { sentences } from '../platform/text/sentences.ts';
import { faultWords, isTold, probed, probeKey } from '../status/probes.ts';
import type { Store } from '../store/store.ts';
import type { ConnectorUnit } from './units/connector-unit.ts';

interface CheckOptions {
  store: Pick<Store, 'keyValue' | 'deliveries'>;
  clock?: Clock;
  signal: AbortSignal;
}

/** What a connector reports about itself, and how the latest probes of its form went. */
export async function checkConnector(
  {
    settings: { name, use, clinics },
    connector,
    quarantined,
  }: Pick<ConnectorUnit, 'settings' | 'connector' | 'quarantined'>,
  { store, clock = systemClock, signal }: CheckOptions,
): Promise<readonly CheckedLine[]> {
  if (connector === undefined) return [fail({ message: quarantined ?? 'It could not be started.' })];
  const lines: readonly CheckLine[] = await connector.check(signal);
  const told = use.startsWith('notify:') ? await toldLines(name, { store, clock }) : [];
  const left = await lastRun(name, lines, { store });
  const notes = await probed(store);
  const last = clinics.flatMap((clinic) => {
    const note = notes.get(probeKey(name, clinic, clinics));
    return note === undefined ? [] : [{ note, whose: clinics.length > 1 ? ` for ${clinic}` : '' }];
  });
  const broken = last.filter(({ note }) => note.fault !== null).slice(0, MOST_BROKEN);
  const good = last.filter(({ note }) => note.fault === null);
  return [
    ...lines,
    ...told,
    ...[...broken, ...(good.length > MOST_GOOD ? [] : good)].map(({ note, whose }) =>
      probeLine(note, whose, clock),
    ),
    ...(good.length > MOST_GOOD
      ? [ok(`the last probes for ${good.length} clinics got through to the edge of sending`)]
      : []),
    ...left,
  ];
}

/** When a notification target last proved that it works, and what it is owed. */
async function toldLines(
  connector: string,
  { store, clock }: { store: CheckOptions['store']; clock: Clock },
): Promise<CheckLine[]> {
  const name = targetOf(connector);
  const { toldTo } = await import('../notify/outbox.ts');
  const told = await toldTo(name, store);
  const { last_proof_at: at, owed, owed_since } = told;
  const idle = name === HEARTBEAT ? undefined : idleness(told, clock.now());
  return [
    ...(idle === 'never' ? [warn(stated('target_never', { name }))] : []),
    ...(idle === 'idle' && at !== null ? [warn(stated('target_idle', { day: at.slice(0, 10), name }))] : []),
    ...(idle === undefined && at !== null ? [ok(stated('target_told', { day: minuteOf(at) }))] : []),
    ...(owed_since === null
      ? []
      : [warn(stated('target_owed', { since: minuteOf(owed_since), number: String(owed) }))]),
  ];
}

const minuteOf = (at: Instant): string => `${at.slice(0, 16).replace('T', ' ')} UTC`;

/** Limits of the listed probes: a connector may serve a thousand clinics. */
const MOST_GOOD = 5;
const MOST_BROKEN = 20;

function probeLine(last: Probed, whose: string, clock: Clock): CheckLine {
  const when = `${formatDuration(clock.now() - toMs(last.at))} ago`;
  if (last.fault === null) return ok(`the last probe${whose}, ${when}, got through to the edge of sending`);
  const say = isTold(last)
    ? fail
    : ({ message, hint }: { message: string; hint: string }) => warn(message, hint);
  return say({
    message: `the last probe${whose}, ${when}, did not get through: ${faultWords(last.fault)}`,
    hint: 'It is sent again within the hour; the message that it works follows.',
  });
}

/** What the daemon's last run left undone and the connector's own check does not report. */
async function lastRun(
  name: string,
  lines: readonly CheckLine[],
  { store }: Pick<CheckOptions, 'store'>,
): Promise<CheckedLine[]> {
  const { problems, asks, said, failures, last_error, ...at } = await store.deliveries.connector(name);
  const now = lines.map((line) => ({ sentence: sentences(line.what, line.hint), said: line.said }));
  const failed = failures > 0 && last_error !== null ? [last_error] : [];
  const left = (sentence: string, level: CheckLine['level'], ran: Instant | null): CheckedLine[] => {
    const note = { sentence, said: said[sentence] };
    return now.some((one) => isSameProblem(one, note))
      ? []
      : [{ level, what: sentence, said: note.said, ran }];
  };
  const isTrouble = (one: string) =>
    asks.some(({ sentence, weight }) => sentence === one && weight === 'trouble');
  return [
    ...failed.flatMap((sentence) => left(sentence, 'warn', at.last_failure_at)),
    ...problems.flatMap((one) => left(one, isTrouble(one) ? 'fail' : 'warn', at.last_success_at)),
  ];
}
