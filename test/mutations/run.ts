import { mutationSets } from './all.ts';
import type { Mutation, MutationSet } from './mutation.ts';
import { createWorkspace, type Workspace } from './workspace.ts';

/**
 * Applies each mutation to a copy of the checkout and runs the tests that must notice it.
 * Usage: npm run verify:mutations [-- MODULE|FILE…]. Exit 1 below 95 %, or when tests fail without a mutation.
 */
const PASS_MARK = 0.95;
const AT_ONCE = 2;

const wanted = process.argv.slice(2);

const isWanted = (module: string, file: string) =>
  wanted.length === 0 ||
  wanted.some((one) => module === one || module.startsWith(`${one}/`) || file.includes(one));
const sets = mutationSets.flatMap((set) => {
  const mutations = set.mutations.filter(({ file }) => isWanted(set.module, file));
  return mutations.length === 0 ? [] : [{ ...set, mutations }];
});

interface Job {
  set: MutationSet;
  mutation?: Mutation;
}

// Made at once, so that the sources may be edited meanwhile.
const workspaces = Array.from({ length: AT_ONCE }, createWorkspace);

/** Runs all jobs, at most two at a time; resolves to those whose tests passed, and says why those without a mutation fail. */
async function passing(jobs: readonly Job[]): Promise<Job[]> {
  const queue = [...jobs];
  const passed: Job[] = [];
  const work = async (workspace: Workspace) => {
    for (let job = queue.shift(); job !== undefined; job = queue.shift()) {
      const { set, mutation } = job;
      if (mutation === undefined) {
        const fault = await workspace.fault(set);
        if (fault === undefined) passed.push(job);
        else console.log(`FAILS WITHOUT A MUTATION  ${set.module}: ${fault}`);
        continue;
      }
      const passes = await workspace.survives(mutation, set);
      if (passes) passed.push(job);
      console.log(`${passes ? 'SURVIVED' : 'caught  '}  ${inWords(job)}`);
    }
  };
  await Promise.all(workspaces.map(work));
  return passed;
}

const inWords = ({ set, mutation }: Job) => `${set.module}  ${mutation?.file}  ${mutation?.harm}`;

const sound = await passing(sets.map((set) => ({ set })));
const broken = sets.filter((set) => !sound.some((job) => job.set === set));
const jobs = sets.flatMap((set) => set.mutations.map((mutation) => ({ set, mutation })));
const survivors = broken.length > 0 ? [] : await passing(jobs);
for (const workspace of workspaces) workspace.remove();
if (broken.length > 0) process.exit(1);
for (const { module, mutations } of sets) {
  const survived = survivors.filter(({ set }) => set.module === module).length;
  console.log(`${module}: ${mutations.length - survived} of ${mutations.length} caught`);
}
for (const survivor of survivors) console.log(`survived: ${inWords(survivor)}`);
const score = (jobs.length - survivors.length) / jobs.length;
console.log(`${jobs.length} mutations, ${(score * 100).toFixed(1)} % caught`);
process.exit(score < PASS_MARK ? 1 : 0);
