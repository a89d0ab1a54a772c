import { DAY_MS, iso, localDate, momentOf } from './wall-clock.ts';

/** What a year at a clinic really was: written down as it happened, without the product's SQL, outcomes and fee book. */
export interface Truth {
  readonly clinic: string;
  readonly zone: string;
  leads: TrueLead[];
  /** Readings of what a treatment or a consultation costs, one for each difference. */
  fees: Map<string, FeeReading[]>;
  currencies: { at: number; currency: string }[];
  figures: { at: number; values: Figures }[];
  /** When polls were answered. */
  answered: { treatments: number[]; dentists: number[] };
  knownSince: number | null;
}

export type Figures = Record<
  'total_users' | 'total_patients' | 'total_appointments' | 'total_doctors',
  number
>;

export interface FeeReading {
  at: number;
  name: string;
  /** Null: none was given. */
  fee: string | null;
  gone: boolean;
}

export interface TrueLead {
  ref: string;
  source: string;
  campaign: string | null;
  channel: string | null;
  first_campaign: string | null;
  first_channel: string | null;
  phone: string;
  received: number;
  /** Asked for. */
  date: string;
  time: string;
  dentist: number;
  treatment: number;
  booked: number | null;
  /** When that was known. */
  told: number | null;
  /** `rejected`, or why a person or the time ended it. */
  lost: string | null;
  erased: boolean;
  /** The clinic's answer did not say whether it was booked, and no one has checked yet. */
  inDoubt: boolean;
  visit: TrueVisit | null;
  conversion: { at: number; fee: string | null; currency: string | null } | null;
  /** Conversions that the clinic took back. */
  takenBack: { made: number; at: number; fee: string | null; currency: string | null; outcome: string }[];
  /** Its treatment was gone when it could be sent, so that a person was asked. */
  isAsked: boolean;
  /** By whom or what a lost lead was ended. */
  ended: 'rejected' | 'expired' | 'dropped' | null;
}

export interface TrueVisit {
  id: number;
  followed: boolean;
  /** When a final status is read again; null: it is not final, and read each time. */
  again: number | null;
  /** What was seen of it, one for each difference; the first is what was asked for, without a status. */
  seen: { at: number; status: string | null; date: string; time: string }[];
}

export const emptyTruth = (clinic: string, zone: string): Truth => ({
  ...{ clinic, zone, leads: [], fees: new Map(), currencies: [], figures: [] },
  ...{ answered: { treatments: [], dentists: [] }, knownSince: null },
});

/** What the words of these clinics mean. */
export const meaning: Record<string, string> = {
  Scheduled: 'booked',
  Confirmed: 'booked',
  Completed: 'completed',
  'Bezahlt & fertig': 'completed',
  Cancelled: 'cancelled',
  'No show': 'no_show',
  Rätselhaft: 'unknown',
};

export const lastSeen = (visit: TrueVisit) => visit.seen.at(-1) as TrueVisit['seen'][number];

export function outcomeOf({ lost, booked, visit }: TrueLead): string {
  if (lost !== null) return 'lost';
  if (booked === null) return 'open';
  const status = visit === null ? null : lastSeen(visit).status;
  return status === null ? 'booked' : (meaning[status] ?? 'unknown');
}

/** Also what is still to come: then the completion was a slip of the desk. */
const takesBack = new Set(['cancelled', 'no_show', 'booked']);

/** Follows one reading of a visit: the first completed one counts until the clinic takes it back. */
export function readVisit(
  truth: Truth,
  lead: TrueLead,
  reading: { at: number; status: string; date: string; time: string },
  finals: readonly string[],
): void {
  const { visit } = lead;
  if (visit === null) return;
  const { at, status, date, time } = reading;
  const before = lastSeen(visit);
  if (before.status !== status || before.date !== date || before.time !== time) visit.seen.push(reading);
  const outcome = meaning[status];
  const start = momentOf(date, time, truth.zone);
  if (outcome !== undefined && takesBack.has(outcome)) {
    const { conversion } = lead;
    if (conversion !== null) {
      const { at: made, ...value } = conversion;
      lead.takenBack.push({ made, at, ...value, outcome });
    }
    lead.conversion = null;
  }
  if (outcome === 'completed' && lead.conversion === null) {
    const { fee, currency } = feeThen(truth, lead.treatment, Math.min(start, at));
    lead.conversion = { at, fee, currency };
  }
  visit.again = isFinal(status, finals) ? nextFinalReading(visit, at, truth.zone) : null;
  if (visit.again === Number.POSITIVE_INFINITY || at - start > 30 * DAY_MS) visit.followed = false;
}

