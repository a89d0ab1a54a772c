import { once } from 'node:events';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Task } from './integrity-worker.ts';

/** Heap of the thread; pages pass through a small cache outside it. */
const HEAP_MB = 24;

/**
 * Reads every page of the database in its own thread. Resolves to the first damage SQLite reports, undefined for none.
 * Rejects when the check could not run or was aborted.
 */
export async function findDamage(
  file: string,
  signal: AbortSignal,
  check: Task['check'] = 'quick_check',
): Promise<string | undefined> {
  signal.throwIfAborted();
  const script = new URL(`./integrity-worker${extname(import.meta.filename)}`, import.meta.url);
  const worker = new Worker(script, {
    workerData: { file, check } satisfies Task,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
  });
  try {
    const [answer] = (await once(worker, 'message', { signal })) as [string];
    return answer === 'ok' ? undefined : answer;
  } finally {
    await worker.terminate();
  }
}
