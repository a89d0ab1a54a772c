import type { Change } from '../domain/clinics/change.ts';
import { canonical, type JsonObject } from '../platform/json.ts';

const isNew = ({ type }: Change) => type.endsWith('.created') || type.endsWith('.tracked');
const isGone = ({ type }: Change) => type.endsWith('.removed');
const isStatus = ({ type }: Change) => type === 'appointment.status_changed';

/**
 * Merges changes into one per record, with the newest fields and all differences since the first. Changes of bookings
 * are never merged. Pure; ordered by each record's last change.
 */
export function coalesce(changes: readonly Change[]): Change[] {
  const merged = new Map<string, Change>();
  for (const change of changes) {
    const key = change.resource === 'booking' ? `#${change.sequence}` : `${change.resource}:${change.id}`;
    const earlier = merged.get(key);
    merged.delete(key);
    merged.set(key, earlier === undefined ? change : both(earlier, change));
  }
  return [...merged.values()];
}

function both(earlier: Change, later: Change): Change {
  if (isGone(later) || isGone(earlier) || isNew(later)) return later;
  if (isNew(earlier)) return { ...later, type: earlier.type, previous: null };
  const type = isStatus(earlier) ? earlier.type : later.type;
  return { ...later, type, previous: stillDifferent({ ...later.previous, ...earlier.previous }, later.data) };
}

function stillDifferent(previous: JsonObject, data: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(previous).filter(([field, value]) => canonical(value) !== canonical(data[field] ?? null)),
  );
}
