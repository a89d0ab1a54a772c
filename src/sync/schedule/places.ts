import type { Clock } from '../../platform/clock.ts';

/** Bounds how many polls of all clinics run at once. Bookings need no place. */
export interface Places {
  /**
   * Resolves when a poll of this clinic may run, to the function that releases the place. Rejects with the signal's
   * reason.
   */
  take(clinic: string, signal: AbortSignal): Promise<() => void>;
}

interface PlacesOptions {
  /** Number of clinics, and so of slow polls that may run beside the quick ones. */
  clinics: number;
  clock: Clock;
}

/** More would be no faster: their answers compete for this process. */
const QUICK = 64;
/** A longer poll is slow: its clinic is down, slow to answer or asked us to wait. */
const SLOW_AFTER_MS = 5_000;

interface Holder {
  clinic: string;
  since: number;
}

interface Waiter {
  clinic: string;
  admit: (leave: () => void) => void;
}

/**
 * Two first-come, first-served queues, quick and slow. A poll that turns out slow gives its place to the next in line,
 * and its clinic's next poll queues as slow: clinics that do not answer delay the others by 5 s, once, per 64 of them.
 */
export function createPlaces({ clinics, clock }: PlacesOptions): Places {
  const mostSlow = Math.max(QUICK, clinics);
  const quick = new Set<Holder>();
  const slow = new Set<Holder>();
  const waiting = { quick: new Set<Waiter>(), slow: new Set<Waiter>() };
  /** Clinics whose last poll was slow. */
  const slowClinics = new Set<string>();
  let alarm: AbortController | undefined;

  const isOverdue = ({ clinic, since }: Holder): boolean =>
    slowClinics.has(clinic) || clock.monotonic() - since >= SLOW_AFTER_MS;

  /** Reclassifies slow polls to free places for quick ones. Not limited: they are running already. */
  const makeRoom = () => {
    for (const holder of quick) {
      if (!isOverdue(holder)) continue;
      slowClinics.add(holder.clinic);
      quick.delete(holder);
      slow.add(holder);
    }
  };

  const leave = (holder: Holder) => {
    if (clock.monotonic() - holder.since < SLOW_AFTER_MS) slowClinics.delete(holder.clinic);
    else slowClinics.add(holder.clinic);
    if (quick.delete(holder) || slow.delete(holder)) serve();
  };

  const admit = (waiter: Waiter, place: Set<Holder>) => {
    const holder = { clinic: waiter.clinic, since: clock.monotonic() };
    place.add(holder);
    waiter.admit(() => leave(holder));
  };

  const admitQuick = () => {
    for (const waiter of waiting.quick) {
      if (slowClinics.has(waiter.clinic)) waiting.slow.add(waiter);
      else {
        if (quick.size >= QUICK) makeRoom();
        if (quick.size >= QUICK) return;
        admit(waiter, quick);
      }
      waiting.quick.delete(waiter);
    }
  };

  /** Admits one slow poll per clinic at once, since it may be quick again; further ones while there is room. */
  const admitSlow = () => {
    if (waiting.slow.size === 0) return;
    const busy = new Set([...slow].map(({ clinic }) => clinic));
    for (const waiter of waiting.slow) {
      if (slow.size >= mostSlow && busy.has(waiter.clinic)) continue;
      busy.add(waiter.clinic);
      waiting.slow.delete(waiter);
      admit(waiter, slow);
    }
  };

  const serve = () => {
    admitQuick();
    admitSlow();
    lookAgain();
  };

  /** Serves the queue again when the oldest quick poll turns slow. */
  const lookAgain = () => {
    const [oldest] = quick;
    if (waiting.quick.size === 0 || oldest === undefined || alarm !== undefined) return;
    const current = new AbortController();
    alarm = current;
    const inMs = oldest.since + SLOW_AFTER_MS - clock.monotonic();
    const look = () => {
      alarm = undefined;
      serve();
    };
    clock.sleep(inMs, current.signal).then(look, () => {});
  };

  return {
    take(clinic, signal) {
      return new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason);
        const abort = () => {
          waiting.quick.delete(waiter);
          waiting.slow.delete(waiter);
          reject(signal.reason);
        };
        const waiter: Waiter = {
          clinic,
          admit(leave) {
            signal.removeEventListener('abort', abort);
            resolve(leave);
          },
        };
        signal.addEventListener('abort', abort, { once: true });
        waiting[slowClinics.has(clinic) ? 'slow' : 'quick'].add(waiter);
        serve();
      });
    },
  };
}
