import type { MirrorView } from '../../../src/connector.ts';

/** Which bookings of a source moved on since the last time; undefined the first time, when any may have. */
export interface MovedBookings {
  since(view: MirrorView): Promise<ReadonlySet<string> | undefined>;
}

export function movedBookings(source: string, clinics: readonly string[]): MovedBookings {
  const cursors = new Map<string, number>();
  return {
    async since(view) {
      const refs = new Set<string>();
      const first = cursors.size === 0;
      for (const clinic of clinics) {
        for (;;) {
          const cursor = cursors.get(clinic) ?? 0;
          const { rows, through } = await view.rowsChangedSince('bookings', clinic, cursor, 500);
          for (const row of rows) if (row.source === source && typeof row.ref === 'string') refs.add(row.ref);
          cursors.set(clinic, through);
          if (through === cursor) break;
        }
      }
      return first ? undefined : refs;
    },
  };
}
