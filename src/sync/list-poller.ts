import type { Clinic } from '../clinic/clinic.ts';
import type { ClinicSettings } from '../config/config.ts';
import type { Change, NewChange } from '../domain/clinics/change.ts';
import { heldNames } from '../domain/clinics/latest-rows.ts';
import type { ClinicRecord, ListPoll } from '../domain/clinics/resource.ts';
import { withFormerSpelling } from '../domain/clinics/spelling.ts';
import { type Clock, type Instant, instant } from '../platform/clock.ts';
import { HOUR } from '../platform/duration.ts';
import { Failure } from '../platform/failure.ts';
import type { Log } from '../platform/log.ts';
import type { RecordedPoll } from '../store/ports/mirror.ts';
import type { Guard, NewUnreadable } from '../store/ports/polls.ts';
import type { Store } from '../store/store.ts';
import { changesOf, type Diff, diff, previousFields, withFormerFields } from './diff.ts';
import { createFlapWatch } from './flapping.ts';
import {
  type GuardVerdict,
  type Impact,
  isMassRemoval,
  judgeImpact,
  mayPass,
  type NamedRecord,
} from './guard.ts';
import { type ListReading, nameField, readRecords, recordNameOf } from './records.ts';

/** What each reader of one clinic needs to fill its mirror. */
export interface MirrorParts {
  clinic: Clinic;
  store: Store;
  clock: Clock;
  log: Log;
  settings: ClinicSettings;
  /** See `Parts`. Default: none. */
  otherKeys?: (careId: string) => Promise<string[]>;
}

/** What recording an answer would write. */
type Effect = Pick<RecordedPoll, 'upserts' | 'refreshed' | 'removals' | 'changes' | 'unseen'>;

interface Plan {
  reading: ListReading;
  /** Records in the answer. */
  rows: number;
  whole: Effect;
  /** What a held answer still applies. */
  additions: Effect;
  verdict: GuardVerdict | undefined;
  /** What a held answer calls records that keep another name in the mirror. */
  names: readonly (readonly [id: string, name: string])[];
  flapping: readonly NewUnreadable[];
}

interface ListPoller {
  /** `stillCurrent` throws when a newer poll has begun. Throws `Failure`. */
  poll(
    poll: ListPoll,
    signal: AbortSignal,
    stillCurrent: () => void,
  ): Promise<{ rows: number; changes: Change[]; unreadable: readonly NewUnreadable[]; guarded?: Guard }>;
  preview(poll: ListPoll, signal: AbortSignal): Promise<NewChange[]>;
}

