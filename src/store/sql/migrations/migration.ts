/** One step forward; there is no way back but a backup. Each runs in a transaction of its own with its row here. */
export interface Migration {
  number: number;
  name: string;
  statements: readonly string[];
  /** The same step on PostgreSQL. No database there is older than step 70. */
  postgres?: readonly string[];
}
