import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';

const root = join(import.meta.dirname, '..');

/**
 * Scripts that run in a process or a thread of their own are found beside their caller by name, so all files lie in one
 * folder. A native addon cannot be bundled, and vitest belongs to whoever tests a connector.
 */
const entries = {
  main: 'src/main.ts',
  connector: 'src/connector.ts',
  'connector-testing': 'test/conformance/connector/describe-connector.ts',
  'integrity-worker': 'src/store/sqlite/integrity-worker.ts',
  'isolated-child': 'src/app/isolation/isolated-child.ts',
};

/** Replaces `folder` by the program in a few files, with the licences of everything in them. */
export async function bundle(folder: string, { maps }: { maps: boolean }): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const build = await rolldown({
    cwd: root,
    input: entries,
    platform: 'node',
    external: ['better-sqlite3', 'vitest'],
    logLevel: 'warn',
  });
  const { output } = await build.write({
    dir: folder,
    format: 'esm',
    sourcemap: maps,
    // V8 keeps the source of every file: a single character beyond Latin-1 doubles it, and comments are a tenth.
    charset: 'ascii',
    comments: false,
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
  });
  await build.close();
  const modules = output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
  writeFileSync(join(folder, 'licenses.txt'), licencesOf(modules));
}

/** The licence texts of the packages these modules belong to; what a package.json says where a package brings no text. */
function licencesOf(modules: readonly string[]): string {
  const folders = new Set(
    modules.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? []),
  );
  const texts = [...folders]
    .filter((folder) => existsSync(join(folder, 'package.json')))
    .sort()
    .map((folder) => {
      const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
      const file = readdirSync(folder).find((entry) => /^(licen[cs]e|copying)/i.test(entry));
      const text =
        file === undefined ? `Licence: ${license}` : readFileSync(join(folder, file), 'utf8').trim();
      return `${name} ${version}\n\n${text}\n`;
    });
  return texts.join(`\n${'-'.repeat(80)}\n\n`);
}

if (process.argv[1] === import.meta.filename) await bundle(join(root, 'dist'), { maps: true });