/** A listed status, or another word for the end that one of them means. */
const isFinal = (status: string, finals: readonly string[]): boolean =>
  finals.includes(status) ||
  finals.some((final) => meaning[final] !== undefined && meaning[final] === meaning[status]);

/** Ten minutes and an hour after it was first seen, and at eight in the evening of the visit, if that is later. */
function nextFinalReading(visit: TrueVisit, now: number, zone: string): number {
  const { seen } = visit;
  const { status, date } = lastSeen(visit);
  const since = seen[seen.findLastIndex((one) => one.status !== status) + 1]?.at ?? now;
  const times = [since + 600_000, since + 3_600_000, momentOf(date, '20:00', zone)];
  return Math.min(...times.filter((time) => time > now));
}

/** The product looks every minute, and reads what is due within half of one. */
export const isRead = ({ followed, again }: TrueVisit, at: number): boolean =>
  followed && (again === null || again <= at + 30_000);

/** What a treatment cost at a moment, as far as was noticed; once it is gone, what it cost last. */
function feeThen(truth: Truth, treatment: number, at: number) {
  const periods = periodsOf(truth, `treatment ${treatment}`);
  const then = periods.findLast(({ from }) => from <= at) ?? periods[0];
  if (then === undefined || then.fee === null) return { fee: null, currency: null };
  return { fee: then.fee, currency: then.currency };
}

/** Of a moment; what is counted in it includes what was noticed then. */
export const currencyAt = ({ currencies }: Truth, at: number): string | null =>
  (currencies.findLast((one) => one.at <= at) ?? currencies[0])?.currency ?? null;

const isSameAmount = (one: string | null, other: string | null) =>
  one === other || (one !== null && other !== null && Number(one) === Number(other));

/** Writes down what an answer shows of a fee; 1.5 after 1.50 is none. */
export function noticeFee(truth: Truth, thing: string, reading: FeeReading): void {
  const readings = truth.fees.get(thing) ?? [];
  const last = readings.at(-1);
  if (last?.gone === reading.gone && isSameAmount(last.fee, reading.fee)) return;
  if (last === undefined && reading.gone) return;
  truth.fees.set(thing, [...readings, reading]);
}

/** A stretch in which a fee held, in one currency. */
export interface TruePeriod {
  kind: 'treatment' | 'dentist';
  id: string;
  name: string;
  fee: string | null;
  currency: string | null;
  from: number;
  to: number | null;
}

/** From the readings, cut where the currency changed. */
export function periodsOf(truth: Truth, only?: string): TruePeriod[] {
  const periods: TruePeriod[] = [];
  for (const [thing, readings] of truth.fees) {
    if (only !== undefined && thing !== only) continue;
    const [kind, id] = thing.split(' ') as [TruePeriod['kind'], string];
    for (const [i, { at, name, fee, gone }] of readings.entries()) {
      if (gone) continue;
      const end = readings[i + 1]?.at ?? null;
      const cuts = truth.currencies
        .slice(1)
        .map((one) => one.at)
        .filter((cut) => cut > at && (end === null || cut < end));
      const starts = [at, ...cuts];
      for (const [n, from] of starts.entries())
        periods.push({
          ...{ kind, id, name, fee, currency: currencyAt(truth, from) },
          ...{ from, to: starts[n + 1] ?? end },
        });
    }
  }
  return periods;
}

/** Removes what a copy of the database did not have yet. */
export const copyOf = (truth: Truth): Truth => structuredClone(truth);

/** Takes out of the books what an erasure takes: where the person came from. */
export function eraseFrom(truth: Truth, phone: string): void {
  for (const lead of truth.leads.filter((one) => one.phone === phone)) {
    if (outcomeOf(lead) === 'open' && !lead.inDoubt)
      Object.assign(lead, { lost: 'erased', ended: 'dropped' });
    for (const name of ['campaign', 'channel', 'first_campaign', 'first_channel'] as const) lead[name] = null;
    lead.erased = true;
    lead.phone = '';
    if (lead.visit !== null) lead.visit.followed = false;
  }
}

export const receivedOn = ({ zone }: Truth, { received }: TrueLead): string => localDate(received, zone);

export const stamp = (ms: number | null): string | null => (ms === null ? null : iso(ms));
