export interface KeyValueVerbs {
  get(scope: string, key: string): Promise<string | undefined>;
  /** All or nothing; undefined deletes. */
  set(scope: string, entries: Record<string, string | undefined>): Promise<void>;
  list(scope: string, prefix: string): Promise<Record<string, string>>;
}
