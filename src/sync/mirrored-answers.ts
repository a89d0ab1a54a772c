import type { ListPoll } from '../domain/clinics/resource.ts';
import type { Clock, Instant } from '../platform/clock.ts';
import { HOUR } from '../platform/duration.ts';
import type { Store } from '../store/store.ts';
import type { Reading } from './records.ts';

/** An answer that the mirror matched when it was recorded. */
export interface MirroredAnswer {
  digest: string;
  rows: number;
  /** When it was last recorded. */
  at: Instant;
  /** Monotonic milliseconds of the last comparison row by row. */
  comparedAt: number;
}

/** Identical bytes are compared again after this long, in case the mirror changed behind our back. */
const COMPARE_EVERY_MS = HOUR;

interface Parts {
  clinic: { readonly key: string };
  store: Pick<Store, 'polls'>;
  clock: Clock;
}

/** Remembers answers that need not be parsed when they come again byte for byte. */
export function createMirroredAnswers({ clinic, store, clock }: Parts) {
  const known = new Map<ListPoll, MirroredAnswer>();
  return {
    /** Undefined when the next answer must be compared, for example because another process has recorded one. */
    async of(poll: ListPoll): Promise<MirroredAnswer | undefined> {
      const answer = known.get(poll);
      if (answer === undefined || clock.monotonic() - answer.comparedAt >= COMPARE_EVERY_MS) return undefined;
      const runs = await store.polls.list(clinic.key);
      return runs.find((run) => run.poll === poll)?.last_success_at === answer.at ? answer : undefined;
    },
    /** Call when this answer was recorded as a whole. */
    note(poll: ListPoll, { digest, isSame, unreadable }: Reading, rows: number, at: Instant): void {
      const comparedAt = (isSame ? known.get(poll)?.comparedAt : undefined) ?? clock.monotonic();
      if (digest !== undefined && unreadable.length === 0) known.set(poll, { digest, rows, at, comparedAt });
      else known.delete(poll);
    },
    forget: (poll: ListPoll): void => void known.delete(poll),
  };
}
