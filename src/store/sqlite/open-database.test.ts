import { expect, it, onTestFinished } from 'vitest';
import { newStoreFile } from '../../../test/support/store/store-file.ts';
import { openFile } from './open-database.ts';

it.each(['new', 'reopened'])(
  'a %s file runs with every setting that durability and privacy rest on',
  (kind) => {
    const file = newStoreFile();
    if (kind === 'reopened') openFile(file, { create: true }).close();

    const database = openFile(file, { create: kind === 'new' });
    onTestFinished(() => void database.close());

    const settings = [
      'journal_mode',
      'synchronous',
      'foreign_keys',
      'secure_delete',
      'trusted_schema',
      'temp_store',
    ];
    expect(settings.map((name) => [name, database.pragma(name, { simple: true })])).toEqual([
      ['journal_mode', 'wal'],
      ['synchronous', 2],
      ['foreign_keys', 1],
      ['secure_delete', 1],
      ['trusted_schema', 0],
      ['temp_store', 2],
    ]);
    expect(database.pragma('busy_timeout', { simple: true })).toBeLessThan(100);
  },
);
