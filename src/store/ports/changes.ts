import type { Change } from '../../domain/change.ts';

export interface ChangeVerbs {
  /** Changes after `sequence`, in order. */
  after(clinic: string, sequence: number, limit: number): Promise<Change[]>;
  /** Highest sequence of the clinic; 0 when there is none. */
  latest(clinic: string): Promise<number>;
  /** Newest first, over all clinics or one. */
  recent(limit: number, clinic?: string): Promise<Change[]>;
  /** Every change of one record, oldest first. */
  history(clinic: string, resource: string, id: string): Promise<Change[]>;
  /**
   * The changes of all records of a resource, record by record, each oldest first, so many at a time: those behind
   * `after`, the first ones without it. Fewer than `limit`: that was the end.
   */
  historyPage(
    clinic: string,
    resource: string,
    limit: number,
    after?: Pick<Change, 'id' | 'sequence'>,
  ): Promise<Change[]>;
}
