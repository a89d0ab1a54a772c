import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Runs the tests of the first tier on other days: each day of the week, later ones, and the hours in which clocks are
 * put forward and back. Prints what fails there. Needs `faketime` (Debian has it).
 * Usage: npm run verify:calendar [-- FILE…]. Exit 1 when a test fails.
 */
const days: readonly { at: string; zone?: string }[] = [
  ...[1, 2, 3, 4, 5, 6, 7, 45, 400].map((ahead) => ({ at: `+${ahead}d` })),
  { at: '@2027-03-28 01:58:00', zone: 'Europe/Berlin' },
  { at: '@2027-10-31 02:58:00', zone: 'Europe/Berlin' },
];

interface Results {
  testResults: {
    name: string;
    message: string;
    status: string;
    assertionResults: { status: string; fullName: string }[];
  }[];
}

const folder = mkdtempSync(join(tmpdir(), 'clinic-sync-calendar-'));
const file = join(folder, 'results.json');
const reporting = ['--reporter=json', `--outputFile=${file}`];
/** Chromium takes half a minute for a page under `faketime`. */
const excluded = ['*-in-a-browser', 'behind-a-proxy'].map((name) => `--exclude=test/stories/${name}.test.ts`);
const program = [
  'vitest',
  'run',
  '--tags-filter=!thorough',
  ...excluded,
  ...reporting,
  ...process.argv.slice(2),
];
let isRed = false;
try {
  for (const { at, zone } of days) {
    // A monotonic clock that is faked, too, stops waiting for timers.
    const env = { ...process.env, DONT_FAKE_MONOTONIC: '1', ...(zone && { TZ: zone }) };
    const { status, error } = spawnSync('faketime', ['-f', at, ...program], { env, stdio: 'ignore' });
    if (error) throw error;
    const { testResults } = JSON.parse(readFileSync(file, 'utf8')) as Results;
    const red = testResults.flatMap(({ name, message, status, assertionResults }) => {
      const failed = assertionResults.filter((test) => test.status === 'failed');
      return failed.length === 0 && status === 'failed'
        ? [`${name}: ${message}`]
        : failed.map(({ fullName }) => `${name}: ${fullName}`);
    });
    console.log(`${at} ${zone ?? ''}: ${status === 0 ? 'green' : `${red.length} red`}`);
    for (const line of red) console.log(`  ${line.replace(`${process.cwd()}/`, '')}`);
    isRed ||= status !== 0;
  }
} finally {
  rmSync(folder, { recursive: true });
}
process.exitCode = isRed ? 1 : 0;
