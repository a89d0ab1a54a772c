import type { MirrorView } from '../connector.ts';

/** For a connector that could not be started and never reads the mirror. */
export const emptyView: MirrorView = {
  clinics: [],
  rows: async () => [],
  page: async () => [],
  rowsChangedSince: async (_table, _clinic, sequence) => ({ rows: [], through: sequence }),
  rowsById: async () => [],
  ownBookings: async () => [],
  ownBookingsBySubmission: async () => [],
  changes: async () => [],
  leadCounts: async () => ({ sources: [], states: {} }),
  month: async () => undefined,
  freshness: async () => [],
};
