import { statSync } from 'node:fs';
import { checkPages, type Task } from './check-pages.ts';
import { childAnswer } from './child-process.ts';

/** Read in a few milliseconds; a process of its own would cost ten times as much. */
const SMALL_BYTES = 2 * 1024 * 1024;

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
  const { answer, code } = ((await childAnswer('integrity-child', [check, file], signal)) ?? {}) as {
    answer?: string;
    code?: string;
  };
  if (answer !== undefined) return answer;
  throw Object.assign(new Error('The process of the check gave no answer'), { code: code ?? 'ENDED' });
}
