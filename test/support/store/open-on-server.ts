import { onTestFinished } from 'vitest';
import { systemClock } from '../../../src/platform/clock.ts';
import { silentLog } from '../../../src/platform/log.ts';
import { openPostgres } from '../../../src/store/postgres.ts';
import type { Store } from '../../../src/store/store.ts';

/** As a daemon does. Closed with the test, whatever became of the server. */
export async function openOnServer(url: string): Promise<Store> {
  const store = await openPostgres({
    url,
    clock: systemClock,
    log: silentLog,
    mode: 'daemon',
    version: '0.0.0',
  });
  onTestFinished(() => store.close().catch(() => {}));
  return store;
}
