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
   * A page of all changes of a resource, record by record, oldest first within each: those after `after`, or the first.
   * Fewer than `limit` means the end.
   */
  historyPage(
    clinic: string,
    resource: string,
    limit: number,
    after?: Pick<Change, 'id' | 'sequence'>,
  ): Promise<Change[]>;
}
