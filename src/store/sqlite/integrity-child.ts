import { constants, setPriority } from 'node:os';
import { codeOf } from '../../platform/failure.ts';
import { checkPages, type Task } from './check-pages.ts';

/** In a process of its own: SQLite reads for minutes, and nothing within a process can interrupt it. */
setPriority(constants.priority.PRIORITY_LOW);
const [, , check, file] = process.argv;
process.stdout.write(JSON.stringify(checked({ check, file } as Task)));

function checked(task: Task): { answer: unknown } | { code: string | undefined } {
  try {
    return { answer: checkPages(task) };
  } catch (error) {
    return { code: codeOf(error) };
  }
}
