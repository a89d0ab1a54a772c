import { randomUUID } from 'node:crypto';
import { asFailure } from '../platform/failure.ts';
import { startLoop } from '../platform/loop.ts';
import { startTerm, type Term, type TermOptions } from './term.ts';
import { clocksNow } from './trust-window.ts';

interface MemberOptions extends TermOptions {
  version: string;
  config_hash: string;
}

/** Shortest interval of checks on the remaining trust. */
const SHORTEST_MS = 10;

/**
 * One of several processes on a database: sends heartbeats, takes its share of the units, and runs them while it may
 * trust that no other process does. See docs/decisions/0039. Resolves once it has received its first share, or after a
 * wait.
 */
export async function startMember(options: MemberOptions): Promise<{ stop(): Promise<void> }> {
  const { verbs, units, version, config_hash, clock, log } = options;
  const { beatMs } = verbs.times;
  let term: Term | undefined;
  let isStopping = false;
  const first = Promise.withResolvers<void>();

  const end = async (of: Term, why: string) => {
    await of.end(why);
    if (term === of) term = undefined;
  };

  const join = async () => {
    const began = clocksNow(clock);
    const id = randomUUID();
    await verbs.register(units.map(({ unit, kind }) => ({ unit, kind })));
    await verbs.join({ id, version, config_hash });
    term = startTerm(id, began, options);
    sharing.wake();
  };

  const beat = async (of: Term) => {
    const began = clocksNow(clock);
    if (await verbs.beat(of.id)) of.beaten(began);
    else await end(of, 'the database considers this process gone');
  };

  let isSilent = false;
  const beating = startLoop({
    clock,
    log,
    name: 'heartbeats',
    async tick() {
      if (term === undefined && isStopping) return beatMs;
      try {
        await (term === undefined ? join() : beat(term));
        if (isSilent) log.info('heartbeats arrive again');
        isSilent = false;
        return beatMs;
      } catch (error) {
        const problem = asFailure(error, 'A heartbeat').message;
        if (!isSilent) log.warn('a heartbeat did not arrive', { problem });
        isSilent = true;
        return beatMs / 3;
      }
    },
  });

  const trusting = startLoop({
    clock,
    log,
    name: 'trust',
    async tick() {
      if (term === undefined) return beatMs / 2;
      const left = term.leftMs();
      if (left > 0) return Math.max(SHORTEST_MS, Math.min(left, beatMs / 2));
      await end(term, 'no heartbeat arrived in time');
      return SHORTEST_MS;
    },
  });

  let isSharing = false;
  const sharing = startLoop({
    clock,
    log,
    name: 'share of the work',
    async tick() {
      if (term === undefined) return beatMs;
      isSharing = true;
      await term.share().catch((error) => {
        log.debug('the work could not be shared', { problem: asFailure(error, 'Sharing').message });
      });
      isSharing = false;
      first.resolve();
      return beatMs;
    },
  });

  const enough = new AbortController();
  const begun = first.promise.then(() => term?.begun());
  await Promise.race([begun, clock.sleep(beatMs, enough.signal).catch(() => {})]);
  enough.abort(new Error('the first share has arrived'));

  const stop = async () => {
    isStopping = true;
    const former = isSharing ? undefined : term;
    await Promise.all([term?.drain(), sharing.stop()]);
    await Promise.all([beating.stop(), trusting.stop()]);
    // It may have joined or taken units meanwhile.
    if (term !== former) await term?.drain();
  };
  let stopped: Promise<void> | undefined;
  return {
    stop() {
      stopped ??= stop();
      return stopped;
    },
  };
}
