import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { findKind, kindNames } from '../connectors/registry.ts';
import { pagesFromSchema } from '../scripts/settings-pages.ts';
import { configSchema } from '../src/config/json-schema.ts';
import { fromText, loadConfig } from '../src/config/load.ts';
import type { ConnectorKind } from '../src/connector.ts';
import type { JsonObject } from '../src/platform/json.ts';

const EXAMPLE = 'config/clinic-sync.example.yaml';
const read = (file: string) => readFileSync(file, 'utf8');

async function kinds(): Promise<ConnectorKind[]> {
  const found = await Promise.all(kindNames.map((name) => findKind(name)));
  return found.filter((kind) => kind !== undefined);
}

/** Names of all settings in a JSON Schema, however deep. */
function settingsIn(schema: unknown): string[] {
  if (Array.isArray(schema)) return schema.flatMap(settingsIn);
  if (typeof schema !== 'object' || schema === null) return [];
  const { properties } = schema as { properties?: JsonObject };
  return [...Object.keys(properties ?? {}), ...Object.values(schema).flatMap(settingsIn)];
}

/** Settings without a description, at any depth. */
function undescribed(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { properties = {} } = schema as { properties?: Record<string, JsonObject> };
  const own = Object.keys(properties).filter(
    (name) => !properties[name]?.description && !properties[name]?.properties,
  );
  return [...own, ...Object.values(schema).flatMap(undescribed)];
}

describe('the example configuration', () => {
  it('loads as it is', async () => {
    const loaded = await loadConfig({ file: EXAMPLE, environment: {}, findKind, knownKinds: kindNames });

    expect(loaded).toMatchObject({ ok: true });
  });

  it('loads with what is commented out switched on, and has no secret that everybody knows', async () => {
    const text = read(EXAMPLE).replace(/^ {2}# (crm|website):\n(?: {2}# .*\n)+/gm, (block) =>
      block.replace(/^ {2}# /gm, '  '),
    );
    const load = (environment: NodeJS.ProcessEnv) =>
      fromText(text, EXAMPLE, { environment, findKind, knownKinds: kindNames });

    const without = await load({});
    const set = await load({
      CRM_SECRET: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
      FORM_TOKEN: '9f2c6d1e8b7a4530',
    });

    expect.assert(!without.ok && set.ok);
    expect(without.faults.map(({ path }) => path)).toEqual([
      'connectors.crm.secret',
      'connectors.website.token',
    ]);
    expect(set.config.connectors.map(({ name }) => name)).toEqual(['reports', 'crm', 'website']);
  });

  it('names every setting of the daemon', async () => {
    const { properties } = configSchema([]) as { properties: JsonObject };
    const { connectors: _own, ...daemon } = properties;

    const missing = [...new Set(settingsIn({ properties: daemon }))].filter(
      (name) => !new RegExp(`\\b${name}:`).test(read(EXAMPLE)),
    );

    expect(missing).toEqual([]);
  });

  it.each(kindNames)('names the connector %s', (name) => {
    expect(read(EXAMPLE)).toContain(`use: ${name}`);
  });
});

describe('what is made from the schema', async () => {
  it.each(await pagesFromSchema())('is in %s as npm run schema writes it', (file, text) => {
    expect(read(file)).toBe(text);
  });

  it('describes every setting of the daemon', () => {
    const { connectors: _kinds, ...daemon } = (configSchema([]) as { properties: JsonObject }).properties;

    expect(undescribed({ properties: daemon })).toEqual([]);
  });
});

describe.each(kindNames)('the connector %s', (name) => {
  it('documents each of its settings in its README', async () => {
    const kind = (await kinds()).find((one) => one.name === name);
    const schema = configSchema(kind ? [kind] : []) as {
      properties: { connectors: { additionalProperties: { anyOf: JsonObject[] } } };
    };
    const [own] = schema.properties.connectors.additionalProperties.anyOf;
    const readme = read(`connectors/${name}/README.md`);
    const common = ['use', 'clinics', 'include', 'approval', 'isolate', 'on'];

    const missing = Object.keys((own?.properties ?? {}) as JsonObject).filter(
      (setting) => !common.includes(setting) && !readme.includes(`\`${setting}`),
    );

    expect(missing).toEqual([]);
  });

  it('describes each of its settings in the schema', async () => {
    const kind = (await kinds()).find((one) => one.name === name);
    const schema = configSchema(kind ? [kind] : []) as {
      properties: { connectors: { additionalProperties: { anyOf: JsonObject[] } } };
    };
    const properties = schema.properties.connectors.additionalProperties.anyOf[0]?.properties as Record<
      string,
      JsonObject
    >;

    const silent = Object.entries(properties).filter(
      ([setting, value]) => setting !== 'use' && value.description === undefined,
    );

    expect(silent.map(([setting]) => setting)).toEqual([]);
  });
});

describe('the documentation', () => {
  const pages = globSync('{*.md,docs/**/*.md,{src,connectors,sandbox}/**/*.md,bench/*.md,examples/**/*.md}', {
    exclude: ['**/node_modules/**'],
  });

  /** How GitHub names the headings of a page in links. */
  const headings = (page: string) => {
    const titles = [...read(page).matchAll(/^#{1,6} (.+)$/gm)].map(([, title = '']) =>
      title
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, '')
        .replace(/\s/g, '-'),
    );
    return titles.map((title, n) => {
      const before = titles.slice(0, n).filter((one) => one === title).length;
      return before === 0 ? title : `${title}-${before}`;
    });
  };

  it('links only to files and headings that are there', () => {
    const links = pages.flatMap((page) =>
      [...read(page).matchAll(/\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]+))?\)/g)].map(
        ([, target = '', heading]) => ({ page, file: target ? join(dirname(page), target) : page, heading }),
      ),
    );

    const broken = links.filter(
      ({ file, heading }) =>
        !existsSync(file) || (heading !== undefined && !headings(file).includes(heading)),
    );
    expect(links.length).toBeGreaterThan(100);
    expect(broken).toEqual([]);
  });

  it('names every command in the README or in a page it leads to', async () => {
    const cli = read('src/cli/commands.ts');
    const commands = [...cli.matchAll(/^ {2}(\w+): async \(\) => \(await import/gm)].map(
      ([, name]) => name ?? '',
    );
    const text = pages.map(read).join('\n');

    expect(commands.length).toBeGreaterThan(10);
    expect(commands.filter((name) => !new RegExp(`clinic-sync ${name}\\b`).test(text))).toEqual([]);
  });

  it('reads only environment variables that it explains', () => {
    const sources = globSync('{src,connectors,sandbox}/**/*.ts', { exclude: ['**/*.test.ts'] })
      .map(read)
      .join('\n');
    const used = new Set([...sources.matchAll(/\b(CLINIC_[A-Z_]+[A-Z])\b/g)].map(([, name]) => name ?? ''));
    const text = pages.map(read).join('\n');

    expect([...used].filter((name) => !text.includes(name))).toEqual([]);
  });
});

