import { hash } from 'node:crypto';
import type { ClinicRecord, ListPoll } from '../domain/clinics/resource.ts';
import { written } from '../domain/clinics/spelling.ts';
import type { Clock } from '../platform/clock.ts';
import { HOUR } from '../platform/duration.ts';
import { canonical, type Json, parsedJson } from '../platform/json.ts';
import type { Log } from '../platform/log.ts';
import { withoutAddresses } from '../platform/network/stable-url.ts';
import type { NewUnreadable } from '../store/ports/polls.ts';
import type { Store } from '../store/store.ts';
import { type Diff, previousFields, withFormerFields } from './diff.ts';

/** What is left of a comparison without the values that flap. */
interface Settled {
  found: Diff;
  before: ReadonlyMap<string, ClinicRecord>;
  /** Values that are kept as they were, until the clinic's servers agree. */
  flapping: NewUnreadable[];
}

/** A field of a record, or whether the record is in the answer. */
interface Watched {
  /** Digests of the different values seen, the present one last. */
  seen: string[];
  /** How often a former value came back. */
  returns: number;
  /** Answers in a row of which each had another value than the one before. */
  changes: number;
  /** Answers in a row with the present value. */
  calm: number;
  isFlapping: boolean;
  /** Only web addresses in it differ from the mirror. */
  isAddress: boolean;
  /** When it last had another value than in the answer before. */
  at: number;
}

interface Parts {
  clinic: { readonly key: string };
  store: Pick<Store, 'keyValue'>;
  clock: Pick<Clock, 'now'>;
  log: Log;
}

type Watch = Map<string, Watched>;

/** A value that stayed for this many answers is believed again. */
const CALM = 12;
/** To, fro, to and fro again: a person who corrects a correction does less. */
const RETURNS = 3;
/** Another value in each answer. Two are enough while a guard holds them. */
const CHANGES = 4;
const CHANGES_HELD = 2;
const MOST_SEEN = 6;
/** What changes more slowly is changed by people, however often. */
const APART_MS = 3 * HOUR;
const SCOPE = 'flapping';

/**
 * Two servers behind one address may differ, and some servers make values anew for each answer. Recorded as they come,
 * such values would be a change at every poll. A value that flaps stays as it was and is told once; of a web address
 * that is another one each time, the newest is kept.
 */
export function createFlapWatch({ clinic, store, clock, log }: Parts) {
  const known = new Map<ListPoll, Watch>();
  /** Their previous answer was held by a guard. */
  const held = new Set<ListPoll>();
  const memoryOf = (poll: ListPoll) => `${clinic.key} ${poll}`;

  async function watchOf(poll: ListPoll): Promise<Watch> {
    const watch = known.get(poll) ?? recalled(await store.keyValue.get(SCOPE, memoryOf(poll)));
    known.set(poll, watch);
    return watch;
  }

  return {
    /** False while every answer must be compared. */
    isCalm: async (poll: ListPoll): Promise<boolean> => (await watchOf(poll)).size === 0,

    /** Counts one more answer. */
    async settle(
      poll: ListPoll,
      records: readonly ClinicRecord[],
      found: Diff,
      before: ReadonlyMap<string, ClinicRecord>,
    ): Promise<Settled> {
      const watch = await watchOf(poll);
      const isFirst = found.added.length === records.length && found.removed.length === 0;
      if (!isFirst) begin(watch, clock.now(), found, before);
      if (watch.size === 0) return { found, before, flapping: [] };
      const answer = new Map(records.map((record) => [record.id, record]));
      const begun = advance(watch, answer, clock.now(), held.has(poll) ? CHANGES_HELD : CHANGES);
      if (begun.length > 0)
        log.warn('values of the clinic’s answers flap: they stay as they were, addresses as they come', {
          clinic: clinic.key,
          resource: poll,
          count: begun.length,
          problem: begun.slice(0, 3).join(', '),
        });
      return without(watch, found, before);
    },

    /** Call after each answer that was compared. */
    async save(poll: ListPoll, isHeld: boolean): Promise<void> {
      if (isHeld) held.add(poll);
      else held.delete(poll);
      const watch = await watchOf(poll);
      const value = watch.size === 0 ? undefined : JSON.stringify([...watch]);
      if (value !== (await store.keyValue.get(SCOPE, memoryOf(poll))))
        await store.keyValue.set(SCOPE, { [memoryOf(poll)]: value });
    },
  };
}

const recalled = (text = '[]'): Watch => new Map(parsedJson(text) as [string, Watched][]);

/** The field comes first: it has no blank. */
const keyOf = (id: string, field = ''): string => `${field} ${id}`;

function placeOf(key: string): { id: string; field: string | null } {
  const at = key.indexOf(' ');
  return { id: key.slice(at + 1), field: at === 0 ? null : key.slice(0, at) };
}

const seenIn = (field: string | null, record: ClinicRecord | undefined): string =>
  field === null
    ? String(record !== undefined)
    : hash('sha256', written(field, record?.fields[field] ?? null), 'base64url').slice(0, 10);

