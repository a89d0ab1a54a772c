import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runCommand } from '../../../test/support/run-cli.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { instant, systemClock } from '../../platform/clock.ts';
import { HOUR } from '../../platform/duration.ts';
import { silentLog } from '../../platform/log.ts';
import { openFileStore } from '../../store/sqlite.ts';

/** Rima in two browsers, Anis in one, and a browser that was left alone too long. */
async function signedIn() {
  const folder = await temporaryFolder();
  const config = join(folder, 'clinic-sync.yaml');
  const file = join(folder, 'clinic.db');
  const clinic = 'base_url: "https://c.example", app_key: a, secret_key: b, timezone: Asia/Dhaka';
  writeFileSync(config, `version: 1\nclinics: { main: { ${clinic} } }\nstore: { sqlite: ${file} }\n`);
  const store = await openFileStore({ file, clock: systemClock, log: silentLog, mode: 'daemon' });
  const now = systemClock.now();
  const start = (id: string, by: string, seenAt = now) =>
    store.sessions.start({
      ...{ id, by, person: by, proof: 'planted-proof', address: '192.0.2.7' },
      ...{
        started_at: instant(now - 2 * HOUR),
        seen_at: instant(seenAt),
        ends_at: instant(now + HOUR),
      },
    });
  await start('aaaa-desk', 'Rima');
  await start('aabb-phone', 'Rima');
  await start('-ccc', 'Anis');
  await start('dddd', 'Left', now - 2 * HOUR);
  await store.close();
  return async (...argv: string[]) => {
    const { code, out, err } = await runCommand([...argv, '--config', config]);
    return { code, text: out + err };
  };
}

it('lists who is signed in, from where, without what opens a session, and without those that are over', async () => {
  const run = await signedIn();

  const { code, text } = await run('sessions', 'list');
  const { text: json } = await run('sessions', 'list', '--json');

  expect(code).toBe(0);
  expect(text).toMatch(/aabb-phone\s+Rima .*192\.0\.2\.7/);
  expect(text).not.toContain('Left');
  expect(JSON.parse(json)).toHaveLength(3);
  expect(text + json).not.toContain('planted-proof');
});

it('ends one session by the beginning of its id, and all of a person, and says so in the audit', async () => {
  const run = await signedIn();

  const unclear = await run('sessions', 'end', 'aa');
  const one = await run('sessions', 'end', '.cc');
  const all = await run('sessions', 'end', '--of', 'Rima');
  const none = await run('sessions', 'end', '--of', 'Rima');
  const { text } = await run('sessions', 'list');
  const { text: audit } = await run('audit');

  expect([unclear.code, one.code, all.code, none.code]).toEqual([64, 0, 0, 1]);
  expect(unclear.text).toContain('aa is the beginning of 2 sessions');
  expect(all.text).toContain('2 sessions of Rima ended');
  expect(text).toContain('No browser is signed in.');
  expect(audit).toMatch(/session\.end\s+Rima\s+ok/);
  expect(audit).toMatch(/session\.end\s+Anis\s+ok/);
});

it.each([[[]], [['aaaa', '--of', 'Rima']]])('asks for one of both: %j', async (given) => {
  const run = await signedIn();

  expect(await run('sessions', 'end', ...given)).toMatchObject({ code: 64 });
});

it('ends a session whose id begins with a hyphen by what the list shows', async () => {
  const run = await signedIn();
  const [, id = ''] = /^(\S+)\s+Anis/m.exec((await run('sessions', 'list')).text) ?? [];

  expect(await run('sessions', 'end', id)).toMatchObject({
    code: 0,
    text: expect.stringContaining('1 session of Anis ended'),
  });
});
