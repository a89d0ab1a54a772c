/** @module-tag thorough */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { type Story, startStory } from './support/daemon/clinic-story.ts';
import { runBare } from './support/daemon/daemon-process.ts';
import { documentedLines, variantsOf, wordsOf } from './support/documentation/command-lines.ts';
import { freePort } from './support/store/postgres-server.ts';
import { until } from './support/until.ts';

/** Not run here, with what they need. */
const elsewhere: readonly [line: RegExp, needs: string][] = [
  [
    /^migrate /,
    'a PostgreSQL server; src/cli/commands/database/migrate.test.ts and test/stories/moved-to-a-server.test.ts run it',
  ],
  [/^fleet$/, 'a PostgreSQL server; src/cli/commands/fleet.test.ts runs it'],
  [/^connectors login /, 'a person with a Google account; src/cli/commands/connectors-login.test.ts runs it'],
  [/^(clinic-sync )?…$/, 'a command in place of the dots'],
];

/** A command that is only mentioned: its help has to be there. */
const mentioned = /^(appointments track|guards approve|erase)$/;

/** Ends only when it is stopped. */
const lasting = /^(run|demo|sandbox\b.*|status --watch|changes --follow)$/;

/** Not 0, and why. */
const answers: readonly [line: RegExp, code: number, why: string][] = [
  [/^status(?! --watch)/, 1, 'bookings wait for a person'],
  [/^bookings acknowledge/, 1, 'this booking is as it was asked for'],
  [/^bookings (resolve REF --as not-booked|reconcile)/, 1, 'the clinic may be working on it for ten minutes'],
  [/^deliveries (retry|skip) NAME ID/, 1, 'none was given up'],
  [/^verify --head main:48210/, 1, 'the head is of another database'],
];

let story: Story;
/** Where commands are typed. */
let here: string;
/** The same configuration with a database that no daemon has open. */
let stopped: string;

beforeAll(async () => {
  story = await startStory({
    ...{ name: 'commands', sheet: true },
    clinic: { guards: { removed_percent: 0, removed_over: 0 } },
    connectors: Object.fromEntries(
      ['gravity', 'ads_landing'].map((name) => [name, { use: 'web-form', token: 'lantern-river-otter-1' }]),
    ),
  });
  here = join(story.folder, 'here');
  stopped = join(story.folder, 'stopped.yaml');
  mkdirSync(here);
  const settings = parse(readFileSync(story.config, 'utf8'));
  const url = story.hook.url;
  settings.http.listen = `127.0.0.1:${await freePort()}`;
  settings.notify = {
    desk: {
      use: 'webhook',
      url,
      secret: story.hook.secret,
      allow_networks: ['127.0.0.0/8'],
      on: ['needs_you'],
    },
  };
  writeFileSync(story.config, stringify(settings));
  const apart = {
    ...settings,
    http: { listen: '127.0.0.1:0' },
    store: { ...settings.store, sqlite: join(story.folder, 'stopped.db') },
  };
  writeFileSync(stopped, stringify(apart));
  writeFileSync(join(here, 'sample.json'), JSON.stringify(story.lead()));
  writeFileSync(join(here, 'faults.yaml'), '[]\n');
  cpSync('config', join(inject('bundle'), 'config'), { recursive: true });
  await story.start();
  await held();
  await sent('backup', 'move.db');
});
afterAll(() => story[Symbol.asyncDispose]());

async function sent(...words: string[]): Promise<string> {
  const { code, output, stdout } = await runBare([...words, '--config', story.config], { cwd: here });
  expect(code, `${words.join(' ')}\n${output}`).toBe(0);
  return stdout;
}

const post = async (connector: string, lead: object) => {
  // Three unknown bookings in ten minutes pause it.
  await story.act('/admin/clinics/main/resume-lane');
  const { body } = await story.ask(`/in/${connector}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${story.formToken}`, 'content-type': 'application/json' },
    body: JSON.stringify(lead),
  });
  return body.ref ?? '';
};
const held = () => post('counter', story.lead());

