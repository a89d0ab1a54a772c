import { type CheckedLine, type CheckLine, fail, ok, warn } from '../connector.ts';
import type { Probed } from '../domain/probe.ts';
import { isSameProblem } from '../domain/problem.ts';
import { type Clock, type Instant, systemClock, toMs } from '../platform/clock.ts';
import { formatDuration } from '../platform/duration.ts';
import { sentences } from '../platform/sentences.ts';
import { faultWords, isTold, probed, probeKey } from '../status/probes.ts';
import type { Store } from '../store/store.ts';
import type { ConnectorUnit } from './connector.ts';

interface CheckOptions {
  store: Pick<Store, 'keyValue' | 'deliveries'>;
  clock?: Clock;
  signal: AbortSignal;
}

/** What a connector reports about itself, and how the latest probes of its form went. */
export async function checkConnector(
  {
    settings: { name, clinics },
    connector,
    quarantined,
  }: Pick<ConnectorUnit, 'settings' | 'connector' | 'quarantined'>,
  { store, clock = systemClock, signal }: CheckOptions,
): Promise<readonly CheckedLine[]> {
  if (connector === undefined) return [fail({ message: quarantined ?? 'It could not be started.' })];
  const lines: readonly CheckLine[] = await connector.check(signal);
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
    ...[...broken, ...(good.length > MOST_GOOD ? [] : good)].map(({ note, whose }) =>
      probeLine(note, whose, clock),
    ),
    ...(good.length > MOST_GOOD
      ? [ok(`the last probes for ${good.length} clinics got through to the edge of sending`)]
      : []),
    ...left,
  ];
}

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
