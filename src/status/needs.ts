import { resourceOf } from '../domain/clinics/resource.ts';
import { conditionNeed } from '../domain/status/need-words.ts';
import type {
  Alarm,
  ClinicReport,
  ConnectorReport,
  HealthReason,
  Need,
  NeedSaid,
} from '../domain/status/report.ts';
import { askedToWait, isHeldUp } from '../domain/status/sending-waits.ts';
import type { StandingAsk } from '../domain/texts/problem.ts';
import { type Instant, minuteOf, toMs } from '../platform/clock.ts';
import { MINUTE } from '../platform/duration.ts';
import { localeOf } from '../platform/text/locale.ts';
import { firstSentence, sentences } from '../platform/text/sentences.ts';
import type { Guard } from '../store/ports/polls.ts';
import type { Store } from '../store/store.ts';

/** Needs other than bookings that come before them, besides the urgent ones. */
const OTHERS_FIRST = 4;

/**
 * What is urgent and some of the rest come before the bookings, because lists are cut off and hundreds of bookings may
 * wait. Bookings keep the desk's order: those possibly booked already first, then by time of the visit.
 */
export function inOrder(needs: readonly Need[]): Need[] {
  const others = needs.filter(({ kind }) => kind !== 'booking');
  const calm = others.filter(({ urgent }) => !urgent);
  return [
    ...others.filter(({ urgent }) => urgent),
    ...calm.slice(0, OTHERS_FIRST),
    ...needs.filter(({ kind }) => kind === 'booking'),
    ...calm.slice(OTHERS_FIRST),
  ];
}

/** Not of a clinic that is no longer configured: its answers are not read. */
export const guardNeeds = (guards: readonly Guard[], clinics: readonly { key: string }[]): Need[] =>
  guards
    .filter((guard) => guard.state === 'open' && clinics.some(({ key }) => key === guard.clinic))
    .map(guardNeed);

const guardNeed = ({ id, clinic, poll, kind, count, of, sentence, first_at, approval_only }: Guard): Need =>
  conditionNeed('guard', {
    ...{ subject: id, clinic, poll, count, of, since: first_at, change: kind, approvalOnly: approval_only },
    // It names what would be removed, and warns when another clinic seems to answer.
    detail: sentence,
  });

/** After this many failures in a row, a connector is unlikely to recover on its own. */
const FAILURES = 3;

export function connectorNeeds(report: ConnectorReport, at: Instant): Need[] {
  const { connector: subject, state, dead, failures, reason, last_error, asks, said: known } = report;
  const since = report.since ?? at;
  const detailOf = (sentence: string | null) => detailFrom(known, sentence);
  const needs: Need[] = [];
  if (state === 'quarantined')
    needs.push(conditionNeed('connector_broken', { subject, since, detail: reason }));
  if (state === 'paused')
    needs.push(conditionNeed('connector_paused', { subject, since, ...detailOf(reason) }));
  if (state === 'failing' && failures >= FAILURES)
    needs.push(
      conditionNeed('connector_failing', { subject, since, count: failures, ...detailOf(last_error) }),
    );
  const [ask, ...further] = asks;
  if (needs.length === 0 && ask !== undefined)
    needs.push(
      conditionNeed('connector_asks', { subject, since: ask.since, ...asked(ask, further.length, known) }),
    );
  if (dead > 0) needs.push(conditionNeed('delivery_dead', { subject, since, count: dead }));
  return needs;
}

type Detail = Pick<NeedSaid, 'problem' | 'detail'>;

/** What a connector says, for other languages; in English where only that is known. */
function detailFrom(known: ConnectorReport['said'], sentence: string | null): Detail {
  const problem = known?.[sentence ?? ''];
  return problem === undefined ? { detail: sentence } : { problem };
}

const moreThings = (count: number): string =>
  count === 0 ? '' : `${count} more ${count === 1 ? 'thing' : 'things'} there.`;

function asked(
  { sentence }: StandingAsk,
  more: number,
  known: ConnectorReport['said'],
): Omit<NeedSaid, 'name'> {
  const { problem } = detailFrom(known, sentence);
  if (problem === undefined) return { detail: sentences(sentence, moreThings(more)) };
  return more === 0 ? { problem } : { problem, more };
}

/** Deliveries for a connector that was taken out of the configuration. */
export const leftBehindNeed = (
  { connector, pending, dead, since }: Awaited<ReturnType<Store['deliveries']['leftBehind']>>[number],
  at: Instant,
): Need => conditionNeed('connector_left', { subject: connector, count: pending + dead, since: since ?? at });

const alarmNeed = ({ about, sentence, action }: Alarm, since: Instant): Need => ({
  ...conditionNeed(about ?? 'schedule', { since, detail: sentence, remedy: action }),
  ...{ kind: 'clinic', subject: 'schedule', sentence },
});

