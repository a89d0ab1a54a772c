import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { findProgram, needing } from '../../test/support/program.ts';
import { runCli } from './cli.ts';

const fish = findProgram('fish');

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

it.each([
  ['/bin/zsh', ':'],
  ['/usr/bin/fish', '\t'],
])('says in %s what each does', async (SHELL, separator) => {
  expect(await completed(['bookings', 'sh'], { SHELL })).toEqual([
    `show${separator}One booking: what happened, what is known, what can be done`,
  ]);
});

it.each([
  [['completion', 'bash'], '/bin/zsh', 'complete -o'],
  [['completion', 'zsh'], '/bin/bash', '#compdef clinic-sync'],
  [['completion', 'fish'], '/bin/bash', 'complete -c clinic-sync'],
  [['completion'], '/usr/bin/fish', 'complete -c clinic-sync'],
  [['completion'], '/bin/bash', 'complete -o'],
  [['completion'], '/usr/bin/zsh', '#compdef clinic-sync'],
])('prints for %j in %s the script of that shell', async (argv, SHELL, has) => {
  const { code, out } = await printed(argv, { SHELL });

  expect({ code, has: out.includes(has) }).toEqual({ code: 0, has: true });
});

it('names the shells that it knows', async () => {
  const { code, err } = await printed(['completion', 'powershell']);

  expect(code).toBe(64);
  expect(err).toMatch(/bash.*fish.*zsh/);
});

it.each([
  [
    ['connectors', 'pause', ''],
    ['crm', 'notify.desk'],
  ],
  [['deliveries', 'skip', 'c'], ['crm']],
  [
    ['silence', ''],
    ['north', 'south'],
  ],
  [['bookings', 'resume', 's'], ['south']],
  [['notify', 'test', ''], ['desk']],
])('completes what the configuration names: %j', async (words, expected) => {
  const folder = mkdtempSync(join(tmpdir(), 'completion-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const CLINIC_SYNC_CONFIG = join(folder, 'clinic-sync.yaml');
  const clinic = '{ base_url: "http://127.0.0.1:9", app_key: a, secret_key: b, timezone: Asia/Dhaka }';
  writeFileSync(
    CLINIC_SYNC_CONFIG,
    `version: 1
clinics: { north: ${clinic}, south: ${clinic} }
connectors: { crm: { use: webhook, url: "https://crm.example/", secret: "\${CRM_SECRET}" } }
notify: { desk: { use: slack, url: "https://hooks.example/x" } }
`,
  );

  expect(await completed(words, { CLINIC_SYNC_CONFIG })).toEqual(expected);
});

it.skipIf(fish === undefined)(`offers in fish${needing('fish', fish)} what the program says`, async () => {
  const { out } = await printed(['completion', 'fish']);
  const folder = mkdtempSync(join(tmpdir(), 'completion-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const program = '#!/bin/sh\nprintf "approve %s %s\\tRelease it\\n" "$SHELL" "$*"\n';
  writeFileSync(join(folder, 'clinic-sync'), program, { mode: 0o755 });
  const env = { ...process.env, PATH: `${folder}:${process.env.PATH}`, SHELL: '/bin/bash' };
  const asked = `${out}\ncomplete -C 'clinic-sync bookings ap'`;

  const offered = String(execFileSync(fish ?? '', ['--no-config', '-c', asked], { env }));

  expect(offered).toBe('approve fish --get-yargs-completions clinic-sync bookings ap\tRelease it\n');
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
