import type { MirrorTable, MirrorView, Row } from '../../src/connector.ts';
import type { Change } from '../../src/domain/clinics/change.ts';

const keys = {
  organization_statistics: ['at'],
  appointments: ['appointment_id'],
  bookings: ['received_at', 'ref'],
  leads: ['received_at', 'ref'],
  conversions: ['converted_at', 'ref'],
  retractions: ['retracted_at', 'ref', 'n'],
} as const;

interface FakeRows {
  rows: Partial<Record<MirrorTable, Row[]>>;
  changes: readonly Change[];
}

/** The reads in parts of a view, over rows and changes that a test made by hand. */
export function pagedRows(mirror: FakeRows): Pick<MirrorView, 'page' | 'rowsById' | 'rowsChangedSince'> {
  const ordered = (table: keyof typeof keys, clinic: string): Row[] =>
    (mirror.rows[table] ?? []).filter((row) => row.clinic === clinic).sort((a, b) => compare(table, a, b));
  const rowsById: MirrorView['rowsById'] = async (table, clinic, ids) => {
    const id = table === 'appointments' ? 'appointment_id' : 'ref';
    return ordered(table, clinic).filter((row) => ids.includes(String(row[id])));
  };
  return {
    rowsById,
    page: async (table, clinic, limit, after) =>
      (mirror.rows[table] ?? [])
        .filter((row) => row.clinic === clinic && (after === undefined || compare(table, row, after) > 0))
        .sort((a, b) => compare(table, a, b))
        .slice(0, limit),
    async rowsChangedSince(table, clinic, sequence, limit) {
      const changes = mirror.changes
        .filter((one) => one.clinic === clinic && one.sequence > sequence)
        .slice(0, limit);
      const ids = new Set(changes.flatMap(({ resource, id }) => (`${resource}s` === table ? [id] : [])));
      return { rows: await rowsById(table, clinic, [...ids]), through: changes.at(-1)?.sequence ?? sequence };
    },
  };
}

function compare(table: keyof typeof keys, a: Row, b: Row): number {
  for (const key of keys[table]) {
    const [one, other] = [a[key] ?? '', b[key] ?? ''];
    if (one !== other) return one < other ? -1 : 1;
  }
  return 0;
}
