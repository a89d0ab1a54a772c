import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { printed, type Report } from './kit/report.ts';

/** `node bench/run.ts [NAME…]` runs the named measurements, or all, one after the other. */
const scripts: Record<string, () => Promise<Report | undefined>> = {
  mirror: async () => (await import('./mirror.ts')).mirror(),
  intake: async () => (await import('./intake.ts')).intake(),
  peers: async () => (await import('./peers.ts')).peers(),
  deliveries: async () => (await import('./deliveries.ts')).deliveries(),
  start: async () => (await import('./start.ts')).start(),
  soak: async () => (await import('./soak.ts')).soak(),
  history: async () => (await import('./history.ts')).history(),
  clinics: async () => (await import('./clinics.ts')).clinics(),
  fleet: async () => (await import('./fleet.ts')).fleet(),
  postgres: async () => (await import('./postgres.ts')).postgres(),
  guard: async () => (await import('./guard.ts')).guard(),
  // Counts calls and bytes rather than time, and prints its own lines.
  'google-sheets': async () => void (await import('./google-sheets.ts')),
};

const given = process.argv.slice(2);
const unknown = given.filter((name) => !Object.hasOwn(scripts, name));
if (unknown.length > 0) {
  process.stderr.write(`There is no ${unknown.join(', ')}. There are: ${Object.keys(scripts).join(', ')}.\n`);
  process.exit(64);
}

/** Take twenty minutes, need PostgreSQL's programs, or build the last release. */
const NAMED_ONLY = ['soak', 'fleet', 'postgres', 'guard'];
const names = given.length === 0 ? Object.keys(scripts).filter((name) => !NAMED_ONLY.includes(name)) : given;
const [only] = names;
if (names.length === 1 && only !== undefined) {
  const report = await scripts[only]?.();
  if (report) process.stdout.write(`${printed(report)}\n`);
} else {
  // Each runs in its own process, so that its heap does not slow down the next.
  for (const name of names) {
    const child = spawn(process.execPath, [import.meta.filename, name], { stdio: 'inherit' });
    const [code] = (await once(child, 'exit')) as [number | null];
    if (code !== 0) process.exitCode = 1;
    process.stdout.write('\n');
  }
}
