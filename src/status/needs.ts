import { resourceOf } from '../domain/clinics/resource.ts';
import type {
  Alarm,
  ClinicReport,
  ConnectorReport,
  HealthReason,
  Need,
  NeedSaid,
} from '../domain/status/report.ts';
import { askedToWait, isHeldUp } from '../domain/status/sending-waits.ts';
import { hintOf, type StandingAsk } from '../domain/texts/problem.ts';
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

const guardNeed = ({
  id,
  clinic,
  poll,
  kind,
  count,
  of,
  sentence,
  first_at,
  seen,
  approval_only,
}: Guard): Need => ({
  kind: 'guard',
  clinic,
  subject: id,
  sentence,
  // The sentence names what would be removed, and warns when another clinic seems to answer.
  said: { name: 'guard', poll, change: kind, count, of, approvalOnly: approval_only, detail: sentence },
  action:
    'If that is right: `clinic-sync guards approve ' +
    `${id}\`${approval_only ? '' : `; an hour of equal answers lets it through (so far ${seen})`}.`,
  since: first_at,
  urgent: false,
});

/** After this many failures in a row, a connector is unlikely to recover on its own. */
const FAILURES = 3;

export function connectorNeeds(report: ConnectorReport, at: Instant): Need[] {
  const { connector, state, dead, failures, reason, last_error, asks, said: known } = report;
  const because = (text: string | null) => (text === null ? '.' : `: ${sentences(text)}`);
  const need = (said: NeedSaid, sentence: string, action: string): Need => {
    const kind = said.name === 'delivery_dead' ? 'delivery' : 'connector';
    return { kind, subject: connector, sentence, action, said, since: report.since ?? at, urgent: false };
  };
  const detailOf = (sentence: string | null) => detailFrom(known, sentence);
  const needs: Need[] = [];
  if (state === 'quarantined')
    needs.push(
      need(
        { name: 'connector_broken', detail: reason },
        `${connector} could not be started${because(reason)}`,
        `Correct its settings, see \`clinic-sync connectors check ${connector}\`, and restart.`,
      ),
    );
  if (state === 'paused')
    needs.push(
      need(
        { name: 'connector_paused', ...detailOf(reason) },
        `${connector} is paused${because(reason)}`,
        `\`clinic-sync connectors resume ${connector}\` lets it continue where it stopped.`,
      ),
    );
  if (state === 'failing' && failures >= FAILURES)
    needs.push(
      need(
        { name: 'connector_failing', count: failures, ...detailOf(last_error) },
        `${connector} has failed ${failures} times in a row${because(last_error)}`,
        `\`clinic-sync connectors check ${connector}\` says what is wrong.`,
      ),
    );
  const [ask, ...further] = asks;
  if (needs.length === 0 && ask !== undefined) {
    const said = { name: 'connector_asks', ...asked(ask, further.length, known) } as const;
    const sentence = sentences(`${connector}: ${ask.sentence}`, moreThings(further.length));
    const action = `\`clinic-sync connectors check ${connector}\` lists all; this goes away once it is right.`;
    needs.push({ ...need(said, sentence, action), since: ask.since });
  }
  if (dead > 0) {
    const given = dead === 1 ? `One delivery to ${connector} was` : `${dead} deliveries to ${connector} were`;
    const ways = `\`clinic-sync deliveries retry ${connector}\` or \`clinic-sync deliveries skip ${connector}\`.`;
    needs.push(need({ name: 'delivery_dead', count: dead }, `${given} given up.`, ways));
  }
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
export function leftBehindNeed(
  { connector, pending, dead, since }: Awaited<ReturnType<Store['deliveries']['leftBehind']>>[number],
  at: Instant,
): Need {
  const count = pending + dead;
  const wait = count === 1 ? 'one delivery still waits' : `${count} deliveries still wait`;
  return {
    kind: 'connector',
    subject: connector,
    said: { name: 'connector_left', count },
    sentence: `${connector} is no longer in the configuration, but ${wait} for it.`,
    action:
      'Put it back, or give them up with `clinic-sync deliveries skip ' +
      `${connector}\`; after 30 days they are deleted.`,
    since: since ?? at,
    urgent: false,
  };
}

export const alarmNeed = ({ about, sentence, action }: Alarm, since: Instant): Need => ({
  kind: 'clinic',
  subject: 'schedule',
  said: { name: about ?? 'schedule', detail: sentences(sentence, action) },
  sentence,
  action,
  since,
  urgent: true,
});

export const databaseWarning = (warning: string, since: Instant): Need => ({
  kind: 'database',
  subject: 'database',
  said: { name: 'database_warning', detail: warning },
  sentence: sentences(warning),
  action: 'Bookings are still accepted; `clinic-sync doctor` shows the free space.',
  since,
  urgent: true,
});

/** The clinic is down or refuses us: bookings wait until its people fix it. */
export const unreachableNeed = (
  { clinic, sentence, since, said }: HealthReason & { clinic: string },
  at: Instant,
): Need => ({
  kind: 'clinic',
  clinic,
  subject: 'connection',
  // Its message is in the cause of trouble, which every page with this need shows; the remedy is shown here.
  said: { name: 'unreachable', ...(said && { problem: said }) },
  sentence: sentences(capitalised(without(`${clinic}: `, sentence))),
  action: sentences(
    (said && hintOf(said)) ??
      'Check that its server runs and can be reached: `clinic-sync doctor` says what is wrong.',
    'Bookings wait, and are sent when it answers.',
  ),
  since: since ?? at,
  urgent: false,
});

/** Also if that is to come. A wait of five minutes may be the first part of a longer one. */
const LONG_WAIT_MS = 4 * MINUTE;

const waitSentence = (until: Instant): string =>
  `The clinic’s server asks us to wait (429): no booking is sent and nothing is read before ${minuteOf(until)}.`;

/** The clinic answers 429 for long: nothing is read or booked meanwhile. */
export function waitNeeds({
  clinic,
  limiter: { blocked_since: since, blocked_until: until },
}: ClinicReport): Need[] {
  if (since === null || until === null || toMs(until) - toMs(since) < LONG_WAIT_MS) return [];
  return [
    {
      kind: 'clinic',
      clinic,
      subject: 'limit',
      said: { name: 'asks_to_wait', what: minuteOf(until) },
      sentence: waitSentence(until),
      action: 'Ask whoever runs it to allow more calls; nothing is lost, and it is asked again then.',
      since,
      urgent: false,
    },
  ];
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
    return until === undefined ? [] : [`${whose}${waitSentence(until)}`];
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
  return [...Map.groupBy(stale, ({ clinic }) => clinic ?? '')].map(([clinic, [first, ...others]]) => ({
    kind: 'clinic',
    clinic,
    subject: 'connection',
    said: { name: 'stale', what: clinic },
    sentence: sentences(
      capitalised(without(`${clinic}: `, first?.sentence ?? '')),
      others.length > 0 && `${others.length} more are too old.`,
    ),
    action: localeOf('en').t('todo_stale'),
    since: first?.since ?? at,
    urgent: false,
  }));
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
    return {
      kind: 'clinic',
      clinic,
      subject: poll,
      said: { name: 'unreadable', poll, detail: `${what}: ${first.problem}${more}` },
      sentence: `The clinic’s answer about ${what} cannot be read: ${first.problem}${more}.`,
      action: 'The rows stay as they were until it can be; have it corrected in the clinic’s system.',
      since: first.since,
      urgent: false,
    };
  });

