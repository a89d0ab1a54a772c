import { type CheckLine, fail, ok, warn } from '../connector.ts';
import type { Probed } from '../domain/probe.ts';
import { type Clock, systemClock, toMs } from '../platform/clock.ts';
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
): Promise<readonly CheckLine[]> {
  if (connector === undefined) return [fail({ message: quarantined ?? 'It could not be started.' })];
  const lines = [...(await connector.check(signal))];
  lines.push(...(await lastRun(name, lines, { store, clock })));
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
    hint: 'It is sent again within the hour, and tells when it gets through.',
  });
}

/** Problems of the daemon's last run that the connector's own check does not report. */
async function lastRun(
  name: string,
  lines: readonly CheckLine[],
  { store, clock }: Required<Pick<CheckOptions, 'store' | 'clock'>>,
): Promise<CheckLine[]> {
  const { problems, asks, last_success_at: at } = await store.deliveries.connector(name);
  const said = new Set(lines.map(({ what, hint }) => sentences(what, hint)));
  const when = at === null ? 'the last run' : `the last run, ${formatDuration(clock.now() - toMs(at))} ago`;
  return problems
    .filter((problem) => !said.has(problem))
    .map((problem) => {
      const isTrouble = asks.some(({ sentence, weight }) => sentence === problem && weight === 'trouble');
      return { level: isTrouble ? 'fail' : 'warn', what: `${when}: ${problem}` };
    });
}
