import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';

/** What a process wrote that logged by `lines`. */
function written(lines: string): Promise<string[]> {
  const file = JSON.stringify(join(import.meta.dirname, 'log.ts'));
  const script = `import { createLog } from ${file}; const log = await createLog('info', false); ${lines}`;
  return new Promise((resolve) => {
    execFile(process.execPath, ['--input-type=module', '-e', script], (_error, stdout) =>
      resolve(stdout.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line).msg]))),
    );
  });
}

it('writes every line before the process exits', async () => {
  const texts = await written(`log.info('one'); log.info('two'); process.exit(3);`);

  expect(texts).toEqual(['one', 'two']);
});

it('writes every line before an uncaught error ends the process', async () => {
  const texts = await written(
    `log.info('one'); setImmediate(() => { log.info('two'); throw new Error(); });`,
  );

  expect(texts).toEqual(['one', 'two']);
});

it.each(['warn', 'error'])(
  'has written a %s, and what came before it, when the process is killed',
  async (level) => {
    const texts = await written(
      `log.info('one'); log.${level}('two'); process.kill(process.pid, 'SIGKILL');`,
    );

    expect(texts).toEqual(['one', 'two']);
  },
);
