import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { extname } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

/** Pages pass through a small cache outside the heap; the threads that V8 would help itself with have nothing to do. */
const FLAGS = ['--max-old-space-size=24', '--max-semi-space-size=1', '--v8-pool-size=0'];

/** What the program `NAME.ts` beside this file writes as JSON; undefined if nothing. It is killed on abort. */
export async function childAnswer(
  name: 'integrity-child' | 'backup-child',
  given: readonly string[],
  signal: AbortSignal,
): Promise<unknown> {
  const program = fileURLToPath(new URL(`./${name}${extname(import.meta.filename)}`, import.meta.url));
  const child = spawn(process.execPath, [...FLAGS, program, ...given], {
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
    return said === '' ? undefined : JSON.parse(said);
  } finally {
    signal.removeEventListener('abort', kill);
  }
}
