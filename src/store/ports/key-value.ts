export interface KeyValueVerbs {
  get(scope: string, key: string): Promise<string | undefined>;
  /** Stores it unless there is one already. Resolves to what is there then. */
  keep(scope: string, key: string, value: string): Promise<string>;
  /** All or nothing; undefined deletes. */
  set(scope: string, entries: Record<string, string | undefined>): Promise<void>;
  list(scope: string, prefix: string): Promise<Record<string, string>>;
}
