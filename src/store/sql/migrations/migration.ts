import type { Trx } from '../database.ts';

/** One step forward, in its own transaction with a row here. Only a backup leads back. */
export interface Migration {
  number: number;
  name: string;
  statements: readonly string[];
  /** The same step on PostgreSQL, where no database is older than step 71. */
  postgres?: readonly string[];
  /** Changes to existing rows that statements cannot express; runs after them. */
  fill?(trx: Trx): Promise<void>;
}
