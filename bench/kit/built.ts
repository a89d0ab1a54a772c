import { existsSync, globSync, statSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');
const built = join(root, 'dist/main.js');

/**
 * The bundle as shipped, or the one that `BENCH_MAIN` names. Exits when it is out of date, which would go unnoticed in
 * the figures.
 */
export function builtDaemon(): string {
  const named = process.env.BENCH_MAIN;
  if (named !== undefined) return named;
  const newest = Math.max(
    ...globSync('{src,connectors,sandbox}/**/*.ts', { cwd: root, exclude: ['**/*.test.ts'] }).map(
      (file) => statSync(join(root, file)).mtimeMs,
    ),
  );
  if (existsSync(built) && statSync(built).mtimeMs >= newest) return built;
  process.stderr.write('dist is missing or older than the sources: npm run build comes first.\n');
  process.exit(1);
}
