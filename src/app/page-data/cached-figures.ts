import type { HttpOptions } from '../../http/http.ts';
import type { Clock } from '../../platform/clock.ts';
import { MINUTE } from '../../platform/duration.ts';
import { pricePage } from '../../reports/fee-report.ts';
import { leadsReport } from '../../reports/leads.ts';
import { monthPack } from '../../reports/month-pack.ts';
import { openVisits } from '../../reports/visits.ts';
import type { Parts } from '../parts.ts';

/** Allowed staleness of inputs that are in no log: ages in days, merged leads, outcomes set by another daemon. */
const LASTS_MS = MINUTE;
/** Enough for ten clinics on a page, each in seven groupings and several months. */
const MOST_KEPT = 300;

interface Kept {
  position: string;
  until: number;
  rows: Promise<unknown>;
}

/** Caches figures until the log moves, a person is erased or `LASTS_MS` passes; concurrent callers share one read. */
function keeping({ store }: Pick<Parts, 'store'>, clock: Clock) {
  const kept = new Map<string, Kept>();
  let erased = 0;
  return async <T>(clinic: string, what: unknown, read: () => Promise<T>): Promise<T> => {
    const key = JSON.stringify([clinic, what]);
    erased = (await store.erasures(erased)).at(-1)?.n ?? erased;
    const position = `${await store.changes.latest(clinic)} ${erased}`;
    const known = kept.get(key);
    kept.delete(key);
    const isNew = known === undefined || known.position !== position || known.until <= clock.monotonic();
    const one = isNew ? { position, until: clock.monotonic() + LASTS_MS, rows: read() } : known;
    kept.set(key, one);
    for (const [oldest] of kept) if (kept.size > MOST_KEPT) kept.delete(oldest);
    try {
      return (await one.rows) as T;
    } catch (error) {
      if (kept.get(key) === one) kept.delete(key);
      throw error;
    }
  };
}

/** The figures of `clinic-sync report`, for the pages. */
export function reportFigures({ store }: Pick<Parts, 'store'>, clock: Clock): HttpOptions['figures'] {
  const keep = keeping({ store }, clock);
  return {
    leads: (asked) => keep(asked.clinic, asked, () => leadsReport(store, asked)),
    openVisits: (clinic, by, now) => keep(clinic, by, () => openVisits(store, clinic, by, now)),
    unknownStatuses: (clinic) => store.reports.unknownStatuses(clinic),
    prices: (clinic, asked) => pricePage(store, clinic, asked, clock.now()),
    feePeriodsOf: (...asked) => store.reports.feePeriodsOf(...asked),
    month: (clinic, month) => monthPack(store, clinic, month, clock.now()),
  };
}
