import {
  lastSeen,
  outcomeOf,
  periodsOf,
  receivedOn,
  stamp,
  type TrueLead,
  type TruePeriod,
  type Truth,
} from './truth.ts';
import { DAY_MS, dateAfter, iso, lastDayOf, localDate, momentOf, monthBefore } from './wall-clock.ts';

/** What each report must say, counted from what really was. */

const count = <T>(all: readonly T[], is: (one: T) => boolean): number => all.filter(is).length;
export const sum = (all: readonly number[]): number => all.reduce((total, one) => total + one, 0);

export type By = 'source' | 'campaign' | 'channel' | 'dentist' | 'treatment' | 'month';

const isBooked = ({ booked }: TrueLead): boolean => booked !== null;
const is = (outcome: string) => (lead: TrueLead) => outcomeOf(lead) === outcome;
const minutes = (ms: number): number => Math.floor(ms / 60_000);
const utcDay = (text: string): number => Date.parse(`${text}T00:00:00Z`) / DAY_MS;

/** By the clinic's own calendar. */
export const daysToVisit = ({ zone }: Pick<Truth, 'zone'>, lead: TrueLead): number | null => {
  if (lead.booked === null) return null;
  const date = lead.visit === null ? lead.date : lastSeen(lead.visit).date;
  return utcDay(date) - utcDay(localDate(lead.received, zone));
};

export function nameOf(truth: Truth, thing: string): string | null {
  return truth.fees.get(thing)?.at(-1)?.name ?? thing.split(' ')[1] ?? null;
}

function groupOf(truth: Truth, lead: TrueLead, by: By, touch: 'first' | 'last'): string | null {
  const day = receivedOn(truth, lead);
  switch (by) {
    case 'month':
      return day.slice(0, 7);
    case 'dentist':
    case 'treatment':
      return nameOf(truth, `${by} ${lead[by]}`);
    case 'source':
      return lead.source;
    default:
      return touch === 'last' ? lead[by] : lead[`first_${by}`];
  }
}

const within = (truth: Truth, from: string, to: string): TrueLead[] =>
  truth.leads.filter((lead) => {
    const day = receivedOn(truth, lead);
    return day >= from && day <= to;
  });

/** One row per group, in the order of their names. */
export function expectedLeads(
  truth: Truth,
  { by, from, to, touch = 'last' }: { by: By; from: string; to: string; touch?: 'first' | 'last' },
) {
  const groupsIn = (first: string, last: string) =>
    Map.groupBy(within(truth, first, last), (lead) => groupOf(truth, lead, by, touch));
  const now = groupsIn(from, to);
  const month = from.slice(0, 7);
  const isMonth = from === `${month}-01` && to === lastDayOf(month);
  const days = utcDay(to) - utcDay(from) + 1;
  const former = monthBefore(month);
  const before =
    isMonth || by === 'month'
      ? groupsIn(`${former}-01`, lastDayOf(former))
      : groupsIn(dateAfter(from, -days), dateAfter(from, -1));
  const groups = by === 'month' ? monthsFrom([...now.keys()]) : new Set([...now.keys(), ...before.keys()]);
  return [...groups].map((group) => {
    const leads = now.get(group) ?? [];
    const earlier =
      (by === 'month' && group !== null
        ? (now.get(monthBefore(group)) ?? before.get(monthBefore(group)))
        : before.get(group)) ?? [];
    const [counts, former] = [countsOf(truth, leads), worthOf(earlier)];
    const currency = counts.value === 0 ? former.currency : counts.currency;
    return {
      ...{ clinic: truth.clinic, group, ...counts, currency },
      ...{
        leads_before: earlier.length,
        booked_before: count(earlier, isBooked),
        completed_before: count(earlier, is('completed')),
        value_before: former.value === 0 || former.currency === currency ? former.value : null,
      },
    };
  });
}

/** Also those between in which nothing came. */
function monthsFrom(some: readonly (string | null)[]): string[] {
  const [first = '', last = ''] = [some.toSorted()[0] ?? '', some.toSorted().at(-1) ?? ''];
  const months: string[] = [];
  for (let month = last; month !== '' && month >= first; month = monthBefore(month)) months.push(month);
  return months;
}

/** Of completed visits, if in one currency. */
function worthOf(leads: readonly TrueLead[]) {
  const paid = leads.filter(
    (lead) => outcomeOf(lead) === 'completed' && Number(lead.conversion?.fee ?? 0) !== 0,
  );
  const [currency = null, ...others] = new Set(paid.map(({ conversion }) => conversion?.currency ?? null));
  if (others.length > 0) return { value: null, currency: null };
  return { value: Number(sum(paid.map(({ conversion }) => Number(conversion?.fee))).toFixed(4)), currency };
}

const leadCounts = (leads: readonly TrueLead[]) => ({
  leads: leads.length,
  booked: count(leads, isBooked),
  to_come: count(leads, is('booked')),
  completed: count(leads, is('completed')),
  cancelled: count(leads, is('cancelled')),
  no_show: count(leads, is('no_show')),
  unknown: count(leads, is('unknown')),
  open: count(leads, is('open')),
  lost: count(leads, is('lost')),
  ...worthOf(leads),
});

