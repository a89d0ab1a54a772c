import type { Change } from '../domain/clinics/change.ts';

/** The change log, clinic by clinic. */
export interface ChangeLog {
  /** The key of the requested clinic; without one, of the only clinic. Undefined when there is none. */
  clinicOf(key: string | undefined): string | undefined;
  /** Changes after the sequence `after`, oldest first; patients' fields only with `patients`. */
  read(asked: { clinic: string; after: number; limit: number; patients: boolean }): Promise<ChangePage>;
}

export interface ChangePage {
  changes: Change[];
  /** The newest sequence of the clinic; 0 before the first change. */
  latest: number;
}
