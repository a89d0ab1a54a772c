import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Mutation, MutationSet } from './mutation.ts';

/** The part of the runner's report that is read. */
interface Ran {
  numPassedTests: number;
  testResults: { assertionResults: { status: string; fullName: string; failureMessages: string[] }[] }[];
}

const root = join(import.meta.dirname, '../..');
/** How long the tests of a set may take without a mutation, on a busy machine. */
const PATIENCE_MS = 15 * 60_000;
/** A mutation that makes the tests hang is noticed, too: they take so many times as long as without it. */
const HANGS = { times: 4, leastMs: 60_000 };

/** A copy of the checkout, so that faults never touch the sources under edit. */
export interface Workspace {
  /** Why the tests do not pass, or undefined. Takes the time that tells afterwards which mutation makes them hang. */
  fault(set: MutationSet): Promise<string | undefined>;
  /** True when no test of the set notices the mutation. */
  survives(mutation: Mutation, set: MutationSet): Promise<boolean>;
  remove(): void;
}

const deadlines = new Map<MutationSet, number>();

export function createWorkspace(): Workspace {
  const folder = mkdtempSync(join(tmpdir(), 'clinic-sync-mutations-'));
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
  });
  for (const file of listed.toString().split('\n').filter(Boolean))
    if (existsSync(join(root, file))) cpSync(join(root, file), join(folder, file));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));

  const faultOf = ({ tests, titles }: MutationSet, deadlineMs: number) =>
    run(folder, [...tests, ...(titles === undefined ? [] : ['-t', titles])], deadlineMs);

  return {
    async fault(set) {
      const began = performance.now();
      const fault = await faultOf(set, PATIENCE_MS);
      deadlines.set(set, Math.max(HANGS.leastMs, HANGS.times * (performance.now() - began)));
      return fault;
    },
    async survives({ file, find, replace }, set) {
      const path = join(folder, file);
      const source = readFileSync(path, 'utf8');
      writeFileSync(
        path,
        source.replace(find, () => replace),
      );
      try {
        // The test beside the file mostly notices, and in a fraction of the time.
        const beside = file.replace(/\.ts$/, '.test.ts');
        const isOfSet = set.tests.some((test) => beside === test || beside.startsWith(`${test}/`));
        const deadlineMs = deadlines.get(set) ?? PATIENCE_MS;
        if (isOfSet && existsSync(join(folder, beside)) && (await run(folder, [beside], deadlineMs)))
          return false;
        return (await faultOf(set, deadlineMs)) === undefined;
      } finally {
        writeFileSync(path, source);
      }
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** The first test that fails and why. No test at all is a fault, too: it would let every mutation survive. */
async function run(folder: string, args: readonly string[], deadlineMs: number): Promise<string | undefined> {
  const program = join(root, 'node_modules/vitest/vitest.mjs');
  const report = join(folder, 'mutation-report.json');
  rmSync(report, { force: true });
  const options = ['run', '--bail=1', '--maxWorkers=1', '--reporter=json', `--outputFile=${report}`];
  // A group of its own, so that nothing a test has started outlives the deadline.
  const vitest = spawn(process.execPath, [program, ...options, ...args], {
    cwd: folder,
    stdio: 'ignore',
    detached: true,
  });
  const timer = setTimeout(() => {
    if (vitest.pid !== undefined) process.kill(-vitest.pid, 'SIGKILL');
  }, deadlineMs);
  const [code] = await once(vitest, 'close');
  clearTimeout(timer);
  if (!existsSync(report)) return `no report, exit code ${code}`;
  const { numPassedTests, testResults }: Ran = JSON.parse(readFileSync(report, 'utf8'));
  if (code === 0) return numPassedTests > 0 ? undefined : 'no test ran';
  const failed = testResults
    .flatMap((file) => file.assertionResults)
    .find((test) => test.status === 'failed');
  return failed ? `${failed.fullName}: ${failed.failureMessages[0]}` : `exit code ${code}`;
}
