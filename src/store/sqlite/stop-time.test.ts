import { statSync } from 'node:fs';
import { expect, it } from 'vitest';
import { booking, judge } from '../../../test/conformance/store/samples.ts';
import { fakeClock } from '../../../test/support/fake-clock.ts';
import { newStoreFile } from '../../../test/support/store/store-file.ts';
import { silentLog } from '../../platform/log.ts';
import { openFileStore } from '../sqlite.ts';

/** A store on a disk that takes `syncMs` for each sync, as its clock says. */
async function onDisk(syncMs: number) {
  const file = newStoreFile();
  const time = fakeClock();
  let isMeasured = false;
  const monotonic = () => {
    if (isMeasured) void time.advance(syncMs / 2);
    return time.monotonic();
  };
  const stopping = new AbortController();
  const warnings: string[] = [];
  const log = { ...silentLog, warn: (text: string) => void warnings.push(text) };
  const options = {
    file,
    clock: { ...time, monotonic },
    log,
    mode: 'daemon',
    signal: stopping.signal,
  } as const;
  const store = await openFileStore(options);
  isMeasured = true;
  await store.bookings.accept(booking(), judge);
  return {
    file,
    time,
    store,
    stop: () => stopping.abort(),
    warnings,
    again: () => openFileStore({ ...options, signal: undefined }),
  };
}

const logBytes = (file: string) => statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0;

it('stops in ten seconds on a slow disk: what was stored stays, what no longer fits in is refused', async () => {
  const { file, time, store, stop, warnings, again } = await onDisk(2_000);

  const began = time.monotonic();
  stop();
  let stored = 1;
  while (
    await store.bookings.accept(booking(), judge).then(
      () => true,
      () => false,
    )
  )
    stored += 1;
  const refused = await store.bookings.accept(booking(), judge).catch((error: Error) => error);
  await store.close();
  const tookMs = time.monotonic() - began;
  const left = logBytes(file);
  const reopened = await again();

  expect(tookMs).toBeLessThanOrEqual(10_000);
  expect(stored).toBeGreaterThan(1);
  expect(refused).toMatchObject({ kind: 'transient', message: expect.stringContaining('stopping') });
  expect(warnings).toEqual(['the disk is slow: the log of the database stays for the next start']);
  expect(left).toBeGreaterThan(0);
  expect(await reopened.bookings.list({})).toHaveLength(stored);
  expect(reopened.identity.restored).toBe(false);
  await reopened.close();
});

it('leaves nothing in the log of the database where there is time', async () => {
  const { file, store, stop, warnings } = await onDisk(1);

  stop();
  await store.close();

  expect(logBytes(file)).toBe(0);
  expect(warnings).toEqual([]);
});

it('ends a start between two of its steps, and the next one finds the database free', async () => {
  const file = newStoreFile();
  const reason = new Error('stopped');
  const options = { file, clock: fakeClock(), log: silentLog, mode: 'daemon' } as const;

  await expect(openFileStore({ ...options, signal: AbortSignal.abort(reason) })).rejects.toBe(reason);

  const store = await openFileStore(options);
  expect(await store.bookings.list({})).toEqual([]);
  await store.close();
});
