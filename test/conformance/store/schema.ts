import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { createDatabase, newStoreFile } from '../../support/store/store-file.ts';

/** `names` lists what PostgreSQL has, once a store was opened on it. */
export function describeSchema(names: (statement: string) => Promise<unknown[]>): void {
  it('has the tables, views and columns that SQLite has, in their order', async () => {
    const file = newStoreFile();
    await createDatabase(file);

    const found = await names(
      `select table_name || '.' || column_name as name from information_schema.columns
        where table_schema = 'public' and table_name not in ('clinic_heads', 'members', 'units')
        order by table_name collate "C", ordinal_position`,
    );

    const sqlite = new Database(file);
    const expected = sqlite
      .prepare(
        `select s.name || '.' || c.name from sqlite_schema s, pragma_table_xinfo(s.name) c
          where s.type in ('table', 'view') and s.name not like 'sqlite_%' order by s.name, c.cid`,
      )
      .pluck()
      .all();
    sqlite.close();
    expect(found).toEqual(expected);
  });
}