/** The clinic is down or refuses us: bookings wait until its people fix it. */
const unreachableNeed = (
  { clinic, sentence, since, said }: HealthReason & { clinic: string },
  at: Instant,
): Need =>
  conditionNeed('unreachable', {
    ...{ clinic, since: since ?? at, ...(said && { problem: said }) },
    detail: capitalised(without(`${clinic}: `, sentence)),
  });

/** Also if that is to come. A wait of five minutes may be the first part of a longer one. */
const LONG_WAIT_MS = 4 * MINUTE;

/** The clinic answers 429 for long: nothing is read or booked meanwhile. */
export function waitNeeds({
  clinic,
  limiter: { blocked_since: since, blocked_until: until },
}: ClinicReport): Need[] {
  if (since === null || until === null || toMs(until) - toMs(since) < LONG_WAIT_MS) return [];
  return [conditionNeed('asks_to_wait', { clinic, since, what: minuteOf(until) })];
}

/** What is not sent for now, although nothing is wrong. */
export const heldWords = (
  clinics: readonly ClinicReport[],
  connectors: readonly ConnectorReport[],
  now: number,
): string[] => [
  ...clinics.flatMap((one) => {
    const until = askedToWait(one, now);
    const whose = clinics.length > 1 ? `${one.clinic}: ` : '';
    return until === undefined
      ? []
      : [`${whose}${localeOf('en').t('need_asks_to_wait', { name: minuteOf(until) })}`];
  }),
  ...connectors
    .filter(isHeldUp)
    .map(
      ({ connector, pending }) =>
        `${connector}: ${pending > 0 ? `${pending} to send again` : 'not up to date'}.`,
    ),
];

/** Data that is too old has a need of its own unless the clinic does not answer at all. */
function staleNeeds(reasons: readonly HealthReason[], at: Instant): Need[] {
  const silent = new Set(reasons.flatMap(({ kind, clinic }) => (kind === 'unreachable' ? [clinic] : [])));
  const stale = reasons.filter(
    ({ kind, clinic }) => kind === 'stale' && clinic !== null && !silent.has(clinic),
  );
  return [...Map.groupBy(stale, ({ clinic }) => clinic ?? '')].map(([clinic, [first, ...others]]) =>
    conditionNeed('stale', {
      ...{ clinic, what: clinic, since: first?.since ?? at },
      detail: sentences(
        capitalised(without(`${clinic}: `, first?.sentence ?? '')),
        others.length > 0 && `${others.length} more are too old.`,
      ),
    }),
  );
}

const capitalised = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** Each need already shows its clinic, so the name in the reason is redundant. */
const without = (prefix: string, text: string): string =>
  text.startsWith(prefix) ? text.slice(prefix.length) : text;

/** Unreadable records of the newest answer, which only the clinic can correct. */
export const unreadableNeeds = ({ clinic, resources }: ClinicReport): Need[] =>
  resources.flatMap(({ poll, unreadable }) => {
    const [first, ...others] = unreadable;
    if (first === undefined) return [];
    const what = first.id === null ? poll : `${resourceOf[poll]} ${first.id}`;
    const more = others.length === 0 ? '' : `, and ${others.length} more`;
    const detail = `${what}: ${first.problem}${more}`;
    return conditionNeed('unreadable', { clinic, subject: poll, poll, since: first.since, detail });
  });

const databaseNeed = ({ problem, remedy }: SystemFacts['database'], since: Instant): Need =>
  conditionNeed('database', {
    since,
    // Most problems end with their remedy.
    detail: remedy !== null && problem?.includes(remedy) ? firstSentence(problem) : problem,
    remedy,
  });

interface SystemFacts {
  at: Instant;
  database: { ok: boolean; problem: string | null; remedy: string | null };
  reasons: readonly HealthReason[];
  alarms: readonly Alarm[];
}

/** Needs about the machine and the connection to the clinic. */
export const systemNeeds = ({ at, database, reasons, alarms }: SystemFacts): Need[] => [
  ...(database.ok ? [] : [databaseNeed(database, at)]),
  ...reasons.flatMap((reason): Need[] => {
    const { kind, subject, sentence, since, clinic } = reason;
    if (kind === 'database' && subject === 'disk')
      return [conditionNeed('disk', { since: since ?? at, detail: capitalised(sentence) })];
    return kind === 'unreachable' && clinic !== null ? [unreachableNeed({ ...reason, clinic }, at)] : [];
  }),
  ...staleNeeds(reasons, at),
  ...alarms.filter(({ asksPerson }) => asksPerson).map((alarm) => alarmNeed(alarm, at)),
];
