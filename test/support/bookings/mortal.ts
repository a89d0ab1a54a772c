import type { Clinic } from '../../../src/clinic/clinic.ts';
import type { Store } from '../../../src/store/store.ts';

/** One life of a process: from the moment it dies, nothing it called comes back and nothing it calls happens. */
export interface Life {
  /** Dies at the nth step from now: each call into the store or the clinic is two, one before and one after it. */
  dieIn(steps: number): void;
  die(): void;
  readonly dead: boolean;
  /** How many calls are under way. */
  readonly busy: number;
  store(store: Store): Store;
  clinic(clinic: Clinic): Clinic;
}

const forever = new Promise<never>(() => {});

export function startLife(): Life {
  let dead = false;
  let left = Infinity;
  let busy = 0;

  const step = (): Promise<never> | undefined => {
    left -= 1;
    if (left <= 0) dead = true;
    return dead ? forever : undefined;
  };
  const guarded =
    (verb: (...args: unknown[]) => unknown) =>
    async (...args: unknown[]) => {
      await step();
      busy += 1;
      try {
        const value = await verb(...args);
        return await (step() ?? value);
      } catch (error) {
        await step();
        throw error;
      } finally {
        busy -= 1;
      }
    };
  const asynchronous = <T extends object>(verbs: T): T =>
    Object.fromEntries(
      Object.entries(verbs).map(([name, verb]) => [
        name,
        typeof verb === 'function' ? guarded((verb as (...args: unknown[]) => unknown).bind(verbs)) : verb,
      ]),
    ) as T;

  return {
    dieIn(steps) {
      left = steps;
    },
    die() {
      dead = true;
    },
    get dead() {
      return dead;
    },
    get busy() {
      return busy;
    },
    store: (store) => ({
      ...store,
      identity: store.identity,
      mirror: asynchronous(store.mirror),
      bookings: asynchronous(store.bookings),
      polls: asynchronous(store.polls),
      changes: asynchronous(store.changes),
      keyValue: asynchronous(store.keyValue),
    }),
    clinic: (clinic) => ({
      ...clinic,
      organization: guarded(clinic.organization as never) as Clinic['organization'],
      appointmentStatus: guarded(clinic.appointmentStatus as never) as Clinic['appointmentStatus'],
      book: (request, { beforeSend, ...options }) =>
        (guarded(clinic.book as never) as Clinic['book'])(request, {
          ...options,
          beforeSend: guarded(beforeSend) as () => Promise<void>,
        }),
    }),
  };
}