/** Polls resources whose answer is the complete set: reads, compares, judges, records. */
export function createListPoller(parts: MirrorParts): ListPoller {
  const { clinic, store, clock, log } = parts;
  const answers = createMirroredAnswers(parts);
  const flaps = createFlapWatch(parts);
  /** The uptime at the last guarded answer. */
  const countedAt = new Map<ListPoll, number>();

  /** Counts a guarded answer; it passes once approved or confirmed by enough polls. */
  async function decide(
    poll: ListPoll,
    verdict: GuardVerdict,
    at: string,
  ): Promise<{ guard: Guard; pass: boolean }> {
    const current = await store.guards.current(clinic.key, poll);
    if (current?.state === 'approved' && mayPass(current, verdict)) return { guard: current, pass: true };
    const now = clock.uptime();
    const before = countedAt.get(poll);
    const elapsedMs = before === undefined ? undefined : now - before;
    const { doubtful: _, ...held } = verdict;
    const guard = await store.guards.raise({ clinic: clinic.key, poll, ...held }, at, elapsedMs);
    countedAt.set(poll, now);
    return { guard, pass: mayPass(guard, verdict) };
  }

  const keepNames = (poll: ListPoll, names: Plan['names']) =>
    store.keyValue.set(heldNames.scope, {
      [heldNames.key(clinic.key, poll)]: names.length === 0 ? undefined : JSON.stringify(names),
    });
  const close = async (poll: ListPoll, { id }: Guard, as: 'withdrawn' | 'passed', at: string) => {
    await keepNames(poll, []);
    await store.guards.close(id, as, at);
  };

  return {
    async poll(poll, signal, stillCurrent) {
      const known = (await flaps.isCalm(poll)) ? await answers.of(poll) : undefined;
      const plan = await planned(parts, flaps, poll, signal, known);
      const { reading, rows, whole, additions, verdict, names, flapping } = plan;
      if (!isSingle(poll) && (verdict !== undefined || writes(whole))) await clinic.confirmIdentity(signal);
      signal.throwIfAborted();
      stillCurrent();
      const named = { clinic: clinic.key, resource: poll };
      const { unreadable, statistics } = reading;
      warnOf(log, named, unreadable);
      const at = instant(clock.now());
      const record = async (wanted: Effect) => {
        const changes = await store.mirror.record({
          clinic: clinic.key,
          poll,
          at,
          ...wanted,
          unreadable: [...unreadable, ...flapping],
          ...(statistics && { statistics }),
        });
        if (!reading.isSame) await flaps.save(poll, wanted === additions);
        return changes;
      };

      if (verdict === undefined) {
        const changes = await record(whole);
        answers.note(poll, reading, rows, at);
        const open = await store.guards.current(clinic.key, poll);
        if (open) await close(poll, open, 'withdrawn', at);
        return { rows, changes, unreadable };
      }

      answers.forget(poll);
      const { guard, pass } = await decide(poll, verdict, at);
      await keepNames(poll, names);
      const changes = await record(pass ? whole : additions);
      const { count, sentence } = verdict;
      if (!pass) {
        log.warn('an answer is held by a guard', { ...named, count, problem: sentence });
        return { rows, changes, unreadable, guarded: guard };
      }
      await close(poll, guard, 'passed', at);
      log.info('a guarded answer was applied', { ...named, count });
      return { rows, changes, unreadable };
    },

    async preview(poll, signal) {
      const { whole, additions, verdict } = await planned(parts, createFlapWatch(parts), poll, signal);
      if (verdict === undefined) return whole.changes;
      const current = await store.guards.current(clinic.key, poll);
      const counted = current && { ...current, seen: current.seen + 1, last_at: instant(clock.now()) };
      return counted && mayPass(counted, verdict) ? whole.changes : additions.changes;
    },
  };
}

async function planned(
  { clinic, store, settings, otherKeys = async () => [] }: MirrorParts,
  flaps: ReturnType<typeof createFlapWatch>,
  poll: ListPoll,
  signal: AbortSignal,
  known?: MirroredAnswer,
): Promise<Plan> {
  const reading = await readRecords(clinic, poll, signal, known?.digest);
  const { records, unreadable } = reading;
  if (reading.isSame && known)
    return {
      reading,
      rows: known.rows,
      whole: nothing,
      additions: nothing,
      verdict: undefined,
      names: [],
      flapping: [],
    };
  const hashes = await store.mirror.hashes(clinic.key, poll);
  const answered = records.length + unreadable.length;
  const lost = lostIn(reading, hashes);
  if (isMassRemoval(lost, hashes.size || answered, settings.guards))
    throw refusedWhole(poll, unreadable, answered);
  const differing = diff(hashes, records, unreadable);
  const touched = [...differing.changed.map(({ id }) => id), ...differing.removed];
  const former =
    touched.length === 0
      ? new Map<string, ClinicRecord>()
      : await store.mirror.records(clinic.key, poll, touched);
  differing.changed = differing.changed.map((record) => withFormerSpelling(record, former.get(record.id)));
  const { found, before, flapping } = await flaps.settle(poll, records, differing, former);
  const sizes = { poll, present: hashes.size, answered, unreadable: lost };
  const [first] = found.added;
  const isFirst = poll === 'organization' && hashes.size === 0 && first !== undefined;
  const other_keys = isFirst ? await otherKeys(first.id) : [];
  const verdict = judgeImpact(
    { ...sizes, ...namedChanges(poll, found, before, records), other_keys },
    settings.guards,
  );
  const held = { added: flowing(poll, found, verdict), changed: undoubted(poll, found, verdict, before) };
  const refreshed = found.resigned;
  return {
    reading,
    rows: records.length,
    whole: { ...effect(poll, found, before), refreshed, unseen: found.kept },
    additions: {
      ...effect(poll, { ...held, removed: [] }, before),
      refreshed: verdict === undefined || verdict.doubtful !== undefined ? refreshed : [],
      unseen: [...found.removed, ...found.kept],
    },
    verdict,
    names: verdict === undefined ? [] : namesHeld(poll, found.changed, held.changed, before),
    flapping,
  };
}

