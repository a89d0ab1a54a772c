import { globSync, readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path/posix';
import { describe, expect, it } from 'vitest';
import { importsOf, moduleOf, rings, sourceFiles } from './support/architecture/rings.ts';

/** A folder is entered through the file of its own name. These are the exceptions. */
const entries: Record<string, (file: string) => boolean> = {
  'src/platform': () => true,
  'src/domain': () => true,
  // One file for each reader.
  'src/reading': () => true,
  // It holds the ports and what databases share; `sql`, `sqlite` and `postgres` are modules of their own.
  'src/store': () => true,
  'src/store/sql': (file) => ['sql.ts', 'stored-tables.ts'].includes(file),
  'src/store/sqlite': () => true,
  'src/store/postgres': () => true,
  'src/clinic': (file) => ['clinic.ts', 'booking-body.ts', 'client.ts', 'reachability.ts'].includes(file),
  'src/config': (file) =>
    [
      'config.ts',
      'faults.ts',
      'load.ts',
      'mail.ts',
      'masking.ts',
      'notify.ts',
      'secrets.ts',
      'json-schema.ts',
    ].includes(file),
  'src/sync': (file) => ['mirror-poller.ts', 'places.ts', 'schedule.ts'].includes(file),
  'src/status': (file) =>
    ['status.ts', 'activity-status.ts', 'call-watch.ts', 'health-watch.ts', 'probes.ts'].includes(file),
  'src/notify': (file) =>
    [
      'notify.ts',
      'target.ts',
      'send-notification.ts',
      'message.ts',
      'heartbeat.ts',
      'outbox.ts',
      'silence.ts',
    ].includes(file),
  'src/fleet': (file) => ['fleet.ts', 'owned-unit.ts'].includes(file),
  // One file for each report.
  'src/reports': () => true,
  'src/deliveries': (file) => ['deliveries.ts', 'strip.ts'].includes(file),
  'src/http': (file) =>
    ['http.ts', 'admin.ts', 'change-pages.ts', 'check-issuer.ts', 'doctor-pass.ts', 'openapi.ts'].includes(
      file,
    ),
  'src/app': (file) =>
    [
      'app.ts',
      'backups.ts',
      'check-connector.ts',
      'clocks.ts',
      'closures.ts',
      'choose-database.ts',
      'installation-key.ts',
      'operations.ts',
      'parts.ts',
      'status-report.ts',
      'shown-delivery.ts',
      'visits-now.ts',
    ].includes(file),
  'src/demo': (file) => ['demo.ts', 'narrator.ts', 'round-trip.ts'].includes(file),
  // `main.ts` checks the version of Node before it loads the commands.
  'src/cli': (file) => ['address-file.ts', 'cli.ts', 'io.ts', 'package.ts'].includes(file),
};

/** Folders of one module that do not know each other; they meet in the files above them. */
const walls = [
  ['src/bookings/dispatch', 'src/bookings/reconciliation', 'src/bookings/review'],
  ['src/clinic/http', 'src/clinic/rate-limit'],
];
const isApart = (file: string, target: string): boolean =>
  walls.some((folders) => {
    const [from, to] = [file, target].map((path) => folders.find((folder) => path.startsWith(`${folder}/`)));
    return from !== undefined && to !== undefined && from !== to;
  });

/** What a regular expression looks for, which would not be read better in parts. */
const unbroken = [
  'connectors/csv/inbox/versions.ts',
  'connectors/google-sheets/api/failures.ts',
  'src/cli/io.ts',
  'src/clinic/http/json-body.ts',
  'src/domain/clinics/setting.ts',
  'src/notify/targets/mail-failures.ts',
  'src/platform/network/web-page.ts',
  'src/platform/text/inert-text.ts',
  'src/platform/text/printable.ts',
  'src/reading/day.ts',
  'src/reading/moment.ts',
  'src/reading/person-name.ts',
  'src/reading/read-status.ts',
  'src/reading/text.ts',
  'src/reading/time-of-day.ts',
];

const ringOf = (module: string) => rings.findIndex(({ modules }) => modules.includes(module));
const isEntry = (module: string, target: string) =>
  target === module || (entries[module]?.(basename(target)) ?? basename(target) === `${basename(module)}.ts`);

function trespasses(file: string): string[] {
  const from = moduleOf(file);
  if (from === undefined) return [`${file} belongs to no module`];
  return importsOf(file).flatMap((target) => {
    const to = moduleOf(target);
    if (to === undefined) return [`${target} belongs to no module`];
    const faults = isApart(file, target) ? [`${file} may not know ${target}`] : [];
    if (to === from) return faults;
    if (ringOf(to) >= ringOf(from)) faults.push(`${file} may not import ${target}`);
    if (!isEntry(to, target)) faults.push(`${file}: ${to} is not entered through ${target}`);
    return faults;
  });
}

describe('architecture', () => {
  it('is described for contributors ring by ring, in this order', () => {
    const page = readFileSync('docs/architecture.md', 'utf8').split('Rings, innermost first')[1] ?? '';
    const list = page.slice(page.indexOf('\n1. '), page.indexOf('\n## '));
    const described = [...list.matchAll(/`((?:src|connectors|sandbox)\/[^`]*)`/g)].map(
      ([, module = '']) => module,
    );

    expect(described).toEqual(rings.flatMap(({ modules }) => modules));
  });

  it('has no file of more than 400 lines, and no test of more than 700', () => {
    const files = globSync('{src,connectors,sandbox,scripts,bench,test}/**/*.{ts,mjs}');
    const limitOf = (file: string) => (file.endsWith('.test.ts') ? 700 : 400);
    const long = files.filter((file) => readFileSync(file, 'utf8').split('\n').length > limitOf(file) + 1);

    expect(long).toEqual([]);
  });

  it('has no line of more than 120 characters', () => {
    const files = globSync('{src,connectors,sandbox}/**/*.{ts,js,css,svg}', { exclude: ['**/*.test.ts'] });
    const long = files.filter((file) => /^.{121}/mu.test(readFileSync(file, 'utf8')));

    expect(long.sort()).toEqual(unbroken);
  });

  it('has no folder of more than 25 files, tests aside', () => {
    const files = globSync('{src,connectors,sandbox}/**/*.ts', { exclude: ['**/*.test.ts'] });
    const folders = Map.groupBy(files, (file) => dirname(file));

    expect([...folders].filter(([, inside]) => inside.length > 25).map(([folder]) => folder)).toEqual([]);
  });

  it('exports each name once', () => {
    const homes = new Map<string, string[]>();
    for (const file of globSync('{src,connectors,sandbox}/**/*.ts', { exclude: ['**/*.test.ts'] })) {
      const text = readFileSync(file, 'utf8');
      // A schema and its type share a name.
      const names = new Set(
        [...text.matchAll(/^export (?:async )?(?:const|function\*?|class|interface|type) (\w+)/gm)].map(
          ([, name = '']) => name,
        ),
      );
      for (const name of names) homes.set(name, [...(homes.get(name) ?? []), file]);
    }

    expect([...homes].filter(([, files]) => files.length > 1)).toEqual([]);
  });

  it('names each file of src once, but for doors, ports, routes, commands and settings of the same subject', () => {
    const subjects = /^src\/(store\/(ports|sql|sqlite|postgres)|http\/routes|cli|config)\//;
    const isDoor = (file: string) => file.endsWith(`/${file.split('/').at(-2)}.ts`);
    const files = globSync('src/**/*.ts', { exclude: ['**/*.test.ts'] }).filter((file) => !isDoor(file));
    const named = Map.groupBy(
      files.filter((file) => !subjects.test(file)),
      (file) => file.split('/').at(-1),
    );

    expect([...named.values()].filter((some) => some.length > 1)).toEqual([]);
  });

  it('has no circle of imports, not even of types', () => {
    let left = new Map(sourceFiles().map((file) => [file, importsOf(file)]));
    // Whoever imports nothing that is left is in no circle.
    for (let before = -1; before !== left.size; ) {
      before = left.size;
      left = new Map([...left].filter(([, targets]) => targets.some((target) => left.has(target))));
    }

    expect([...left.keys()]).toEqual([]);
  });

  it('lets a file import its own module or a ring further in, entered through its door', () => {
    expect(sourceFiles().flatMap(trespasses)).toEqual([]);
  });
});
