import { once } from 'node:events';
import { statSync } from 'node:fs';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { checkPages, type Task } from './check-pages.ts';

/** Heap of the thread; pages pass through a small cache outside it. */
const HEAP_MB = 24;
/** Read in a few milliseconds; a separate thread would cost ten times as much. */
const SMALL_BYTES = 2 * 1024 * 1024;

/**
 * Reads every page of the database, in a separate thread if it is large. Resolves to the first damage SQLite reports;
 * undefined for none. Rejects if the check could not run or was aborted.
 */
export async function findDamage(
  file: string,
  signal: AbortSignal,
  check: Task['check'] = 'quick_check',
): Promise<string | undefined> {
  signal.throwIfAborted();
  const task: Task = { file, check };
  const answer = statSync(file).size <= SMALL_BYTES ? checkPages(task) : await checkBeside(task, signal);
  return answer === 'ok' ? undefined : String(answer);
}

async function checkBeside(task: Task, signal: AbortSignal): Promise<string> {
  const script = new URL(`./integrity-worker${extname(import.meta.filename)}`, import.meta.url);
  const worker = new Worker(script, {
    workerData: task,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
  });
  try {
    const [answer] = (await once(worker, 'message', { signal })) as [string];
    return answer;
  } finally {
    await worker.terminate();
  }
}
