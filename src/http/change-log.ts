import type { Change } from '../domain/change.ts';

/** The change log, clinic by clinic. */
export interface ChangeLog {
  /** The key of the clinic that is meant: of the only one where none is named. Undefined: there is no such clinic. */
  clinicOf(key: string | undefined): string | undefined;
  /** What changed after the sequence `after`, oldest first; patients' fields only with `patients`. */
  read(asked: { clinic: string; after: number; limit: number; patients: boolean }): Promise<ChangePage>;
}

export interface ChangePage {
  changes: Change[];
  /** The newest sequence of the clinic; 0 before the first. */
  latest: number;
}
