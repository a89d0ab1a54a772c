import type { ClinicSettings } from '../config/config.ts';
import type { ListPoll } from '../domain/clinics/resource.ts';
import { toMs } from '../platform/clock.ts';
import { HOUR } from '../platform/duration.ts';
import { canonical, type Json, type JsonObject } from '../platform/json.ts';
import type { Guard } from '../store/ports/polls.ts';
import { recordHash } from './records.ts';

/** What an answer would change, as far as guards are concerned. Additions are never guarded. */
export interface Impact {
  poll: ListPoll;
  /** Number of records present before. */
  present: number;
  /** Number of records in the answer, readable or not. */
  answered: number;
  removed: readonly NamedRecord[];
  /** Records with a changed field (changes to unspecified content do not count). */
  changed: readonly ChangedRecord[];
  /** The added organization or website; with another `care_id` than the removed one. */
  successor?: NamedRecord | undefined;
  /** Keys under which this organization is already known and that are not configured here. */
  other_keys?: readonly string[];
  /** Records in the answer that could not be read. They stay in the mirror but count like removals. */
  unreadable?: number;
  /** Number of removed records whose name the answer has under another number. */
  renumbered?: number;
}

export type NamedRecord = Guard['things'][number];

interface ChangedRecord extends NamedRecord {
  /** The new values by field, of the fields that differ. */
  fields: JsonObject;
}

export type GuardVerdict = Pick<
  Guard,
  'kind' | 'count' | 'of' | 'fingerprint' | 'sentence' | 'things' | 'approval_only'
> & {
  /** Of a mass change: the fields in doubt. The others are applied. */
  doubtful?: readonly string[];
};

const AGREEING_POLLS = 3;
const AGREEING_MS = HOUR;
/** Records stored with a guard: enough to recognise the case; the rest is only counted. */
const THINGS_KEPT = 20;
const THINGS_IN_SENTENCE = 3;

/** True above both limits, `removed_percent` and `removed_over`, of `present` records. */
export const isMassRemoval = (
  count: number,
  present: number,
  { removed_over, removed_percent }: ClinicSettings['guards'],
): boolean => count > removed_over && count * 100 > removed_percent * present;

/**
 * Undefined when the answer may be applied. Guarded: a mass removal; more than `changed_percent` changed (a single
 * change is never a mass change); an empty list where there was something; an organization or website that suddenly
 * belongs to another clinic, as with wrong credentials.
 */
export function judgeImpact(impact: Impact, guards: ClinicSettings['guards']): GuardVerdict | undefined {
  const { poll, present, answered, removed, changed, unreadable = 0, renumbered = 0 } = impact;
  const verdict = (
    kind: Guard['kind'],
    things: readonly NamedRecord[],
    sentence: string,
    approval_only = false,
  ): GuardVerdict => ({
    kind,
    count: things.length,
    of: Math.max(present, things.length),
    fingerprint: fingerprintOf(impact),
    sentence,
    things: inOrder(things).slice(0, THINGS_KEPT),
    approval_only,
  });

  const stranger = strangerIn(impact);
  if (stranger !== undefined) return verdict('changed', stranger.things, stranger.sentence, true);
  if (present === 0) return undefined;
  if (answered === 0)
    return verdict(
      'removed',
      removed,
      `The clinic returned an empty list of ${poll}; before, there were ${present}${among(removed)}.`,
      true,
    );
  if (removed.length > 0 && isMassRemoval(removed.length + unreadable, present, guards)) {
    const besides = unreadable === 0 ? '' : `, and ${unreadable} more could not be read`;
    const what =
      renumbered * 2 > removed.length
        ? `The clinic's answer has ${renumbered} of ${removed.length} ${poll} ` +
          'under other numbers and would remove the former ones'
        : `The clinic's answer would remove ${removed.length} of ${present} ${poll}`;
    return verdict('removed', removed, `${what}${among(removed)}${besides}.`);
  }
  const doubtful = doubtfulFields(
    changed,
    (count) => count > 1 && count * 100 > guards.changed_percent * present,
  );
  if (doubtful.length === 0) return undefined;
  const held = changed.filter(({ fields }) => doubtful.some((field) => field in fields));
  return {
    ...verdict(
      'changed',
      held,
      `The clinic's answer would change ${held.length} of ${present} ${poll}${among(held)} (${doubtful.join(', ')}).`,
    ),
    fingerprint: fingerprintOf({ ...impact, changed: held }, doubtful),
    doubtful,
  };
}

