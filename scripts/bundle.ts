import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Plugin, rolldown } from 'rolldown';
import { overview } from '../src/cli/overview.ts';
import { assetOf } from '../src/platform/text/asset.ts';

const root = join(import.meta.dirname, '..');

/**
 * Scripts that run in their own process are found by name beside their caller, so all files lie in one folder. A native
 * addon cannot be bundled, and vitest is the connector author's dependency.
 */
const entries = {
  main: 'src/main.ts',
  connector: 'src/connector.ts',
  'connector-testing': 'test/conformance/connector/describe-connector.ts',
  'integrity-child': 'src/store/sqlite/integrity-child.ts',
  'backup-child': 'src/store/sqlite/backup-child.ts',
  'isolated-child': 'src/app/isolation/isolated-child.ts',
};

/**
 * Undici, unused here, takes 4 MB of heap and pages of the Node binary when loaded. Two things load it: an `import` of
 * node:http, which reads every one of its exports, and each call of got, which tests whether its body is a FormData;
 * see `changed`.
 */
const withoutUndici: Plugin = {
  name: 'without-undici',
  resolveId: (id) => (/^(node:)?http$/.test(id) ? '\0http' : null),
  load(id) {
    if (id !== '\0http') return null;
    const names = Object.entries(Object.getOwnPropertyDescriptors(http))
      .filter(([, { get }]) => get === undefined)
      .map(([name]) => name);
    return `const http = process.getBuiltinModule('node:http');
export default http;
export const { ${names.join(', ')} } = http;`;
  },
};

/** Work that libraries do while loading, or for each command, and that is not needed then. */
const changed: Record<string, [from: string, to: string][]> = {
  '/got/dist/source/core/index.js': [
    [
      'if (!(options.body instanceof FormData))',
      `if (Object.prototype.toString.call(options.body) !== '[object FormData]')`,
    ],
  ],
  // Lays out the help text for a failure that we explain ourselves: a fortieth of a start.
  '/yargs/build/lib/command.js': [['yargs.getInternalMethods().getUsageInstance().cacheHelpMessage();', ';']],
  // Each `Intl` object reads its language's data: five times, a tenth of a start.
  '/string-width/index.js': [
    ['const segmenter = new Intl.Segmenter();', 'let segmenter;'],
    ['segmenter.segment(', '(segmenter ??= new Intl.Segmenter()).segment('],
  ],
  '/@sindresorhus/is/distribution/index.js': [
    ['const andFormatter = new Intl', 'const andFormatter = () => new Intl'],
    ['const orFormatter = new Intl', 'const orFormatter = () => new Intl'],
    ['orFormatter.format(', 'orFormatter().format('],
    ['andFormatter.format(', 'andFormatter().format('],
  ],
};

/** Files of our own that the program reads as texts when it runs from its sources. */
const embeddedAssets: Plugin = {
  name: 'embedded-assets',
  transform: {
    filter: { code: 'assetOf(' },
    handler: (code, id) => ({
      code: code.replace(
        /assetOf\(\s*new URL\('([^']+)', import\.meta\.url\),?\s*\)/g,
        (_call, path: string) => JSON.stringify(assetOf(pathToFileURL(join(dirname(id), path)))),
      ),
      map: null,
    }),
  },
};

/** A help text loads no command. */
const knownCommands: Plugin = {
  name: 'known-commands',
  transform: {
    filter: { id: /src.cli.overview\.ts$/ },
    handler: async () => ({
      code: `export const overview = async () => ${JSON.stringify(await overview())};`,
      map: null,
    }),
  },
};

const lighterLibraries: Plugin = {
  name: 'lighter-libraries',
  transform(code, id) {
    const changes = Object.entries(changed).find(([path]) => id.endsWith(path))?.[1];
    if (changes === undefined) return null;
    const lighter = changes.reduce((text, [from, to]) => {
      if (!text.includes(from)) throw new Error(`${id} no longer has "${from}"; see why it matters here.`);
      return text.replaceAll(from, to);
    }, code);
    // Offsets within a line are close enough.
    return { code: lighter, map: null };
  },
};

/** Excludes modules that need a library or serve only pages, which a short command would load for nothing. */
const smallAndEverywhere =
  /src.(texts.(texts|languages.en)|platform.(?!cron)|domain.(?!(\w+.)?(booking-content|date-time|month|opening-hours|phone|report-rows|search-terms|setting)))/;

/** All that the command line itself needs: `--version` and a help text load nothing else. */
const commandLine = new RegExp(
  [
    'src.cli.(cli|commands?|io|overview|usage).ts',
    'src.platform.(failure|text.(printable|closest)|network.(far-networks|outgoing-proxy))',
  ].join('|'),
);

/** All that a health check needs. */
const healthCheck = /src.(cli.(address-file|package)|platform.network.ask).ts/;

/** What cannot be bundled, and what a connector author brings along. */
export const external = ['better-sqlite3', 'vitest'];

/** Replaces `folder` with the program in a few files and the licences of everything in them. */
export async function bundle(folder: string, { maps }: { maps: boolean }): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const build = await rolldown({
    cwd: root,
    input: entries,
    platform: 'node',
    external,
    logLevel: 'warn',
    plugins: [withoutUndici, lighterLibraries, embeddedAssets, knownCommands],
  });
  const { output } = await build.write({
    dir: folder,
    format: 'esm',
    sourcemap: maps,
    // V8 keeps every file's source: one character beyond Latin-1 doubles it, and comments are a tenth.
    charset: 'ascii',
    comments: false,
    // Half of the files would hold one small module each, and Node resolves each import of each file twice.
    codeSplitting: {
      groups: [
        { name: 'health-check', test: healthCheck, priority: 2 },
        { name: 'command-line', test: commandLine, priority: 1 },
        { name: 'platform', test: smallAndEverywhere },
      ],
    },
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
  });
  await build.close();
  const modules = output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
  writeFileSync(join(folder, 'licenses.txt'), licencesOf(modules));
}

/** Licence texts of the packages these modules belong to, or what package.json says where there is none. */
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
