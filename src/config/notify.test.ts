import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fromText } from './load.ts';
import { masked } from './masking.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'notify-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const load = (notify: string, secrets: 'required' | 'optional' = 'required') =>
  fromText(
    `version: 1
clinics:
  main: { base_url: "https://clinic.example/api/v1", app_key: a, secret_key: s, timezone: Asia/Dhaka }
notify:
${notify}`,
    'test.yaml',
    { environment: {}, findKind: async () => undefined, knownKinds: [], secrets },
  );

describe('notify', () => {
  it('takes every kind of target, secrets from files, and hides them', async () => {
    const file = join(folder, 'url');
    writeFileSync(file, 'https://hooks.slack.example/services/T0/B0/secret\n');
    chmodSync(file, 0o600);

    const loaded = await load(`
  desk: { use: slack, url_file: ${file}, on: [needs_you], remind: 30m, quiet: "20:00-07:00", escalate: { to: phone } }
  it: { use: email, smtp: "smtps://sync%40clinic.example:hidden@mail.example", to: [it@clinic.example], remind: "off" }
  phone: { use: ntfy, url: "https://ntfy.sh/hidden-topic", include: [patient] }
  team: { use: teams, url: "https://teams.example/hidden" }
  group: { use: telegram, token: hidden, chat: -42 }
  own: { use: webhook, url: "https://ops.example/hidden", secret: hidden, allow_networks: [10.0.0.0/8], clinics: [main] }
  heartbeat: { url: "https://hc.example/hidden", every: 1s }`);

    expect.assert(loaded.ok);
    const { notify, connectors, secretFiles } = loaded.config;
    expect(notify.targets[0]).toMatchObject({
      name: 'desk',
      remindMs: 1_800_000,
      quiet: { from: 1200, to: 420 },
      escalate: { to: 'phone', afterMs: 1_800_000 },
      settings: { url: 'https://hooks.slack.example/services/T0/B0/secret' },
    });
    expect(notify.targets[1]).toMatchObject({
      remindMs: undefined,
      settings: { from: 'sync@clinic.example' },
    });
    expect(notify.heartbeat).toMatchObject({ everyMs: 1_000 });
    expect(connectors.map(({ name }) => name)).toContain('notify.desk');
    expect(secretFiles).toEqual([file]);
    expect(JSON.stringify(masked(loaded.shown, new Map()))).not.toContain('hidden');
  });

  it.each([
    ['desk: { use: slak, url: "https://a.example" }', 'notify.desk.use', 'must be one of: email, ntfy'],
    ['desk: { use: slack }', 'notify.desk.url', 'is required'],
    ['desk: { use: slack, url: "ftp://a.example" }', 'notify.desk.url', 'must be an http or https address'],
    [
      'desk: { use: slack, url: "https://a.example", quite: "1" }',
      'notify.desk.quite',
      'is not a known setting',
    ],
    [
      'desk: { use: slack, url: "https://a.example", quiet: "8-9" }',
      'notify.desk.quiet',
      'must be a time of day',
    ],
    ['desk: { use: slack, url: "https://a.example", remind: soon }', 'notify.desk.remind', 'must be'],
    [
      'desk: { use: slack, url: "https://a.example", on: [all] }',
      'notify.desk.on[0]',
      'must be one of: needs_you',
    ],
    [
      'desk: { use: slack, url: "https://a.example", clinics: [south] }',
      'notify.desk.clinics',
      'names the clinic south',
    ],
    [
      'desk: { use: slack, url: "https://a.example", escalate: { to: boss } }',
      'notify.desk.escalate.to',
      'names boss, which is not another target',
    ],
    [
      'it: { use: email, smtp: mail.example, to: [a@b.example] }',
      'notify.it.smtp',
      'must be the address of a mail server',
    ],
    ['it: { use: email, smtp: "smtp://mail.example", to: [a@b.example] }', 'notify.it.from', 'is required'],
    [
      'it: { use: email, smtp: "smtp://mail.example", from: a@b.example, to: [] }',
      'notify.it.to',
      'must be at least 1',
    ],
    ['heartbeat: { every: 5m }', 'notify.heartbeat.url', 'is required'],
    ['heartbeat: { url: "https://a.example", every: never }', 'notify.heartbeat.every', 'must be a duration'],
    ['Desk: { use: slack, url: "https://a.example" }', 'notify.Desk', 'must be lower-case'],
  ])('says what is wrong with %s', async (line, path, message) => {
    const loaded = await load(`  ${line}\n`);

    expect.assert(!loaded.ok);
    expect(loaded.faults).toContainEqual(
      expect.objectContaining({ path, message: expect.stringContaining(message) }),
    );
  });

  it('needs no secrets for a command that only reads the database, and still knows the names', async () => {
    const loaded = await load(`  desk: { use: slack, url: "\${NOT_SET}" }\n`, 'optional');

    expect.assert(loaded.ok);
    expect(loaded.config.connectors).toMatchObject([{ name: 'notify.desk', incomplete: true }]);
  });
});