/**
 * Fields that changed in too many records at once; without one, all of those that changed in too many together. An
 * address that changes is suspicious only by itself: beside it, a few new fees are no mass change.
 */
function doubtfulFields(changed: readonly ChangedRecord[], isMass: (count: number) => boolean): string[] {
  const fields = Map.groupBy(
    changed.flatMap((record) => Object.entries(record.fields)),
    ([field]) => field,
  );
  const masses = [...fields].filter(([, { length }]) => isMass(length)).map(([field]) => field);
  if (masses.length > 0) return masses.sort();
  const contents = changed.map((record) =>
    Object.keys(record.fields).filter((field) => !isAddress(record.fields[field] ?? null)),
  );
  const isMassive = isMass(contents.filter(({ length }) => length > 0).length);
  return isMassive ? [...new Set(contents.flat())].sort() : [];
}

/** The organization or website of another clinic, or of this one under another key. */
function strangerIn({ poll, removed, successor, other_keys = [] }: Impact) {
  if (successor !== undefined && other_keys.length > 0)
    return {
      things: [successor],
      sentence:
        `This organization (${inWords(successor)}) is already known under the key ` +
        `${other_keys.join(' and ')}, which this daemon’s configuration does not have: if only the key ` +
        'was changed, change it back, because duplicates are found among the bookings of one key only.',
    };
  const [gone] = removed;
  if (gone === undefined || (poll !== 'organization' && poll !== 'website')) return undefined;
  const instead = successor === undefined ? '' : ` (${inWords(successor)} instead of ${inWords(gone)})`;
  return {
    things: successor === undefined ? removed : [successor],
    sentence: `The ${poll} has a different care_id than before${instead}: are these the right clinic's credentials?`,
  };
}

/**
 * Equal for answers with the same effect. Of a web address only counts that it changed: some servers make it anew each
 * time, and such an answer would never agree with the one before.
 */
const fingerprintOf = ({ removed, changed, successor }: Impact, doubtful?: readonly string[]): string =>
  recordHash({
    removed: removed.map(({ id }) => id).sort(),
    changed: changed.map(({ id, fields }) => `${id} ${canonical(kindOf(fields, doubtful))}`).sort(),
    ...(successor === undefined ? {} : { successor: successor.id }),
  });

const kindOf = (fields: JsonObject, doubtful?: readonly string[]): JsonObject =>
  Object.fromEntries(
    Object.entries(fields)
      .filter(([field]) => doubtful?.includes(field) ?? true)
      .map(([field, value]) => [field, isAddress(value) ? 'an address' : value]),
  );

const isAddress = (value: Json): boolean => typeof value === 'string' && /^https?:\/\//i.test(value);

const inWords = ({ id, name }: NamedRecord): string => (name === null ? id : `${id} “${name}”`);

const inOrder = (things: readonly NamedRecord[]): NamedRecord[] =>
  things
    .map(({ id, name }) => ({ id, name }))
    .sort((a, b) => a.id.localeCompare(b.id, 'en', { numeric: true }));

/** `: 3 “Scaling”, 4 “Filling”, 5 “Crown” and 2 more` */
function among(things: readonly NamedRecord[]): string {
  const first = inOrder(things).slice(0, THINGS_IN_SENTENCE).map(inWords);
  const more = things.length - first.length;
  return `: ${first.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** Whether a guarded answer may be applied. `guard`: the open or approved one, with this answer counted. */
export function mayPass(
  guard: Pick<Guard, 'state' | 'fingerprint' | 'seen' | 'first_at' | 'last_at'>,
  { fingerprint, approval_only }: GuardVerdict,
): boolean {
  if (guard.fingerprint !== fingerprint) return false;
  if (guard.state === 'approved') return true;
  const agreedMs = toMs(guard.last_at) - toMs(guard.first_at);
  return !approval_only && guard.seen >= AGREEING_POLLS && agreedMs >= AGREEING_MS;
}
