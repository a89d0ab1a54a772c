import { causes } from '../domain/status/conditions.ts';
import type {
  ClinicReport,
  ConnectorReport,
  Health,
  HealthReason,
  ResourceReport,
} from '../domain/status/report.ts';
import { type Instant, instant, minuteOf, toMs } from '../platform/clock.ts';
import { formatDuration, MINUTE } from '../platform/duration.ts';
import { clause, firstSentence } from '../platform/text/sentences.ts';
import type { Incident } from '../store/ports/incidents.ts';
import type { CallState } from './call-watch.ts';
import { type FailingProbe, probeReason } from './probes.ts';

/** A single failure may be a hiccup; two in a row are reported. */
const FAILURES = 2;
/** Trouble after this long without a successful call of any kind. */
const UNANSWERED_MS = MINUTE;

export interface HealthFacts {
  now: number;
  clinics: readonly (Pick<ClinicReport, 'clinic' | 'resources' | 'lane'> & {
    late: ReadonlyMap<string, number>;
    /** Until when the clinic allows no calls. */
    blockedUntil: Instant | null;
    calls: CallState | undefined;
  })[];
  connectors: readonly ConnectorReport[];
  alarms: readonly string[];
  /** Forms whose probe fails. */
  probes?: readonly FailingProbe[];
  database: { ok: boolean; problem: string | null };
  space: { free: number | null; floor: number; below: boolean };
  /** Open incidents: they tell since when a cause lasts, and include causes that only the daemon can see. */
  open: readonly Incident[];
}

/** Everything that keeps health from `ok`, worst first. Pure. */
export function reasonsOf(facts: HealthFacts): HealthReason[] {
  const { now, clinics, connectors, alarms, probes = [], database, space, open } = facts;
  const several = clinics.length > 1;
  const reasons: HealthReason[] = [];
  if (!database.ok)
    reasons.push(
      reason(
        'trouble',
        'database',
        `a write was refused: ${clause(firstSentence(database.problem ?? 'the database does not answer'))}`,
      ),
    );
  if (space.below)
    reasons.push(
      reason(
        'trouble',
        'database',
        `new leads are refused: ${megabytes(space.free)} free on the disk, ${megabytes(space.floor)} are the least`,
        { subject: 'disk' },
      ),
    );
  for (const clinic of clinics) {
    const found = ofClinic(clinic, now);
    reasons.push(
      ...found.map((one) => (several ? { ...one, sentence: `${clinic.clinic}: ${one.sentence}` } : one)),
    );
  }
  reasons.push(...connectors.flatMap(ofConnector));
  reasons.push(...probes.map(probeReason));
  for (const alarm of alarms) reasons.push(reason('trouble', 'schedule', clause(alarm)));

  const begun = new Map(open.map((incident) => [keyOf(incident), incident.since]));
  return worstFirst(reasons.map((one) => ({ ...one, since: one.since ?? begun.get(keyOf(one)) ?? null })));
}

export const worstFirst = (reasons: readonly HealthReason[]): HealthReason[] =>
  reasons.toSorted((a, b) => rank(a) - rank(b));

/** `told` by another process: a clinic that does not answer is one cause, however many of its resources fail. */
export function withoutEffects(
  reasons: readonly HealthReason[],
  told: readonly HealthReason[],
): HealthReason[] {
  const silent = new Set(told.flatMap(({ kind, clinic }) => (kind === 'unreachable' ? [clinic] : [])));
  return reasons.filter(({ kind, clinic }) => kind !== 'failing' || !silent.has(clinic));
}

const keyOf = ({ kind, clinic, subject }: Pick<HealthReason, 'kind' | 'clinic' | 'subject'>): string =>
  JSON.stringify([kind, clinic, subject]);

const rank = ({ kind }: HealthReason): number => causes.indexOf(kind);

export const healthOf = (reasons: readonly HealthReason[]): Health => {
  if (reasons.some(({ health }) => health === 'stale')) return 'stale';
  return reasons.length > 0 ? 'trouble' : 'ok';
};

/** When the first of the causes began. */
export const sinceOf = (reasons: readonly HealthReason[]): Instant | null =>
  reasons.reduce<Instant | null>(
    (first, { since }) => (since !== null && (first === null || since < first) ? since : first),
    null,
  );

const reason = (
  health: HealthReason['health'],
  kind: HealthReason['kind'],
  sentence: string,
  more: Partial<Pick<HealthReason, 'clinic' | 'subject' | 'since' | 'said'>> = {},
): HealthReason => ({ health, kind, clinic: null, subject: kind, since: null, ...more, sentence });

type ClinicFacts = HealthFacts['clinics'][number];

