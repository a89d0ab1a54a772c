import Database from 'better-sqlite3';
import { alterFile, newStoreFile, openTestStore } from '../../support/store/store-file.ts';
import { describeFees } from './fees.ts';
import { describeStore } from './store.ts';
import { describeTampering } from './tampering.ts';

const isLongRun = Number(process.env.VERIFY_RUNS ?? 1) > 1;

// Runs the statements of a file, and promises nothing that a file does not; most other tests use it besides.
if (isLongRun) describeStore('SQLite in memory', () => openTestStore());
describeStore('an SQLite file', () => openTestStore(newStoreFile()));

describeTampering('an SQLite file', async () => {
  const file = newStoreFile();
  const store = await openTestStore(file);
  return { store, alter: async (statement) => alterFile(file, statement) };
});

describeFees('an SQLite file', async () => {
  const file = newStoreFile();
  const store = await openTestStore(file);
  const read = async (statement: string) => {
    const database = new Database(file, { readonly: true });
    const rows = database.prepare(statement).all() as Record<string, unknown>[];
    database.close();
    return rows;
  };
  return { store, read, alter: async (statement) => alterFile(file, statement) };
});
