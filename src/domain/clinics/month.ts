import type { Instant } from '../../platform/clock.ts';
import { HOUR } from '../../platform/duration.ts';
import type { Note } from '../texts/problem.ts';
import type { FeeChange, Price } from './fees.ts';
import { leadFigures, type ReportColumns, type RowOf } from './report-columns.ts';
import type { Statistics } from './resource.ts';

export interface VisitCount {
  status: string | null;
  visits: number;
}

export const monthLeadColumns = {
  source: { type: 'key', label: 'source' },
  campaign: { type: 'text', label: 'by_campaign' },
  ...leadFigures,
} as const satisfies ReportColumns;
/** Leads of a month with the same source and campaign. */
export type MonthLeads = Pick<RowOf<typeof monthLeadColumns>, keyof typeof monthLeadColumns>;
/** All of them together. */
export type LeadsTotal = Omit<MonthLeads, 'source' | 'campaign'>;

export interface Figure {
  figure: keyof Statistics;
  at_start: number | null;
  at_end: number | null;
  difference: number | null;
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
  notes: Note[];
  fees: Price[];
  changes: FeeChange[];
  visits: VisitCount[];
  visits_total: number;
  leads: MonthLeads[];
  leads_total: LeadsTotal;
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
