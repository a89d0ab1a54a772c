import type { Instant } from '../../platform/clock.ts';

/** What a treatment or consultation cost during a period, as far as polls noticed. */
export interface FeePeriod {
  clinic: string;
  kind: 'treatment' | 'dentist';
  id: string;
  /** Sequence of the change that began it. */
  sequence: number;
  name: string | null;
  /** The clinic's decimal text; null where it gave none. */
  fee: string | null;
  currency: string | null;
  valid_from: Instant;
  valid_to: Instant | null;
  /** Sequence of the removal that ended it. */
  removed_by: number | null;
}

/** A line of a price list. */
export interface Price {
  clinic: string;
  kind: FeePeriod['kind'];
  id: string;
  name: string | null;
  /** With the decimal places of its currency. */
  fee: string | null;
  currency: string | null;
  since: Instant;
}

/** A price on a given day, and until when it applied; null if it still does. */
export interface ListedPrice extends Price {
  until: Instant | null;
}

export interface FeeChange {
  clinic: string;
  noticed_at: Instant;
  /** The poll that noticed it. */
  poll: 'treatments' | 'dentists' | 'organization';
  /** Its sequence in the change log; 0 if older than the log, null for a removal as old. */
  sequence: number | null;
  what: 'new' | 'changed' | 'removed' | 'currency';
  kind: FeePeriod['kind'];
  id: string;
  name: string | null;
  before: string | null;
  currency_before: string | null;
  after: string | null;
  currency: string | null;
  /** Null if the currency changed as well. */
  difference: string | null;
}
