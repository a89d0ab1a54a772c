import type { MirrorView } from '../connector.ts';

/** For a connector that could not be started: it is asked for nothing that needs the mirror. */
export const emptyView: MirrorView = {
  clinics: [],
  rows: async () => [],
  page: async () => [],
  rowsChangedSince: async (_table, _clinic, sequence) => ({ rows: [], through: sequence }),
  rowsById: async () => [],
  ownBookings: async () => [],
  ownBookingsBySubmission: async () => [],
  changes: async () => [],
  freshness: async () => [],
};
