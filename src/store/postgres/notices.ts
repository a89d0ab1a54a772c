import { randomUUID } from 'node:crypto';
import type { Clock } from '../../platform/clock.ts';
import { MINUTE } from '../../platform/duration.ts';
import type { Log } from '../../platform/log.ts';
import { startLoop } from '../../platform/loop.ts';
import type { NewsWatch } from '../ports/fleet.ts';
import { lockNumber } from './dialect.ts';
import type { Statements } from './fleet-verbs.ts';

/** Its own direct connection to the server, for receiving notices. */
export type Listen = (
  channel: string,
  heard: (payload: string) => void,
  lost: () => void,
) => Promise<() => Promise<void>>;

interface NoticesOptions {
  listen: Listen;
  /** Uses another connection. */
  run: Statements;
  schema: string;
  clock: Clock;
  log: Log;
}

const PROOF_MS = 1_000;
/** A silently dead connection is noticed within this time; the other: when to retry if no notices arrive. */
const PROVE_EVERY_MS = 30_000;
const TRY_AGAIN_MS = 5 * MINUTE;
/** Minimum distance between notices of one process, so that a flood of leads does not keep the others busy. */
const QUIET_MS = 200;

/**
 * Sends and receives notices of changes. They only replace polling: a transaction pooler swallows them, and then every
 * process polls as often as before.
 */
export function notices({ listen, run, schema, clock, log }: NoticesOptions) {
  const channel = `clinic_sync_${lockNumber(schema)}`;
  const me = randomUUID();
  const notify = (what: string) => run('select pg_catalog.pg_notify($1, $2)', channel, `${me} ${what}`);
  const closing = new AbortController();
  let pending = false;

  return {
    /** Sends one notice soon, covering everything until then. Never rejects: the others poll anyway. */
    tell(): void {
      if (pending || closing.signal.aborted) return;
      pending = true;
      const send = async () => {
        await clock.sleep(QUIET_MS, closing.signal);
        pending = false;
        await notify('news');
      };
      send().catch(() => {});
    },
    /** Sends a notice at once. */
    tellNow: () => notify('news').then(() => {}),
    watch: (onNews: () => void): NewsWatch => watchNews({ channel, me, listen, notify, clock, log, onNews }),
    close: () => closing.abort(),
  };
}

interface WatchOptions extends Pick<NoticesOptions, 'listen' | 'clock' | 'log'> {
  channel: string;
  me: string;
  notify: (what: string) => Promise<unknown>;
  onNews: () => void;
}

function watchNews({ channel, me, listen, notify, clock, log, onNews }: WatchOptions): NewsWatch {
  let end: (() => Promise<void>) | undefined;
  let isHeard = false;
  let proven = Promise.withResolvers<void>();

  const heard = (payload: string) => {
    const [from, what] = payload.split(' ');
    if (from !== me) onNews();
    else if (what === 'proof') proven.resolve();
  };
  const release = async () => {
    isHeard = false;
    const ending = end;
    end = undefined;
    await ending?.().catch(() => {});
  };
  const lost = () => {
    void release();
    loop.wake();
  };

  const proof = async (signal: AbortSignal): Promise<boolean> => {
    proven = Promise.withResolvers();
    await notify('proof');
    const enough = new AbortController();
    const tooLate = clock.sleep(PROOF_MS, AbortSignal.any([enough.signal, signal])).then(
      () => false,
      () => false,
    );
    const arrived = await Promise.race([proven.promise.then(() => true), tooLate]);
    enough.abort();
    return arrived;
  };

  const loop = startLoop({
    clock,
    log,
    name: 'notices of changes',
    async tick(signal) {
      const before = isHeard;
      try {
        end ??= await listen(channel, heard, lost);
        isHeard = await proof(signal);
      } catch {
        isHeard = false;
      }
      if (before !== isHeard)
        log.debug(isHeard ? 'notices of changes arrive' : 'notices of changes do not arrive');
      if (isHeard) return PROVE_EVERY_MS;
      await release();
      return before ? 0 : TRY_AGAIN_MS;
    },
  });

  return {
    get isHeard() {
      return isHeard;
    },
    async stop() {
      await loop.stop();
      await release();
    },
  };
}
