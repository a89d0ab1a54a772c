import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { silentLog } from '../../../src/model/log.ts';
import { openStore } from '../../../src/store/sqlite.ts';
import { fakeClock } from '../../support/fake-clock.ts';
import { describeStore } from './store.ts';

const open = async (file: string) => {
  const store = await openStore({ file, clock: fakeClock(), log: silentLog, mode: 'daemon' });
  onTestFinished(() => store.close());
  return store;
};

describeStore('SQLite in memory', () => open(':memory:'));

describeStore('an SQLite file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'clinic-sync-store-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return open(join(folder, 'clinic-sync.db'));
});