function countsOf(truth: Truth, leads: readonly TrueLead[]) {
  const hours = leads.flatMap(({ booked, received }) =>
    booked === null ? [] : [minutes(booked) - minutes(received)],
  );
  const days = leads.flatMap((lead) => daysToVisit(truth, lead) ?? []);
  const average = (all: readonly number[], unit: number) =>
    all.length === 0 ? null : Number((sum(all) / unit / all.length).toFixed(1));
  return {
    ...leadCounts(leads),
    hours_to_booking: average(hours, 60),
    days_to_visit: average(days, 1),
  };
}

/** Visits that have not ended, by how long ago they were booked. */
export function expectedOpen(
  truth: Truth,
  { by, now, present }: { by: 'status' | 'dentist' | 'source'; now: number; present: ReadonlySet<string> },
) {
  const open = truth.leads.filter(
    ({ ref, visit }) =>
      visit !== null &&
      present.has(ref) &&
      !['completed', 'cancelled', 'no_show'].includes(
        outcomeOf({ ...emptyLead, booked: 1, visit } as TrueLead),
      ),
  );
  const groups = Map.groupBy(open, (lead) => {
    if (by === 'status') return lead.visit === null ? null : lastSeen(lead.visit).status;
    return by === 'dentist' ? nameOf(truth, `dentist ${lead.dentist}`) : lead.source;
  });
  return [...groups].map(([group, leads]) => {
    const today = utcDay(localDate(now, truth.zone));
    const days = leads.map(({ booked }) => today - utcDay(localDate(booked ?? 0, truth.zone)));
    return {
      ...{ clinic: truth.clinic, group, open: leads.length },
      days_0_7: count(days, (age) => age <= 7),
      days_8_30: count(days, (age) => age > 7 && age <= 30),
      days_31_90: count(days, (age) => age > 30 && age <= 90),
      days_over_90: count(days, (age) => age > 90),
      oldest_days: Math.max(...days),
    };
  });
}
const emptyLead = { lost: null };

/** A decimal text with the places of its currency: whole yen, three places for a dinar. */
export function inPlaces(fee: string | null, currency: string | null): string | null {
  if (fee === null || currency === null) return fee;
  const digits = { CLP: 0, JPY: 0, KWD: 3, BHD: 3 }[currency] ?? 2;
  const [whole = '', rest = ''] = fee.split('.');
  const places = rest.replace(/0+$/, '').padEnd(digits, '0');
  return places === '' ? whole : `${whole}.${places}`;
}

const holdsAt = (at: number) => (period: TruePeriod) =>
  period.from < at && (period.to === null || period.to >= at);

export const endOfDay = (date: string, zone: string): number => momentOf(dateAfter(date, 1), '00:00', zone);

export const expectedPrices = (truth: Truth, at: number) =>
  periodsOf(truth)
    .filter(holdsAt(at))
    .map(({ kind, id, name, fee, currency, from }) => ({
      ...{ clinic: truth.clinic, kind, id, name, fee: inPlaces(fee, currency), currency, since: iso(from) },
    }));

/** By thousandths, so that nothing is rounded. */
const difference = (before: string, after: string): string => {
  const thousandths = (text: string) => Math.round(Number(text) * 1000);
  return ((thousandths(after) - thousandths(before)) / 1000).toFixed(3);
};

/** Every time a fee began, changed, ended or was given in another currency, from `from` up to `to`. */
export function expectedFeeChanges(truth: Truth, from: number, to: number) {
  const changes: ({ clinic: string; poll: string; noticed_at: string; what: string; name: string } & Pick<
    TruePeriod,
    'kind' | 'id'
  > &
    ReturnType<typeof pricesOf>)[] = [];
  const note = (
    at: number,
    of: Pick<TruePeriod, 'kind' | 'id' | 'name'>,
    what: string,
    prices: ReturnType<typeof pricesOf>,
  ) => {
    if (at < from || at >= to) return;
    const { kind, id, name } = of;
    const poll = what === 'currency' ? 'organization' : `${kind}s`;
    changes.push({ clinic: truth.clinic, noticed_at: iso(at), poll, what, kind, id, name, ...prices });
  };
  for (const all of Map.groupBy(periodsOf(truth), ({ kind, id }) => `${kind} ${id}`).values())
    for (const [i, period] of all.entries()) {
      const former = all[i - 1]?.to === period.from ? all[i - 1] : undefined;
      note(period.from, period, whatBegan(former, period), pricesOf(former, period));
      if (period.to !== null && all[i + 1]?.from !== period.to)
        note(period.to, period, 'removed', pricesOf(period, undefined));
    }
  return changes;
}

function whatBegan(former: TruePeriod | undefined, period: TruePeriod): string {
  if (former === undefined) return 'new';
  return former.currency === period.currency ? 'changed' : 'currency';
}

