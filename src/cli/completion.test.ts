import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { runCli } from './cli.ts';

async function printed(argv: readonly string[], environment: Record<string, string> = {}) {
  let out = '';
  let err = '';
  const code = await runCli(argv, {
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
    environment,
    terminal: false,
    columns: 80,
    async *typed() {},
    signal: AbortSignal.abort(),
  });
  return { code, out, err };
}

async function completed(words: readonly string[], environment: Record<string, string> = {}) {
  const { out } = await printed(['--get-yargs-completions', 'clinic-sync', ...words], environment);
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
  [
    ['bookings', 'list', '--state', 'r'],
    ['received', 'rejected'],
  ],
  [
    ['deliveries', 'list', '--state', ''],
    ['pending', 'delivered', 'dead', 'skipped'],
  ],
  [['nonsense', 'x'], []],
])('completes %j', async (words, expected) => {
  expect(await completed(words)).toEqual(expected);
});

it('says in zsh what each does', async () => {
  expect(await completed(['bookings', 'sh'], { SHELL: '/bin/zsh' })).toEqual([
    'show:One booking: what happened, what is known, what can be done',
  ]);
});

it.each([
  [['completion', 'bash'], '/bin/zsh', 'complete -o'],
  [['completion', 'zsh'], '/bin/bash', '#compdef clinic-sync'],
  [['completion'], '/bin/bash', 'complete -o'],
  [['completion'], '/usr/bin/zsh', '#compdef clinic-sync'],
])('prints for %j in %s the script of that shell', async (argv, SHELL, has) => {
  const { code, out } = await printed(argv, { SHELL });

  expect({ code, has: out.includes(has) }).toEqual({ code: 0, has: true });
});

it('names the shells that it knows', async () => {
  const { code, err } = await printed(['completion', 'fish']);

  expect(code).toBe(64);
  expect(err).toMatch(/bash.*zsh/);
});

it('asks in bash about the words up to the cursor, also for a person whose own shell is zsh', async () => {
  const { out } = await printed(['completion', 'bash']);
  const asked = execFileSync(
    'bash',
    [
      '-c',
      `clinic-sync() { printf '%s\\n' "$SHELL" "$@"; }
${out}
COMP_WORDS=(clinic-sync bookings ap later) COMP_CWORD=2
_clinic_sync
printf '%s|' "\${COMPREPLY[@]}"`,
    ],
    { env: { ...process.env, SHELL: '/bin/zsh' } },
  );

  expect(String(asked)).toBe('bash|--get-yargs-completions|clinic-sync|bookings|ap|');
});