async function unknown(): Promise<Record<string, string>> {
  story.sandbox.control.script({ fault: 'reset_after_commit', match: { endpoint: 'book' } });
  const REF = await post('website', story.lead());
  await story.untilBooking(REF, 'unknown');
  return { REF, N: String(story.sandbox.control.ledger().at(-1)?.appointment_id) };
}

async function guarded(): Promise<Record<string, string>> {
  story.sandbox.control.retireTreatment(2);
  const [guard] = await until('a guard holds the answer', async () => {
    const open = await story.read((store) => store.guards.open());
    return open.length > 0 && open;
  });
  return { ID: guard?.id ?? '' };
}

async function signedIn(): Promise<Record<string, string>> {
  await story.ask('/admin/sign-in', {
    method: 'POST',
    body: new URLSearchParams({ token: story.adminToken }),
  });
  const [session] = JSON.parse(await sent('sessions', 'list', '--json')) as { id: string; by: string }[];
  return { ID: session?.id ?? '', NAME: session?.by ?? '' };
}

const NUMBER = '+880 1712 345678';

/** What a placeholder stands for in these lines; makes it, where each command needs its own. */
const meanings: readonly [line: RegExp, () => Promise<Record<string, string>> | Record<string, string>][] = [
  [/^bookings (approve|drop|show|edit)/, async () => ({ REF: await held() })],
  [
    /^bookings take/,
    async () => {
      const lead = story.lead();
      await post('counter', lead);
      return { REF: await post('counter', { ...lead, note: 'in the afternoon' }) };
    },
  ],
  [
    /^bookings reopen/,
    async () => {
      const REF = await held();
      await sent('bookings', 'drop', REF);
      return { REF };
    },
  ],
  [/^bookings (resolve|reconcile)/, unknown],
  [
    /^bookings acknowledge/,
    async () => {
      const REF = await post('website', story.lead());
      await story.untilBooking(REF, 'booked');
      return { REF };
    },
  ],
  [
    /^(people|erase)/,
    async () => {
      await sent('appointments', 'track', '1201');
      return { REF: await post('counter', { ...story.lead(), patient_phone: NUMBER }), ID: '1201', NUMBER };
    },
  ],
  [
    /^deliveries show/,
    async () => {
      const [first] = JSON.parse(await sent('deliveries', 'list', '--json'));
      return { ID: first.id };
    },
  ],
  [/^guards approve/, guarded],
  [/^sessions end/, signedIn],
  [
    /^verify --head CLINIC/,
    async () => {
      const [head] = JSON.parse(await sent('verify', '--json')).clinics;
      return { 'CLINIC:NUMBER:HASH': `main:${head.head.sequence}:${head.head.hash}` };
    },
  ],
  [/^bookings list/, () => ({ NAME: 'website' })],
  [/^connectors repair/, () => ({ NAME: 'accounts' })],
  [/^notify/, () => ({ NAME: 'desk' })],
  [/^history/, () => ({ ID: '7' })],
  [/^report appointments/, () => ({ '…': 'status' })],
  [
    /^sync/,
    () => {
      story.sandbox.control.restoreTreatment(2);
      return {};
    },
  ],
  [/^sandbox --data/, () => ({ FILE: 'practice.db' })],
  [/^restore/, () => ({ FILE: 'move.db' })],
  [/^sandbox --faults/, () => ({ FILE: 'faults.yaml' })],
  [/^backup/, () => ({ FILE: 'another.db' })],
];

const usual: Record<string, string> = {
  ...{ CLINIC: 'main', KEY: 'main', COMMAND: 'bookings', RESOURCE: 'treatment', NAME: 'crm', ID: '1201' },
  ...{ SEQ: '1', N: '5', S: 'held', WHEN: '1d', DAY: '2026-03-31', FILE: 'made', resource: 'treatments' },
  ...{ 'YYYY-MM': '2026-03', 'YYYY-MM-DD': '', '…': 'campaign' },
};