/**
 * Unreadable records that take something away: those known before, and those without an id for which one that was known
 * is missing. What could not be read before and still cannot does not count again.
 */
function lostIn({ records, unreadable }: ListReading, known: ReadonlyMap<string, string>): number {
  if (known.size === 0) return unreadable.length;
  const named = unreadable.filter(({ id }) => id !== null && known.has(id)).length;
  const nameless = unreadable.filter(({ id }) => id === null).length;
  const missing = known.size - named - records.filter(({ id }) => known.has(id)).length;
  return named + Math.min(nameless, missing);
}

/**
 * What a mass change of some fields does not hold back: the others, such as a fee beside new images. Not where names
 * are in doubt, because then it may be another list.
 */
function undoubted(
  poll: ListPoll,
  { changed }: Diff,
  verdict: GuardVerdict | undefined,
  before: ReadonlyMap<string, ClinicRecord>,
): ClinicRecord[] {
  const { doubtful } = verdict ?? {};
  if (doubtful === undefined || isSingle(poll) || doubtful.includes(nameField[poll])) return [];
  return changed.flatMap((record) => {
    const former = before.get(record.id);
    const previous = former && previousFields(former.fields, record.fields);
    if (!former || !previous || Object.keys(previous).every((field) => doubtful.includes(field))) return [];
    return withFormerFields(record, former, doubtful);
  });
}

function namesHeld(
  poll: ListPoll,
  changed: readonly ClinicRecord[],
  applied: readonly ClinicRecord[],
  before: ReadonlyMap<string, ClinicRecord>,
): [string, string][] {
  const ids = new Set(applied.map(({ id }) => id));
  return changed.flatMap((record): [string, string][] => {
    const name = recordNameOf(poll, record);
    const isKept = !ids.has(record.id) && name !== null && name !== recordNameOf(poll, before.get(record.id));
    return isKept ? [[record.id, name]] : [];
  });
}

/** Names for display of the removed and changed records. */
function namedChanges(
  poll: ListPoll,
  { added, changed, removed }: Diff,
  before: ReadonlyMap<string, ClinicRecord>,
  answer: readonly ClinicRecord[],
): Pick<Impact, 'removed' | 'changed' | 'successor' | 'renumbered'> {
  const named = (id: string, record: ClinicRecord | undefined): NamedRecord => ({
    id,
    name: recordNameOf(poll, record),
  });
  const successor = isSingle(poll) ? added[0] : undefined;
  const names = new Set(removed.length === 0 ? [] : answer.map((record) => recordNameOf(poll, record)));
  const gone = removed.map((id) => named(id, before.get(id)));
  return {
    removed: gone,
    renumbered: gone.filter(({ name }) => name !== null && names.has(name)).length,
    changed: changed.flatMap((record) => {
      const previous = previousFields(before.get(record.id)?.fields ?? {}, record.fields);
      if (previous === null) return [];
      const fields = Object.keys(previous).map((field) => [field, record.fields[field] ?? null]);
      return { ...named(record.id, record), fields: Object.fromEntries(fields) };
    }),
    successor: successor && named(successor.id, successor),
  };
}

