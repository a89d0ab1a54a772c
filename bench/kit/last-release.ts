import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from './folder.ts';

const root = join(import.meta.dirname, '../..');
const kept = join(root, 'node_modules/.cache/clinic-sync-releases');

/** The bundle of the last release, or of the file or revision that `BENCH_BASELINE` names, built once. */
export function lastRelease(): { name: string; main: string } {
  const named = process.env.BENCH_BASELINE;
  if (named !== undefined && existsSync(named)) return { name: named, main: named };
  const revision = named ?? git('describe', '--tags', '--abbrev=0', '--match', 'v[0-9]*', 'HEAD^');
  const commit = git('rev-parse', '--verify', `${revision}^{commit}`);
  const folder = join(kept, commit);
  if (!existsSync(folder)) build(commit, folder);
  return { name: revision, main: join(folder, 'dist/main.js') };
}

function build(commit: string, folder: string): void {
  using own = temporaryFolder();
  const tree = join(own.path, 'tree');
  git('worktree', 'add', '--detach', tree, commit);
  try {
    const run = (file: string, ...words: string[]) =>
      execFileSync(file, words, { cwd: tree, stdio: 'inherit' });
    if (librariesOf(tree) === librariesOf(root))
      symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'));
    else run('npm', 'ci', '--no-audit', '--no-fund');
    for (const script of ['bundle', 'keep-compiled']) run(process.execPath, `scripts/${script}.ts`);
    rmSync(folder, { recursive: true, force: true });
    for (const path of ['package.json', 'node_modules/better-sqlite3', 'dist'])
      cpSync(join(tree, path), join(folder, path), { recursive: true, dereference: true });
  } finally {
    git('worktree', 'remove', '--force', tree);
  }
}

/** What the bundle is made of, and with. */
function librariesOf(folder: string): string {
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return JSON.stringify([dependencies, devDependencies.node, devDependencies.rolldown]);
}

const git = (...words: string[]): string =>
  execFileSync('git', words, { cwd: root, encoding: 'utf8' }).trim();
