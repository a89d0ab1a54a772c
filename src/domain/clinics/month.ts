import type { Instant } from '../../platform/clock.ts';
import { HOUR } from '../../platform/duration.ts';
import type { FeeChange, Price } from './fees.ts';
import type { Statistics } from './resource.ts';

export interface VisitCount {
  status: string | null;
  visits: number;
}

export interface LeadCount {
  source: string;
  campaign: string | null;
  leads: number;
  booked: number;
  completed: number;
}

export interface Figure {
  figure: keyof Statistics;
  at_start: number | null;
  at_end: number | null;
  difference: number | null;
}

export interface FeeTotal {
  currency: string | null;
  prices: number;
  sum: string;
}

/** A clinic's month, in the clinic's time zone. No patient data. */
export interface MonthPack {
  clinic: string;
  name: string | null;
  timezone: string;
  /** `YYYY-MM` */
  month: string;
  from: Instant;
  to: Instant;
  taken_at: Instant;
  known_since: Instant | null;
  /** Head of the hash chain when the pack was created. */
  head: { sequence: number; hash: string } | null;
  /** What readers have to know about these figures. */
  notes: string[];
  fees: Price[];
  fee_totals: FeeTotal[];
  changes: FeeChange[];
  visits: VisitCount[];
  visits_total: number;
  leads: LeadCount[];
  leads_total: Pick<LeadCount, 'leads' | 'booked' | 'completed'>;
  figures: Figure[];
  corrections: Correction[];
}

/** Something learned in a month about an earlier, closed one. */
export interface Correction {
  about: 'visit' | 'fee' | 'leads';
  /** `appointment 12`, `treatment 3`, or the source of the leads. */
  item: string;
  campaign: string | null;
  /** The closed month: of the visit (before or after it was moved), of the fee's possible change, or of the leads. */
  month: string;
  /** Null for leads, which are summed over the month. */
  noticed_at: Instant | null;
  what: 'status' | 'date' | 'fee' | 'booked' | 'completed';
  before: string | null;
  /** For leads, the difference: `+2`, `-1`. */
  after: string | null;
}

/** More than two hours without an answer; `to_at` null: still going on. */
export interface Gap {
  poll: string;
  from_at: Instant;
  to_at: Instant | null;
}

/** A lead of an earlier month about which something was learned. */
export interface EarlierLead {
  ref: string;
  source: string;
  campaign: string | null;
  received_at: Instant;
}

/** Shorter gaps get no note: a change within a gap is dated to its end, so fee dates are accurate to this. */
export const LONGEST_WITHOUT_NOTE_MS = 2 * HOUR;