function warnOf(
  log: Log,
  named: { clinic: string; resource: ListPoll },
  unreadable: readonly NewUnreadable[],
) {
  const { length: count } = unreadable;
  if (count > 0)
    log.warn('part of an answer could not be read', { ...named, count, problem: inWords(unreadable) });
}

const NAMED = 3;

/** `3 base_fee is missing, [7] treatment_id is missing …` */
function inWords(unreadable: readonly NewUnreadable[]): string {
  const first = unreadable
    .slice(0, NAMED)
    .map(({ id, position, field, problem }) =>
      [id ?? `[${position}]`, field, problem].filter((part) => part !== null).join(' '),
    );
  return `${first.join(', ')}${unreadable.length > NAMED ? ' …' : ''}`;
}

const refusedWhole = (poll: ListPoll, unreadable: readonly NewUnreadable[], answered: number) =>
  new Failure({
    kind: 'refused',
    message: `${unreadable.length} of ${answered} ${poll} cannot be read: ${inWords(unreadable)}`,
    hint: 'The clinic’s server does not follow its specification; nothing in this answer was used.',
  });

/** Additions that a held answer still applies. The organization or website that it is held for is none. */
const flowing = (poll: ListPoll, { added }: Diff, verdict: GuardVerdict | undefined): ClinicRecord[] =>
  verdict !== undefined && isSingle(poll) ? [] : added;

const nothing: Effect = { upserts: [], removals: [], changes: [] };

const writes = ({ upserts, removals }: Effect): boolean => upserts.length > 0 || removals.length > 0;

/** Exactly one record per clinic; guarded by its identity. */
const isSingle = (poll: ListPoll): boolean => poll === 'organization' || poll === 'website';

const effect = (
  poll: ListPoll,
  parts: Pick<Diff, 'added' | 'changed' | 'removed'>,
  before: ReadonlyMap<string, ClinicRecord>,
): Effect => ({
  upserts: [...parts.added, ...parts.changed],
  removals: parts.removed,
  changes: changesOf(poll, parts, before),
});

/** An answer that the mirror matched when it was recorded. */
interface MirroredAnswer {
  digest: string;
  rows: number;
  /** When it was last recorded. */
  at: Instant;
  /** Monotonic milliseconds of the last comparison row by row. */
  comparedAt: number;
}

/** Identical bytes are compared again after this long, in case the mirror changed behind our back. */
const COMPARE_EVERY_MS = HOUR;

interface Parts {
  clinic: { readonly key: string };
  store: Pick<Store, 'polls'>;
  clock: Clock;
}

/** Remembers answers that need not be parsed when they come again byte for byte. */
function createMirroredAnswers({ clinic, store, clock }: Parts) {
  const known = new Map<ListPoll, MirroredAnswer>();
  return {
    /** Undefined when the next answer must be compared, for example because another process has recorded one. */
    async of(poll: ListPoll): Promise<MirroredAnswer | undefined> {
      const answer = known.get(poll);
      if (answer === undefined || clock.monotonic() - answer.comparedAt >= COMPARE_EVERY_MS) return undefined;
      const runs = await store.polls.list(clinic.key);
      return runs.find((run) => run.poll === poll)?.last_success_at === answer.at ? answer : undefined;
    },
    /** Call when this answer was recorded as a whole. */
    note(poll: ListPoll, { digest, isSame, unreadable }: ListReading, rows: number, at: Instant): void {
      const comparedAt = (isSame ? known.get(poll)?.comparedAt : undefined) ?? clock.monotonic();
      if (digest !== undefined && unreadable.length === 0) known.set(poll, { digest, rows, at, comparedAt });
      else known.delete(poll);
    },
    forget: (poll: ListPoll): void => void known.delete(poll),
  };
}
