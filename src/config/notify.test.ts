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

  it.each<[string, string, string]>([
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
    ...(
      [
        ['smtp: "smtp://mail.example:465"', 'smtp', 'port 465 is encrypted from the start'],
        ['smtp: "smtps://mail.example:587"', 'smtp', 'port 587 is not encrypted from the start'],
        ['smtp: "smtp://mail.example:port"', 'smtp', 'must be the address of a mail server'],
        ['smtp: "smtp://mail.example", host: mail.example', 'host', 'is given beside smtp'],
        ['host: "mail.example:587"', 'host', 'its port goes into port'],
        ['host: "smtp://mail.example"', 'host', 'its port goes into port'],
        ['host: mail.example, password: x', 'user', 'is required'],
        ['host: mail.example, user: x', 'password', 'is required'],
        ['host: mail.example, user: x, password: y, tls: "off"', 'tls', 'never sent unencrypted'],
        ['host: mail.example, ca_file: /nowhere/ca.pem', 'ca_file', 'cannot be read'],
        ['smtp_file: /nowhere/smtp', 'smtp_file', 'cannot be read'],
      ] as const
    ).map(([own, key, message]): [string, string, string] => [
      `it: { use: email, from: a@b.example, to: [a@b.example], ${own} }`,
      `notify.it.${key}`,
      message,
    ]),
    [
      'it: { use: email, smtp: "smtp://mail.example", to: ["a b@c.example"] }',
      'notify.it.to[0]',
      'must be an address',
    ],
    [
      'group: { use: telegram, token: "1:abc", chat: "-1001:15" }',
      'notify.group.chat',
      'a topic goes into thread',
    ],
    [
      'desk: { use: slack, url: "https://a.example", quiet: "07:00-07:00" }',
      'notify.desk.quiet',
      'begins and ends at the same time',
    ],
    [
      'desk: { use: slack, url: "https://a.example", quiet: "20:00-24:30" }',
      'notify.desk.quiet',
      'must be a time of day',
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

  it.each([
    ['smtps://user:12/34@mail.example', { user: 'user', password: '12/34', host: 'mail.example', port: 465 }],
    ['smtp://50%user:100%@mail.example', { user: '50%user', password: '100%', port: 587, secure: false }],
    [
      'smtp://a@b.example:p@ss#?:w@mail.example:2525',
      { user: 'a@b.example', password: 'p@ss#?:w', port: 2525 },
    ],
    [
      'smtp://sync%40clinic.example:%E2%82%AC@[::1]',
      { user: 'sync@clinic.example', password: '€', host: '::1' },
    ],
    ['smtp://mail.zahnärzte.example', { host: 'mail.xn--zahnrzte-3za.example', user: '' }],
  ])('reads %s with whatever characters are in it', async (smtp, expected) => {
    const loaded = await load(
      `  it: { use: email, smtp: ${JSON.stringify(smtp)}, from: a@b.example, to: [c@d.example] }\n`,
    );

    expect.assert(loaded.ok);
    expect(loaded.config.notify.targets[0]?.settings.mail).toMatchObject(expected);
  });

  it('takes a mail server by its parts, a sign-in by token, and addresses as people write them', async () => {
    const loaded = await load(`
  it:
    use: email
    host: smtp.office365.example
    user: sync@clinic.example
    oauth: { token_url: "https://login.example/hidden/token", client_id: id, client_secret: hidden-secret, refresh_token: hidden-token, scope: mail }
    from: Front desk <desk@zahnärzte.example>
    to: [info@zahnärzte.example, "Rima <rima@clinic.example>", Desk <info@xn--zahnrzte-3za.example>]`);

    expect.assert(loaded.ok);
    const { mail, from, to } = loaded.config.notify.targets[0]?.settings ?? {};
    expect(mail).toMatchObject({ port: 587, tls: 'auto', hello: 'xn--zahnrzte-3za.example', password: '' });
    expect(mail?.oauth).toMatchObject({ clientSecret: 'hidden-secret', refreshToken: 'hidden-token' });
    expect([from, to?.length]).toEqual(['Front desk <desk@zahnärzte.example>', 2]);
    expect(JSON.stringify(masked(loaded.shown, new Map()))).not.toContain('hidden');
  });

  it.each([
    ['it: { use: email, smtp: "smtp://mail.example", from: a@b.example, to: [c@d.example] }', 1],
    ['it: { use: email, host: mail.example, tls: required, from: a@b.example, to: [c@d.example] }', 0],
    ['it: { use: email, smtp: "smtp://localhost", from: a@b.example, to: [c@d.example] }', 0],
    ['desk: { use: slack, url: "http://chat.example/x", include: [patient] }', 1],
    ['desk: { use: slack, url: "https://chat.example/x", include: [patient] }', 0],
  ])('warns of messages that others may read on their way: %s', async (line, count) => {
    const loaded = await load(`  ${line}\n`);

    expect.assert(loaded.ok);
    expect(loaded.warnings.filter(({ message }) => message.includes('unencrypted'))).toHaveLength(count);
  });

  it('needs no secrets for a command that only reads the database, and still knows the names', async () => {
    const loaded = await load(`  desk: { use: slack, url: "\${NOT_SET}" }\n`, 'optional');

    expect.assert(loaded.ok);
    expect(loaded.config.connectors).toMatchObject([{ name: 'notify.desk', incomplete: true }]);
  });
});
