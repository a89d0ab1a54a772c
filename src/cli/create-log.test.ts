import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';

const scriptOf = (lines: string, terminal = false): string[] => {
  const file = JSON.stringify(join(import.meta.dirname, 'create-log.ts'));
  const script = `import { createLog } from ${file}; const { log, output } = await createLog('info', ${terminal}); ${lines}`;
  return ['--input-type=module', '-e', script];
};
const linesIn = (stdout: string): { msg: string; count?: number }[] =>
  stdout.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));

/** What a process wrote that logged by `lines`. */
function written(lines: string): Promise<string[]> {
  return new Promise((resolve) => {
    execFile(process.execPath, scriptOf(lines), (_error, stdout) =>
      resolve(linesIn(stdout).map(({ msg }) => msg)),
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

const FLOOD = `for (let n = 0; n < 40; n++) {
  for (let i = 0; i < 1_000; i++) log.info('one');
  await new Promise((resolve) => setImmediate(resolve));
}`;
const DROPPED = 'log lines were dropped while nothing took them';

it('works on while nobody reads, and says later how many lines are missing', async () => {
  const child = spawn(
    process.execPath,
    scriptOf(`${FLOOD}
      process.send({ dropped: output.dropped(), code: output.stalled()?.code });
      process.once('message', () => { log.info('last'); process.disconnect(); });
      const look = setInterval(() => output.stalled() ?? clearInterval(look));`),
    { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] },
  );
  const [seen] = await once(child, 'message');

  const reading = text(Readable.from(child.stdout ?? []));
  child.send('read now');
  const found = linesIn(await reading);

  expect(seen.code).toBe('EAGAIN');
  expect(seen.dropped).toBeGreaterThan(0);
  const gaps = found.filter(({ msg }) => msg === DROPPED);
  const whole = found.filter(({ msg }) => msg === 'one').length;
  expect(gaps).toHaveLength(1);
  // The last line counts among those written, or among those dropped.
  expect(whole + (gaps[0]?.count ?? 0)).toBeGreaterThanOrEqual(40_000);
  expect(whole + (gaps[0]?.count ?? 0)).toBeLessThanOrEqual(40_001);
});

it('ends although nobody reads', async () => {
  const child = spawn(process.execPath, scriptOf(`${FLOOD} process.exit(3);`), {
    stdio: ['ignore', 'pipe', 'inherit'],
  });

  expect(await once(child, 'exit')).toEqual([3, null]);
});

it.each([false, true])('survives a full disk under its log (pretty: %s)', async (terminal) => {
  const full = openSync('/dev/full', 'w');
  const script = `log.warn('one'); process.exit(output.stalled()?.code === 'ENOSPC' ? 3 : 4);`;
  const child = spawn(process.execPath, scriptOf(script, terminal), { stdio: ['ignore', full, 'inherit'] });

  expect(await once(child, 'exit')).toEqual([3, null]);
});

it('survives a log file that may not grow, and ends with what fits in it', async () => {
  const folder = await temporaryFolder();
  const file = join(folder, 'log');
  const script = scriptOf(`${FLOOD}
    const look = setInterval(() => { if (output.stalled()) process.exit(output.stalled().code === 'EFBIG' ? 3 : 4); });`);
  // Blocks of 512 or 1,024 bytes, as the shell likes it.
  const limited = `ulimit -f 4; trap '' XFSZ; exec "$0" "$@" > '${file}'`;
  const child = spawn('sh', ['-c', limited, process.execPath, ...script], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });

  expect(await once(child, 'exit')).toEqual([3, null]);
  expect(statSync(file).size).toBeGreaterThan(0);
});

it('survives a reader that goes away', async () => {
  const child = spawn(
    process.execPath,
    scriptOf(`process.send('ready'); process.once('message', () => {
      for (let n = 0; n < 3; n++) log.warn('one');
      process.exit(output.stalled()?.code === 'EPIPE' ? 3 : 4);
    });`),
    { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] },
  );
  await once(child, 'message');
  child.stdout?.destroy();
  if (child.stdout?.closed === false) await once(child.stdout, 'close');
  child.send('write now');

  expect(await once(child, 'exit')).toEqual([3, null]);
});
