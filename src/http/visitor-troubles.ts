import type { VisitorTrouble } from '../connector.ts';
import { conditionNeed } from '../domain/status/need-words.ts';
import type { Need } from '../domain/status/report.ts';
import { type Clock, instant } from '../platform/clock.ts';
import { HOUR } from '../platform/duration.ts';
import type { Metrics } from './routes/metrics.ts';

/** Fewer within an hour may be one person's mistakes. */
const WORTH_SAYING = 3;

interface Seen extends VisitorTrouble {
  connector: string;
  since: number;
  /** Of the last ones, newest last. */
  at: number[];
}

export interface VisitorTroubles {
  note(connector: string, trouble: VisitorTrouble): void;
  needs(): Need[];
}

/** What visitors of public forms run into: said while it lasts, for an hour after its last occurrence. */
export function createVisitorTroubles({
  clock,
  metrics,
}: {
  clock: Clock;
  metrics: Metrics;
}): VisitorTroubles {
  const seen = new Map<string, Seen>();
  const countOf = ({ at }: Seen) => at.filter((ms) => clock.now() - ms < HOUR).length;

  return {
    note(connector, trouble) {
      metrics.visitorTrouble(connector, trouble.cause);
      const key = `${connector} ${trouble.cause}`;
      const before = seen.get(key);
      const isRecent = before !== undefined && countOf(before) > 0;
      const at = [...(isRecent ? before.at : []), clock.now()].slice(-1_000);
      seen.set(key, { ...trouble, connector, at, since: isRecent ? before.since : clock.now() });
    },
    /** One for each form, about what most of its visitors run into. */
    needs() {
      const worth = [...seen.values()].filter((one) => countOf(one) >= WORTH_SAYING);
      const byForm = Map.groupBy(worth, ({ connector }) => connector);
      return [...byForm.values()].flatMap((all) => {
        const [most] = all.toSorted((a, b) => countOf(b) - countOf(a));
        return most ? [needOf(most, countOf(most))] : [];
      });
    },
  };
}

const needOf = ({ connector, sentence, action, since }: Seen, count: number): Need =>
  conditionNeed('visitors', {
    ...{ subject: connector, count, since: instant(since) },
    ...{ detail: sentence, remedy: action },
  });
