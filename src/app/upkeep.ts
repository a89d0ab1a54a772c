import type { Config } from '../config/config.ts';
import type { Clock } from '../platform/clock.ts';
import { instant } from '../platform/clock.ts';
import { DAY, HOUR, MINUTE } from '../platform/duration.ts';
import { asFailure } from '../platform/failure.ts';
import type { Log } from '../platform/log.ts';
import { type Loop, startLoop } from '../platform/loop.ts';
import type { Keep } from '../store/ports/removal.ts';
import type { Parts } from './parts.ts';
import type { ConnectorUnit } from './units/connector-unit.ts';

/** Kept only to trace what a receiver got. */
const DELIVERIES_MS = 30 * DAY;
/** Change rates are learned from the last four weeks. */
const OBSERVATIONS_MS = 90 * DAY;

interface UpkeepParts extends Pick<Parts, 'store' | 'trust'> {
  connectors: readonly Pick<ConnectorUnit, 'settings' | 'connector' | 'isDelivering'>[];
  config: Pick<Config, 'retention' | 'connectors'>;
}

/** Deletes rows older than the configured limits, at start and every hour. */
export const startUpkeep = (parts: UpkeepParts, clock: Clock, log: Log): Loop =>
  startLoop({
    clock,
    log,
    name: 'upkeep',
    async tick(signal) {
      const chained = await parts.store.changes.chainOlder(signal);
      if (chained > 0) log.info('older changes joined the hash chain', { count: chained });
      if (!parts.trust.isTrusted()) return DOUBTED_MS;
      const removed = await parts.store.prune(keepOf(parts, clock), signal);
      for (const [kind, count] of Object.entries(removed))
        if (count > 0) log.info('old data removed', { kind, count });
      return HOUR;
    },
  });

/** What is removed does not come back, and a machine without a battery may start in 2100. */
const DOUBTED_MS = MINUTE;

const TERMS_MS = 1_000;
/** While no lead comes: a look each second was a third of the statements of a daemon at rest. */
const TERMS_AT_REST_MS = 5_000;
/** Leads per look that count as a burst; their search terms are filled in once it is over. */
const BURST = 100;
/** Every so many looks, also for bookings of an older version, whose daemon may be gone. */
const OLDER_EVERY = 12;

/** Fills in search terms, which are left out when a lead is acknowledged; see `oweTerms`. */
export const startTerms = ({ store }: Pick<Parts, 'store'>, clock: Clock, log: Log): Loop => {
  let before = 0;
  let looks = 0;
  return startLoop({
    clock,
    log,
    name: 'search terms',
    async tick(signal) {
      const { count, most } = await store.bookings.termsDue();
      const isBurst = count - before >= BURST && count < most;
      before = isBurst ? count : 0;
      const isTurnOfOlder = looks % OLDER_EVERY === 0;
      looks += 1;
      if (!isBurst && (count > 0 || isTurnOfOlder)) await store.bookings.fillTerms(signal);
      return count > 0 ? TERMS_MS : TERMS_AT_REST_MS;
    },
  });
};

/** Deletes expired files from the folders of connectors that this process delivers to. */
export const startTidying = (parts: UpkeepParts, clock: Clock, log: Log): Loop =>
  startLoop({
    clock,
    log,
    name: 'tidying',
    async tick(signal) {
      if (!parts.trust.isTrusted()) return DOUBTED_MS;
      const count = await tidy(parts, clock, log, signal);
      if (count > 0) log.info('old data removed', { kind: 'files', count });
      return HOUR;
    },
  });

function keepOf({ config, connectors: built }: UpkeepParts, clock: Clock): Keep {
  const { retention, connectors } = config;
  const now = clock.now();
  const since = (ms: number | undefined) => (ms === undefined ? undefined : instant(now - ms));
  return {
    now: instant(now),
    deliveries: instant(now - DELIVERIES_MS),
    observations: instant(now - OBSERVATIONS_MS),
    bookings: since(retention.bookings),
    dropped: since(retention.dropped),
    changes: since(retention.changes),
    connectors: connectors.map(({ name }) => name),
    // A connector that could not be built may return once its fault is fixed.
    forgetting: built.flatMap(({ settings, connector }) =>
      connector === undefined || connector.forget ? [settings.name] : [],
    ),
  };
}

/** A failing connector does not stop the others. */
async function tidy(
  { config, connectors }: Omit<UpkeepParts, 'store' | 'trust'>,
  clock: Clock,
  log: Log,
  signal: AbortSignal,
): Promise<number> {
  const { inbox } = config.retention;
  if (inbox === undefined) return 0;
  let count = 0;
  for (const { settings, connector } of connectors.filter(({ isDelivering }) => isDelivering))
    try {
      count += (await connector?.tidy?.(instant(clock.now() - inbox), signal)) ?? 0;
    } catch (error) {
      signal.throwIfAborted();
      const { message } = asFailure(error, 'Removing old files');
      log.warn('old files could not be removed', { connector: settings.name, problem: message });
    }
  return count;
}