const unseen = { returns: 0, changes: 0, calm: 0, isFlapping: false };

/** Watches what differs from the mirror. */
function begin(watch: Watch, at: number, found: Diff, before: ReadonlyMap<string, ClinicRecord>): void {
  const add = (key: string, value: string, isAddress = false) =>
    watch.set(key, { seen: [value], ...unseen, at, ...watch.get(key), isAddress });
  for (const { id } of found.added) add(keyOf(id), 'false');
  for (const id of found.removed) add(keyOf(id), 'true');
  for (const record of found.changed) {
    const former = before.get(record.id);
    if (former === undefined) continue;
    for (const [field, value] of Object.entries(previousFields(former.fields, record.fields) ?? {}))
      add(keyOf(record.id, field), seenIn(field, former), isSameText(value, record.fields[field] ?? null));
  }
}

/** Whether nothing but web addresses differs. */
const isSameText = (one: Json, other: Json): boolean =>
  withoutAddresses(canonical(one)) === withoutAddresses(canonical(other));

/** Resolves to what flaps from now on, in words. */
function advance(
  watch: Watch,
  answer: ReadonlyMap<string, ClinicRecord>,
  now: number,
  most: number,
): string[] {
  const begun: string[] = [];
  for (const [key, one] of watch) {
    const { id, field } = placeOf(key);
    const record = answer.get(id);
    if (field !== null && record === undefined) continue;
    count(one, seenIn(field, record), now);
    if (one.calm >= CALM) watch.delete(key);
    if (one.isFlapping || (one.returns < RETURNS && one.changes < most)) continue;
    one.isFlapping = true;
    begun.push(`${id} ${field ?? ''}`.trimEnd());
  }
  return begun;
}

function count(one: Watched, value: string, now: number): void {
  const isSame = one.seen.at(-1) === value;
  if (Math.abs(now - one.at) > APART_MS) Object.assign(one, { returns: 0, changes: 0 });
  if (!isSame) one.at = now;
  if (!isSame && one.seen.includes(value)) one.returns += 1;
  one.changes = isSame ? 0 : one.changes + 1;
  one.calm = isSame ? one.calm + 1 : 0;
  one.seen = [...one.seen.filter((other) => other !== value), value].slice(-MOST_SEEN);
}

function without(watch: Watch, found: Diff, before: ReadonlyMap<string, ClinicRecord>): Settled {
  const flaps = (id: string) => watch.get(keyOf(id))?.isFlapping === true;
  const former = new Map(before);
  const records = found.changed.map((record) => {
    const settled = settledRecord(watch, record, before.get(record.id));
    if (settled.former !== undefined) former.set(record.id, settled.former);
    return settled;
  });
  const those = (effect: ReturnType<typeof settledRecord>['effect']) =>
    records.filter((one) => one.effect === effect).map(({ record }) => record);
  return {
    found: {
      added: found.added.filter(({ id }) => !flaps(id)),
      changed: those('changed'),
      resigned: [...found.resigned, ...those('resigned')],
      removed: found.removed.filter((id) => !flaps(id)),
      kept: [...found.kept, ...found.removed.filter(flaps)],
    },
    before: former,
    flapping: told(watch),
  };
}

/** `former`: as if the newest addresses had been there before, so that they are no change but are kept. */
function settledRecord(watch: Watch, record: ClinicRecord, old: ClinicRecord | undefined) {
  const differing = Object.keys((old && previousFields(old.fields, record.fields)) ?? {});
  const flapping = differing.filter((field) => watch.get(keyOf(record.id, field))?.isFlapping);
  if (old === undefined || flapping.length === 0) return { record, former: old, effect: 'changed' as const };
  const newest = flapping.filter((field) => watch.get(keyOf(record.id, field))?.isAddress);
  const kept = flapping.filter((field) => !newest.includes(field));
  const settled = withFormerFields(record, old, kept);
  const isChanged = flapping.length < differing.length;
  return {
    record: settled,
    former: withFormerFields(old, settled, newest),
    effect: isChanged ? ('changed' as const) : newest.length > 0 ? ('resigned' as const) : ('none' as const),
  };
}

/** Each record once. */
function told(watch: Watch): NewUnreadable[] {
  const kept = [...watch].filter(([, { isFlapping, isAddress }]) => isFlapping && !isAddress);
  return [...Map.groupBy(kept, ([key]) => placeOf(key).id)].map(([id, its]) => {
    const fields = its.flatMap(([key]) => placeOf(key).field ?? []);
    const isInTurn = its.some(([, { returns }]) => returns >= RETURNS);
    return {
      id,
      position: null,
      field: fields.length === 0 ? null : fields.join(', '),
      problem:
        fields.length === 0
          ? 'is in one answer and not in the next: two servers of the clinic differ'
          : isInTurn
            ? 'goes to and fro: two servers of the clinic differ'
            : 'is another one in each answer',
    };
  });
}