describe('the container', () => {
  const compose = parse(read('compose.yaml')) as {
    services: Record<'clinic-sync', JsonObject & { environment: Record<string, string>; secrets: string[] }>;
    secrets: Record<string, { file: string }>;
  };
  const service = compose.services['clinic-sync'];

  it('is given its secrets as files, each of which the README says how to make', () => {
    const mounted = Object.entries(service.environment)
      .filter(([name]) => name.endsWith('_FILE'))
      .map(([, path]) => path);

    expect(mounted).toEqual(service.secrets.map((name) => `/run/secrets/${name}`));
    expect(Object.keys(compose.secrets)).toEqual(service.secrets);
    for (const { file } of Object.values(compose.secrets))
      expect(read('README.md')).toContain(`> ${file.replace('./', '')}\n`);
  });

  it('has no rights but those of an unprivileged user on a read-only root file system', () => {
    const runtime = read('Dockerfile').split(' AS runtime')[1];

    expect(service).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    });
    expect(runtime).toMatch(/^USER node$/m);
    expect(runtime).toMatch(/^HEALTHCHECK .* CMD \["clinic-sync", "health"\]$/m);
  });

  it('comes from images that are named by their digest, as all others', () => {
    const files = ['Dockerfile', ...globSync(['compose*.yaml', '.github/workflows/*'])];
    const image = /^FROM (?!\$)(\S+)|NODE_IMAGE=(\S+)|\b(?:image|generator)[:=] ?(\S+)|^# syntax=(\S+)/gm;
    const named = files.flatMap((file) =>
      [...read(file).matchAll(image)].flatMap(
        ([, ...names]) => names.find((name) => name !== undefined) ?? [],
      ),
    );
    const others = named.filter((name) => name !== 'clinic-sync');

    expect(others.length).toBeGreaterThan(4);
    expect(others.filter((name) => !/^docker\.io\/[\w./-]+:[\w.-]+@sha256:[0-9a-f]{64}$/.test(name))).toEqual(
      [],
    );
  });

  it('is built by a job without rights, and published by one in which no dependency runs', () => {
    const { permissions, jobs } = parse(read('.github/workflows/release.yaml')) as {
      permissions: object;
      jobs: Record<string, { permissions?: object; steps?: { uses?: string; run?: string }[] }>;
    };
    const canWrite = Object.entries(jobs).filter(([, job]) =>
      Object.values(job.permissions ?? permissions).includes('write'),
    );
    const steps = canWrite.flatMap(([, job]) => job.steps ?? []);
    const runs = steps.map(({ uses, run }) => uses?.replace(/@.*/, '') ?? run ?? '');

    expect(canWrite.map(([name]) => name)).toEqual(['publish']);
    expect(
      runs.filter((what) =>
        /checkout|setup-node|buildx|build-push|\b(npm|npx|node|docker build)\b/.test(what),
      ),
    ).toEqual([]);
  });

  it('never runs the Node of node_modules in production', () => {
    const shown = [
      'README.md',
      'SECURITY.md',
      'Dockerfile',
      ...globSync(['docs/**/*.md', 'deploy/**/*', 'compose*.yaml']),
    ]
      .filter((file) => !statSync(file).isDirectory())
      .filter((file) => /node_modules\/(?:\.bin\/node\b|node\/|node-)/.test(read(file)));

    expect(shown).toEqual([]);
  });

  it('is released by actions that are named by their commit', () => {
    const used = globSync('.github/workflows/*').flatMap((file) =>
      [...read(file).matchAll(/uses: (?!\.\/)(\S+)/g)].map(([, action = '']) => action),
    );

    expect(used.length).toBeGreaterThan(5);
    expect(used.filter((action) => !/@[0-9a-f]{40}$/.test(action))).toEqual([]);
  });
});

