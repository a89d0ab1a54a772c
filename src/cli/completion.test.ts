import { expect, it } from 'vitest';
import { runCli } from './cli.ts';

async function completed(words: readonly string[], environment: Record<string, string> = {}) {
  let out = '';
  await runCli(['--get-yargs-completions', 'clinic-sync', ...words], {
    out: (text) => {
      out += text;
    },
    err: () => {},
    environment,
    terminal: false,
    columns: 80,
    async *typed() {},
    signal: AbortSignal.abort(),
  });
  return out.split('\n').filter((line) => line !== '');
}

it.each([
  [['boo'], ['bookings']],
  [['bookings', 'ap'], ['approve']],
  [
    ['guards', ''],
    ['list', 'approve'],
  ],
  [['changes', '--fo'], ['--follow']],
  [['nonsense', 'x'], []],
])('completes %j', async (words, expected) => {
  expect(await completed(words)).toEqual(expected);
});

it('says in zsh what each does', async () => {
  expect(await completed(['bookings', 'sh'], { SHELL: '/bin/zsh' })).toEqual([
    'show:One booking: what happened, what is known, what can be done',
  ]);
});
