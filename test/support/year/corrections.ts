import { expectedFeeChanges, sum } from './expected.ts';
import { meaning, receivedOn, type TrueLead, type Truth } from './truth.ts';
import { iso, monthBefore } from './wall-clock.ts';

interface Month {
  /** `2026-05-01` */
  first: string;
  from: number;
  to: number;
}

const TWO_HOURS = 7_200_000;

/** Times of more than two hours between two answers, or since the last one. */
function silences(truth: Truth, until: number): { poll: string; from: number; to: number | null }[] {
  return Object.entries(truth.answered).flatMap(([poll, times]) =>
    times
      .map((from, i) => ({ poll, from, to: times[i + 1] ?? null }))
      .filter(({ from, to }) => (to ?? until) - from > TWO_HOURS),
  );
}

/** How many remarks a month's pack begins with: each silence up to ten, one for the others, and what was not known. */
export function expectedNotes(truth: Truth, { from, to }: Month, now: number): number {
  const silent = silences(truth, Math.min(now, to)).filter((one) => one.from < to && (one.to ?? to) > from);
  // Those of several lists that agree to the minute are one.
  const minute = (at: number | null) => at && Math.floor(at / 60_000);
  const outages = new Set(silent.map((one) => `${minute(one.from)} ${minute(one.to)}`));
  return Math.min(outages.size, 11) + Number(now < to) + Number((truth.knownSince ?? 0) > from);
}

/** What was noticed in a month about the months before it. */
export const expectedCorrections = (truth: Truth, month: Month) => [
  ...truth.leads.flatMap((lead) => ofVisit(lead, month)),
  ...ofFees(truth, month),
  ...ofLeads(truth, month),
];

const seenIn = ({ visit }: TrueLead, { from, to }: Month) =>
  (visit?.seen ?? []).flatMap((now, i, all) => {
    const before = all[i - 1];
    return before === undefined || now.at < from || now.at >= to ? [] : [{ before, now }];
  });

function ofVisit(lead: TrueLead, month: Month) {
  const of = { about: 'visit', item: `appointment ${lead.visit?.id}`, campaign: null };
  return seenIn(lead, month).flatMap(({ before, now }) => {
    const former = before.status === null ? now.date : before.date;
    const closed = [former, now.date].find((date) => date < month.first);
    if (closed === undefined) return [];
    const row = { ...of, month: closed.slice(0, 7), noticed_at: iso(now.at) };
    return [
      ...(before.status === now.status
        ? []
        : [{ ...row, what: 'status', before: before.status, after: now.status }]),
      ...(former === now.date ? [] : [{ ...row, what: 'date', before: former, after: now.date }]),
    ];
  });
}

/** A fee that was another when the clinic answered again, after a silence that began before the month did. */
function ofFees(truth: Truth, { first, from, to }: Month) {
  const ended = silences(truth, to).filter((one) => one.from < from);
  const over = new Set(ended.flatMap((one) => (one.to === null ? [] : [`${one.poll} ${iso(one.to)}`])));
  return expectedFeeChanges(truth, from, to)
    .filter(({ poll, noticed_at }) => over.has(`${poll} ${noticed_at}`))
    .map(({ kind, id, noticed_at, before, after }) => ({
      ...{ about: 'fee', item: `${kind} ${id}`, campaign: null, month: monthBefore(first.slice(0, 7)) },
      ...{ noticed_at, what: 'fee', before, after },
    }));
}

function ofLeads(truth: Truth, month: Month) {
  const earlier = truth.leads.filter((lead) => receivedOn(truth, lead) < month.first);
  const groups = Map.groupBy(earlier, (lead) =>
    JSON.stringify([receivedOn(truth, lead).slice(0, 7), lead.source, lead.campaign]),
  );
  const isCompleted = (status: string | null) => status !== null && meaning[status] === 'completed';
  return [...groups].flatMap(([key, leads]) => {
    const [closed, item, campaign] = JSON.parse(key);
    const booked = leads.filter(({ told }) => told !== null && told >= month.from && told < month.to).length;
    const completed = sum(
      leads.flatMap((lead) =>
        seenIn(lead, month).map(
          ({ before, now }) => Number(isCompleted(now.status)) - Number(isCompleted(before.status)),
        ),
      ),
    );
    return [['booked', booked] as const, ['completed', completed] as const]
      .filter(([, count]) => count !== 0)
      .map(([what, count]) => ({
        ...{ about: 'leads', item, campaign, month: closed, noticed_at: null, what, before: null },
        after: count > 0 ? `+${count}` : String(count),
      }));
  });
}