function pricesOf(before: TruePeriod | undefined, after: TruePeriod | undefined) {
  const isComparable = before?.fee && after?.fee && before.currency === after.currency;
  return {
    before: inPlaces(before?.fee ?? null, before?.currency ?? null),
    currency_before: before?.currency ?? null,
    after: inPlaces(after?.fee ?? null, after?.currency ?? null),
    currency: after?.currency ?? null,
    difference: isComparable
      ? inPlaces(difference(before.fee as string, after.fee as string), after.currency)
      : null,
  };
}

/** The parts of a month's pack that are figures. */
export function expectedMonth(truth: Truth, month: string) {
  const { zone } = truth;
  const [from, to] = [momentOf(`${month}-01`, '00:00', zone), endOfDay(lastDayOf(month), zone)];
  const fees = expectedPrices(truth, to);
  const inMonth = truth.leads.filter((lead) => receivedOn(truth, lead).startsWith(month));
  const visits = truth.leads.flatMap(({ visit }) => (visit === null ? [] : [lastSeen(visit)]));
  const byStatus = Map.groupBy(
    visits.filter(({ date }) => date.startsWith(month)),
    ({ status }) => status,
  );
  const figuresAt = (at: number) => truth.figures.findLast((one) => one.at < at)?.values;
  const leads = [...Map.groupBy(inMonth, ({ source, campaign }) => `${source}\n${campaign ?? ''}`)].map(
    ([key, all]) => {
      const [source, campaign] = key.split('\n');
      return { source, campaign: campaign || null, ...leadCounts(all) };
    },
  );
  return {
    ...{ from: iso(from), to: iso(to), fees },
    changes: expectedFeeChanges(truth, from, to),
    visits: [...byStatus].map(([status, all]) => ({ status, visits: all.length })),
    visits_total: sum([...byStatus.values()].map((all) => all.length)),
    ...{ leads, leads_total: leadCounts(inMonth) },
    figures: figuresOf(figuresAt(from), figuresAt(to)),
  };
}

function figuresOf(before: Truth['figures'][number]['values'] | undefined, after: typeof before) {
  const names = ['total_users', 'total_patients', 'total_appointments', 'total_doctors'] as const;
  return names.map((figure) => {
    const [at_start, at_end] = [before?.[figure] ?? null, after?.[figure] ?? null];
    const difference = at_start === null || at_end === null ? null : at_end - at_start;
    return { figure, at_start, at_end, difference };
  });
}

/** A row of `fees` or `consultation_fees` for each stretch in which a fee held. */
export const expectedFeeRows = (truth: Truth, of: TruePeriod['kind']) =>
  periodsOf(truth)
    .filter(({ kind }) => kind === of)
    .map(({ id, name, fee, currency, from, to }) => ({
      ...(of === 'treatment'
        ? { treatment_id: Number(id), treatment_name: name }
        : { doctor_id: Number(id), doctor_name: name }),
      ...{
        clinic: truth.clinic,
        fee: inPlaces(fee, currency),
        currency,
        valid_from: iso(from),
        valid_to: stamp(to),
      },
    }));

export const expectedLeadRows = (truth: Truth) =>
  truth.leads.map((lead) => {
    const outcome = outcomeOf(lead);
    const { conversion, visit } = lead;
    return {
      ...{
        clinic: truth.clinic,
        ref: lead.ref,
        source: lead.source,
        campaign: lead.campaign,
        channel: lead.channel,
      },
      ...{
        first_campaign: lead.first_campaign,
        first_channel: lead.first_channel,
        outcome,
        lost_reason: lead.lost,
      },
      ...{ status: visit === null ? null : lastSeen(visit).status, received_at: iso(lead.received) },
      ...{ booked_at: stamp(lead.booked), converted_at: stamp(conversion?.at ?? null) },
      completed_at: outcome === 'completed' ? stamp(conversion?.at ?? null) : null,
      ...{ treatment_id: lead.treatment, doctor_id: lead.dentist, days_to_visit: daysToVisit(truth, lead) },
      ...{ fee_as_sent: conversion?.fee ?? null, currency: conversion?.currency ?? null },
    };
  });

export const expectedConversionRows = (truth: Truth) =>
  truth.leads.flatMap(({ conversion, ...lead }) => {
    if (conversion === null) return [];
    const { ref, source, campaign, channel } = lead;
    return {
      ...{ clinic: truth.clinic, ref, source, campaign, channel, received_at: iso(lead.received) },
      ...{ booked_at: stamp(lead.booked), converted_at: iso(conversion.at), treatment_id: lead.treatment },
      ...{ doctor_id: lead.dentist, value: conversion.fee, currency: conversion.currency },
      order_id: orderId(ref, lead.takenBack.length),
    };
  });

/** A platform has heard of this lead so often before. */
const orderId = (ref: string, before: number): string => (before === 0 ? ref : `${ref}-${before + 1}`);

export const expectedRetractionRows = (truth: Truth) =>
  truth.leads.flatMap(({ ref, source, campaign, channel, takenBack }) =>
    takenBack.map(({ made, at, fee, currency, outcome }, before) => ({
      ...{
        clinic: truth.clinic,
        ref,
        source,
        campaign,
        channel,
        converted_at: iso(made),
        retracted_at: iso(at),
      },
      ...{ outcome, value: fee, currency, order_id: orderId(ref, before) },
    })),
  );
