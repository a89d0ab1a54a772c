import type { ChangeType, NewChange } from '../domain/clinics/change.ts';
import { type ClinicRecord, type ListPoll, resourceOf } from '../domain/clinics/resource.ts';
import { isSameValue } from '../domain/clinics/spelling.ts';
import type { JsonObject } from '../platform/json.ts';
import { recordHash } from './records.ts';

/** What a complete answer changes in the mirror. Ids as in `ClinicRecord`. */
export interface Diff {
  /** Not present before: new, or removed earlier and back. */
  added: ClinicRecord[];
  /** The content differs; `previousFields` tells which fields. */
  changed: ClinicRecord[];
  /** The same content with newer signatures in its web addresses. */
  resigned: ClinicRecord[];
  /** Present before, not in the answer. */
  removed: string[];
  /** Present before and possibly among the answer's unreadable records: left as they are. */
  kept: string[];
}

/** `known`: id → hash of the records present before. */
export function diff(
  known: ReadonlyMap<string, string>,
  answer: readonly ClinicRecord[],
  unreadable: readonly { id: string | null }[] = [],
): Diff {
  const result: Diff = { added: [], changed: [], resigned: [], removed: [], kept: [] };
  const hidden = new Set(unreadable.map(({ id }) => id));
  for (const record of answer) {
    const before = known.get(record.id);
    if (before === undefined) result.added.push(record);
    else if (before !== record.hash) result.changed.push(record);
    else if (record.isSigned) result.resigned.push(record);
  }
  // Usual for a long list: all are present, so none needs to be looked up.
  if (answer.length - result.added.length === known.size) return result;
  const seen = new Set(answer.map(({ id }) => id));
  // A record without a readable id may be any of the missing ones.
  for (const id of known.keys())
    if (!seen.has(id)) (hidden.has(id) || hidden.has(null) ? result.kept : result.removed).push(id);
  return result;
}

/** The former values of the fields that differ; null when none does (only unspecified content in `raw` changed). */
export function previousFields(before: JsonObject, after: JsonObject): JsonObject | null {
  const previous: JsonObject = {};
  for (const field of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const old = before[field] ?? null;
    if (!isSameValue(field, old, after[field] ?? null)) previous[field] = old;
  }
  return Object.keys(previous).length === 0 ? null : previous;
}

/** The record with the former values of some fields. */
export function withFormerFields(
  record: ClinicRecord,
  former: ClinicRecord,
  fields: readonly string[],
): ClinicRecord {
  const kept = (from: JsonObject) =>
    Object.fromEntries(fields.flatMap((field) => (field in from ? [[field, from[field] ?? null]] : [])));
  const raw = { ...record.raw, ...kept(former.raw) };
  return { ...record, fields: { ...record.fields, ...kept(former.fields) }, raw, hash: recordHash(raw) };
}

/** The change-log rows of a diff. `before`: the former state of changed and removed records, by id. */
export function changesOf(
  poll: ListPoll,
  { added, changed, removed }: Pick<Diff, 'added' | 'changed' | 'removed'>,
  before: ReadonlyMap<string, ClinicRecord>,
): NewChange[] {
  const resource = resourceOf[poll];
  const single = poll === 'organization' || poll === 'website';
  const change = (verb: string, id: string, data: JsonObject, previous: JsonObject | null): NewChange => ({
    type: `${resource}.${verb}` as ChangeType,
    resource,
    id,
    data,
    previous,
  });

  if (single) {
    // Always exactly one, and logged as `updated` only: a first reading has no `previous`; a replacement (another
    // care_id) shows in the fields that differ.
    const former = removed[0] === undefined ? undefined : before.get(removed[0]);
    const first = added.map((record) =>
      change(
        'updated',
        record.id,
        record.fields,
        former ? previousFields(former.fields, record.fields) : null,
      ),
    );
    return [...first, ...updates(changed, before, change)];
  }
  return [
    ...added.map((record) => change('created', record.id, record.fields, null)),
    ...updates(changed, before, change),
    ...removed.flatMap((id) => {
      const record = before.get(id);
      return record ? [change('removed', id, record.fields, null)] : [];
    }),
  ];
}

function updates(
  changed: readonly ClinicRecord[],
  before: ReadonlyMap<string, ClinicRecord>,
  change: (verb: string, id: string, data: JsonObject, previous: JsonObject | null) => NewChange,
): NewChange[] {
  return changed.flatMap((record) => {
    const previous = previousFields(before.get(record.id)?.fields ?? {}, record.fields);
    return previous === null ? [] : [change('updated', record.id, record.fields, previous)];
  });
}
