export interface KeyValueVerbs {
  get(scope: string, key: string): Promise<string | undefined>;
  /** Stores the value unless there is one already. Resolves to the stored value. */
  keep(scope: string, key: string, value: string): Promise<string>;
  /** All or nothing; undefined deletes. */
  set(scope: string, entries: Record<string, string | undefined>): Promise<void>;
  list(scope: string, prefix: string): Promise<Record<string, string>>;
}