const tomorrow = () => new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10);

/** What a page leaves to its reader. */
function completed(line: string): string {
  const by: readonly [RegExp, string][] = [
    [
      /^bookings add …/,
      'bookings add --name "Ann Lee" --phone +8801712345678 --date 2031-01-01 --time 10:00',
    ],
    [/^bookings (approve|take|drop)$/, `${line} REF`],
    [/^bookings edit REF$/, `${line} --note "rang back"`],
    [/--from \d+/, `${line.replace(/--from \d+/, '--from 2')} --yes`],
    [/--until \S+/, line.replace(/--until \S+/, `--until ${tomorrow()}`)],
    [/ (--port) \S+/, line.replace(/--port \S+/, '--port 0')],
    [/^demo/, `${line} --dir demo --port 0`],
    [/^sandbox$/, 'sandbox --port 0'],
    [/^sync treatments …/, 'sync treatments dentists'],
    [/^sessions end --of/, line],
    // On a terminal it asks.
    [/^(erase|guards approve|deliveries replay)\b/, `${line} --yes`],
  ];
  return by.find(([pattern]) => pattern.test(line))?.[1] ?? line;
}

async function typed(line: string): Promise<string[]> {
  const made = (await meanings.find(([pattern]) => pattern.test(line))?.[1]()) ?? {};
  const known: Record<string, string> = { ...usual, ...made };
  const words = wordsOf(completed(line)).flatMap((word) => {
    const name = word.length > 1 ? word.replace(/…$/, '') : word;
    if (word.startsWith('/backup/')) return line.startsWith('backup') ? 'moved.db' : 'move.db';
    return known[name] ?? name;
  });
  const isApart = /^(sync|restore|run)\b/.test(line);
  const config = isApart ? stopped : story.config;
  const at = words.indexOf('--config');
  if (at >= 0) return words.with(at + 1, config);
  return [...words, ...(/^(demo|sandbox|completion)\b/.test(line) ? [] : ['--config', config])];
}

/** Starts it, waits for its first words, stops it. */
async function lasted(words: readonly string[]) {
  const child = spawn(process.execPath, [join(inject('bundle'), 'main.js'), ...words], {
    ...{ cwd: here, stdio: ['ignore', 'pipe', 'pipe'] },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (text) => {
      output += text;
    });
  const closed = once(child, 'close');
  await until('it says something', () => output !== '' || child.exitCode !== null, { found: () => output });
  child.kill('SIGTERM');
  const [code] = await closed;
  return { code, output };
}

const all = documentedLines().flatMap(({ line, page }) =>
  variantsOf(line).map((variant) => ({ variant, page })),
);
const lines = [...new Map(all.toReversed().map((one) => [one.variant, one])).values()].toReversed();
const isElsewhere = (variant: string) => elsewhere.some(([pattern]) => pattern.test(variant));

describe('what the documentation says to type', () => {
  it('is found, and all but what needs another machine is run', () => {
    expect(lines.length).toBeGreaterThan(130);
    expect(lines.filter(({ variant }) => isElsewhere(variant)).length).toBeLessThan(8);
  });

  it.each(lines.filter(({ variant }) => !isElsewhere(variant)))('$variant ($page)', async ({ variant }) => {
    if (mentioned.test(variant)) {
      await sent(...variant.split(' '), '--help');
      return;
    }
    const words = await typed(variant);
    const { code, output } = lasting.test(variant)
      ? await lasted(words)
      : await runBare(words, {
          cwd: variant.startsWith('config init') ? mkdtempSync(join(here, 'new-')) : here,
        });
    const expected = answers.find(([pattern]) => pattern.test(variant))?.[1] ?? 0;
    expect(code, `${words.join(' ')}\n${output}`).toBe(expected);
  });
});
