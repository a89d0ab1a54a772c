import { type CheckLine, fail, ok, warn } from '../connector.ts';
import { type Clock, systemClock, toMs } from '../platform/clock.ts';
import { formatDuration } from '../platform/duration.ts';
import { faultWords, isTold, probed } from '../status/probes.ts';
import type { Store } from '../store/store.ts';
import type { ConnectorUnit } from './connector.ts';

interface CheckOptions {
  store: Pick<Store, 'keyValue'>;
  clock?: Clock;
  signal: AbortSignal;
}

/** What a connector finds out about itself, and how the last probe of its form went. */
export async function checkConnector(
  {
    settings: { name },
    connector,
    quarantined,
  }: Pick<ConnectorUnit, 'settings' | 'connector' | 'quarantined'>,
  { store, clock = systemClock, signal }: CheckOptions,
): Promise<readonly CheckLine[]> {
  if (connector === undefined) return [fail({ message: quarantined ?? 'It could not be started.' })];
  const lines = await connector.check(signal);
  const last = (await probed(store)).get(name);
  if (last === undefined) return lines;
  const when = `${formatDuration(clock.now() - toMs(last.at))} ago`;
  if (last.fault === null)
    return [...lines, ok(`the last probe, ${when}, got through to the edge of sending`)];
  const say = isTold(last)
    ? fail
    : ({ message, hint }: { message: string; hint: string }) => warn(message, hint);
  return [
    ...lines,
    say({
      message: `the last probe, ${when}, did not get through: ${faultWords(last.fault)}`,
      hint: 'It is sent again within the hour, and tells when it gets through.',
    }),
  ];
}
