import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { extname } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { checkPages, type Task } from './check-pages.ts';

/** Read in a few milliseconds; a process of its own would cost ten times as much. */
const SMALL_BYTES = 2 * 1024 * 1024;
/** Pages pass through a small cache outside the heap; the threads that V8 would help itself with have nothing to do. */
const FLAGS = ['--max-old-space-size=24', '--max-semi-space-size=1', '--v8-pool-size=0'];
const CHILD = fileURLToPath(new URL(`./integrity-child${extname(import.meta.filename)}`, import.meta.url));

/**
 * Reads every page of the database: of a large one in a process of its own, which is killed on abort. Resolves to the
 * first damage SQLite reports; undefined for none. Rejects if the check could not run or was aborted.
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

async function checkBeside({ check, file }: Task, signal: AbortSignal): Promise<unknown> {
  const child = spawn(process.execPath, [...FLAGS, CHILD, check, file], {
    // Not the daemon's environment: it has keys and tokens.
    env: {},
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const kill = () => void child.kill('SIGKILL');
  signal.addEventListener('abort', kill, { once: true });
  try {
    // Until it is gone, it holds the log open.
    const [said] = await Promise.all([text(child.stdout), once(child, 'close')]);
    signal.throwIfAborted();
    const { answer, code } = JSON.parse(said || '{}') as { answer?: string; code?: string };
    if (answer !== undefined) return answer;
    throw Object.assign(new Error('The process of the check gave no answer'), { code: code ?? 'ENDED' });
  } finally {
    signal.removeEventListener('abort', kill);
  }
}
