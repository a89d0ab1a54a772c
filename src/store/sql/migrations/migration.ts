import type { Trx } from '../database.ts';

/** One step forward; there is no way back but a backup. Each runs in a transaction of its own with its row here. */
export interface Migration {
  number: number;
  name: string;
  statements: readonly string[];
  /** The same step on PostgreSQL, where no database is older than step 71. */
  postgres?: readonly string[];
  /** What statements cannot do with the rows there are; runs after them. */
  fill?(trx: Trx): Promise<void>;
}