describe('the record of dependencies', () => {
  it('names those of package.json, and no others', () => {
    const { dependencies, devDependencies } = JSON.parse(read('package.json')) as Record<string, JsonObject>;
    const record = read('docs/decisions/0002-dependencies.md');
    const recorded = [...record.matchAll(/^- \*\*([^*]+)\*\*/gm)]
      .flatMap(([, names = '']) => names.split(','))
      .map((name) => name.trim());
    // Types belong to the package they describe.
    const needed = Object.keys({ ...dependencies, ...devDependencies }).filter(
      (name) => !name.startsWith('@types/'),
    );

    expect(recorded.toSorted()).toEqual(needed.toSorted());
  });
});

describe('the list of security requirements', () => {
  const text = read('docs/security/asvs-5.0.md');
  const part = (title: string) => text.split(`## ${title}\n`)[1]?.split('\n## ')[0] ?? '';
  /** As many numbers as a row names: 3.3.1–4 are four. */
  const numbersIn = (title: string) =>
    [...part(title).matchAll(/\b(\d+\.\d+\.)(\d+)(?:–(\d+))?(?=[,\d.–\s]*\*\*)/g)].flatMap(
      ([, section = '', first = '', last = first]) =>
        Array.from({ length: Number(last) - Number(first) + 1 }, (_, n) => `${section}${Number(first) + n}`),
    );
  const unmet = numbersIn('Not met');

  it('has each of levels 1 and 2 once, and counts them rightly', () => {
    const [met, beside] = [numbersIn('Met').length, numbersIn('Does not apply').length];
    const numbers = [...numbersIn('Met'), ...unmet, ...numbersIn('Does not apply')];
    const apply = met + unmet.length;

    expect(new Set(numbers).size).toBe(253);
    expect(numbers).toHaveLength(253);
    expect(text).toContain(
      `**${apply} of 253 apply: ${met} met, ${unmet.length} not met. ${beside} do not apply.**`,
    );
    expect(read('SECURITY.md')).toContain(`of the ${apply} that apply ${met} are met`);
  });

  it('names only code and tests that exist', () => {
    const named = [...text.matchAll(/`(\.?\w[\w.-]*\/[\w./-]+)`/g)];

    expect(named.length).toBeGreaterThan(100);
    expect(named.map(([, file = '']) => file).filter((file) => !existsSync(file))).toEqual([]);
  });
});