export const databaseNeed = (
  { problem, remedy }: { problem: string | null; remedy: string | null },
  since: Instant,
): Need => ({
  kind: 'database',
  subject: 'database',
  // Most problems end with their remedy.
  said: {
    name: 'database',
    detail: problem?.includes(remedy ?? '') ? problem : sentences(problem, remedy) || null,
  },
  sentence: `The database does not work: ${sentences(firstSentence(problem ?? 'it does not answer'))}`,
  action: sentences(
    remedy ?? 'Check the disk and the file’s owner with `clinic-sync doctor`.',
    'No booking is accepted meanwhile.',
  ),
  since,
  urgent: true,
});

export const diskNeed = (sentence: string, since: Instant): Need => ({
  kind: 'database',
  subject: 'disk',
  said: { name: 'disk' },
  sentence: sentences(sentence),
  action: 'Make room on the disk; senders are asked to come back until then.',
  since,
  urgent: true,
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
    if (kind === 'database' && subject === 'disk') return [diskNeed(sentence, since ?? at)];
    return kind === 'unreachable' && clinic !== null ? [unreachableNeed({ ...reason, clinic }, at)] : [];
  }),
  ...staleNeeds(reasons, at),
  ...alarms.filter(({ asksPerson }) => asksPerson).map((alarm) => alarmNeed(alarm, at)),
];