const ofClinic = (facts: ClinicFacts, now: number): HealthReason[] => [
  ...staleReasons(facts, now),
  ...(unreachableReason(facts) ?? resourceReasons(facts)),
  ...laneReason(facts),
];

const staleReasons = ({ clinic, resources, blockedUntil }: ClinicFacts, now: number): HealthReason[] =>
  resources
    .filter(({ stale }) => stale)
    .map((one) =>
      reason('stale', 'stale', `${lastRead(one, now)}${whyNotRead(one, blockedUntil)}`, {
        clinic,
        subject: one.poll,
        since: one.last_success_at,
        said: whySaid(one),
      }),
    );

function unreachableReason({ clinic, resources, calls }: ClinicFacts): [HealthReason] | undefined {
  const failing = resources.filter(({ failures }) => failures >= FAILURES);
  const failingCalls = calls?.failing;
  if (!failingCalls?.everywhere) return undefined;
  if (failingCalls.forMs < UNANSWERED_MS && !failingCalls.again && failing.length === 0) return undefined;
  // No duration here, because the sentence is stored once and shown as long as the trouble lasts.
  const sentence = failingCalls.refused ? 'the clinic refuses our calls' : 'the clinic does not answer';
  const latest = failing[0] ?? resources.find(({ failures }) => failures > 0);
  return [
    reason('trouble', 'unreachable', `${sentence}${because(latest?.last_error)}`, {
      clinic,
      since: failingCalls.since,
      said: latest && whySaid(latest),
    }),
  ];
}

/** Failing resources first, then late ones that have not failed. */
function resourceReasons({ clinic, resources, late, blockedUntil }: ClinicFacts): HealthReason[] {
  const fresh = resources.filter(({ stale }) => !stale);
  const failing = fresh.filter(({ failures }) => failures >= FAILURES);
  return [
    ...failing.map((one) => {
      const { poll, failures, last_error, failing_since: since } = one;
      const sentence = `${poll} failed ${failures} times in a row${because(last_error)}`;
      return reason('trouble', 'failing', sentence, { clinic, subject: poll, since, said: whySaid(one) });
    }),
    ...fresh.flatMap((one) => {
      const { poll: subject } = one;
      const since = late.get(subject);
      if (since === undefined || failing.includes(one)) return [];
      const sentence = `reading ${subject} is overdue${whyNotRead(one, blockedUntil)}`;
      return [
        reason('trouble', 'late', sentence, { clinic, subject, since: instant(since), said: whySaid(one) }),
      ];
    }),
  ];
}

const laneReason = ({ clinic, lane }: ClinicFacts): HealthReason[] =>
  lane.state === 'paused'
    ? [
        reason('trouble', 'lane', `bookings are not being sent${because(lane.reason)}`, {
          clinic,
          since: lane.since,
        }),
      ]
    : [];

const megabytes = (bytes: number | null): string => `${Math.floor((bytes ?? 0) / 1_000_000)} MB`;

/** The problem without its remedy, which is shown separately. */
const because = (text: string | null | undefined): string =>
  text ? ` (${clause(firstSentence(text))})` : '';

/** While the clinic allows no calls, none of them fails. */
const whyNotRead = ({ last_error }: ResourceReport, blockedUntil: Instant | null): string =>
  because(last_error ?? (blockedUntil && `the clinic allows no call before ${minuteOf(blockedUntil)}`));

const whySaid = ({ last_error, said }: ResourceReport) => (last_error === null ? undefined : said);

/** `treatments last read 2 h ago`. */
const lastRead = ({ poll, last_success_at }: ResourceReport, now: number): string =>
  `${poll} ${last_success_at === null ? 'never read' : `last read ${formatDuration(now - toMs(last_success_at))} ago`}`;

function ofConnector({
  connector,
  state,
  failures,
  reason: why,
  last_error,
  asks,
  said,
  since,
}: ConnectorReport): HealthReason[] {
  const of = { subject: connector, since };
  switch (state) {
    case 'ok':
      return [];
    case 'paused':
      return [reason('trouble', 'connector', `${connector} is paused${because(why)}`, of)];
    case 'quarantined':
      return [reason('trouble', 'connector', `${connector} could not be started${because(why)}`, of)];
    case 'failing':
      if (failures >= FAILURES) {
        const sentence = `${connector} failed ${failures} times in a row${because(last_error)}`;
        return [reason('trouble', 'connector', sentence, { ...of, said: said?.[last_error ?? ''] })];
      }
      return asks
        .filter(({ weight }) => weight === 'trouble')
        .slice(0, 1)
        .map((ask) =>
          reason('trouble', 'connector', `${connector}: ${clause(firstSentence(ask.sentence))}`, {
            subject: connector,
            since: ask.since,
            said: said?.[ask.sentence],
          }),
        );
  }
}
