import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { runCommand } from '../../test/support/run-cli.ts';
import { accept, alterFile, openTestStore } from '../../test/support/store/store-file.ts';

/** An installation whose log has four changes of a clinic, and the command on it. */
async function installation() {
  const folder = mkdtempSync(join(tmpdir(), 'cli-verify-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'clinic-sync.db');
  const config = join(folder, 'clinic-sync.yaml');
  writeFileSync(
    config,
    `version: 1
clinics:
  main: { base_url: "http://127.0.0.1:1", app_key: a, secret_key: b, timezone: Asia/Dhaka }
store: { sqlite: ${file} }
`,
  );
  const store = await openTestStore(file);
  await accept(store);
  await accept(store);
  const head = await store.changes.head('main');
  await store.close();
  const verify = (...argv: string[]) => runCommand(['verify', ...argv, '--config', config]);
  return { file, verify, head: `main:${head?.sequence}:${head?.hash}` };
}

it('prints the head to note, and recognizes it later', async () => {
  const { verify, head } = await installation();

  const first = await verify();
  const later = await verify('--head', head);

  expect(first).toMatchObject({ code: 0 });
  expect(first.out).toContain(`4 changes checked, nothing was altered; head ${head.slice('main:'.length)}`);
  expect(first.out).toContain('Note the heads outside');
  expect(later).toMatchObject({ code: 0, out: expect.stringContaining('The noted head is in this log.') });
});

it('exits 1 with the first altered change, also as JSON', async () => {
  const { verify, file } = await installation();
  alterFile(file, `update changes set at = '2020-01-01T00:00:00.000Z' where sequence = 3`);

  const said = await verify();
  const { code, out } = await verify('--json');

  expect(said).toMatchObject({ code: 1, out: expect.stringContaining('Change 3 is not as it was written') });
  expect(code).toBe(1);
  expect(JSON.parse(out)).toMatchObject({
    ok: false,
    clinics: [{ clinic: 'main', broken: { sequence: 3, kind: 'altered' }, checked: 2 }],
  });
});

it('exits 1 when changes are gone that nothing was to remove', async () => {
  const { verify, file } = await installation();
  const removal = `insert into removed_changes (clinic, through, at, hash) select 'main', 2, at, hash`;
  alterFile(
    file,
    `${removal} from change_hashes join changes using (clinic, sequence) where sequence = 2;
     delete from changes where sequence <= 2; delete from change_hashes where sequence <= 2`,
  );

  const { code, out } = await verify();

  expect(out).toContain('The changes up to 2 are gone, but `retention.changes` is not set');
  expect(code).toBe(1);
});

it('exits 1 when the log was rewritten, or ends before a noted head', async () => {
  const { verify } = await installation();

  const other = await verify('--head', 'main:4:another');
  const shorter = await verify('--head', 'main:9:another');

  expect(other).toMatchObject({ code: 1, out: expect.stringContaining('the log was rewritten') });
  expect(shorter).toMatchObject({ code: 1, out: expect.stringContaining('The log ends before change 9') });
});

it('exits 1 with the first row that the log does not confirm', async () => {
  const { verify, file } = await installation();
  alterFile(file, `update bookings set state = 'rejected' where ref = (select min(ref) from bookings)`);

  const { code, out } = await verify();

  expect(out).toMatch(
    /The log is intact, but .* booking CS-\w+, state: "rejected", according to change \d "queued"\./,
  );
  expect(out).not.toContain('Note the heads outside');
  expect(code).toBe(1);
});

it('refuses a text that is not a head', async () => {
  const { verify } = await installation();

  expect(await verify('--head', 'main-4')).toMatchObject({
    code: 64,
    err: expect.stringContaining('CLINIC:NUMBER:HASH'),
  });
  expect(await verify('--head', 'main:0:x')).toMatchObject({ code: 64 });
});

it('exits 1 when a noted head is of a clinic without a log', async () => {
  const { verify } = await installation();

  const { code, out } = await verify('--head', 'other:4:x');

  expect(out).toContain('other  The log ends before change 4');
  expect(out.trimEnd()).toMatch(/Not as clinic-sync wrote it: other\..*$/);
  expect(code).toBe(1);
});

it('exits 1 when the whole log was deleted and what it was about remains', async () => {
  const { verify, file, head } = await installation();
  alterFile(
    file,
    `delete from changes; delete from change_hashes; delete from chain_heads; delete from removed_changes`,
  );

  const said = await verify();
  const noted = await verify('--head', head);

  expect(said).toMatchObject({ code: 1, out: expect.stringContaining('main  Change 1 was removed.') });
  expect(noted.code).toBe(1);
});

it('does not say that a noted head is there as the last word on a log with a fault', async () => {
  const { verify, file, head } = await installation();
  alterFile(file, `update bookings set state = 'rejected' where ref = (select min(ref) from bookings)`);

  const { code, out } = await verify('--head', head);

  expect(code).toBe(1);
  expect(out).not.toContain('The noted head is in this log.');
  expect(out.trimEnd()).toMatch(/Not as clinic-sync wrote it: main\..*$/);
});

it('passes an empty database', async () => {
  const { verify, file } = await installation();
  alterFile(
    file,
    `${['changes', 'change_hashes', 'chain_heads', 'booking_events', 'bookings'].map((table) => `delete from ${table}`).join('; ')}`,
  );

  expect(await verify()).toMatchObject({ code: 0, out: expect.stringContaining('No changes recorded.') });
});

it('names a view that reports read and that somebody else made, and a trigger', async () => {
  const { verify, file } = await installation();
  alterFile(file, 'create trigger hidden after insert on bookings begin delete from deliveries; end');
  const triggered = await verify();
  alterFile(file, 'drop trigger hidden');
  alterFile(file, 'create view of_the_clinic as select 1 as one');
  const more = await verify();
  alterFile(file, 'drop view fees');
  alterFile(file, 'create view fees as select 1 as fee');
  const altered = await verify();

  expect(more).toMatchObject({ code: 0 });
  expect(triggered).toMatchObject({
    code: 1,
    out: expect.stringContaining('view or trigger hidden, definition: '),
  });
  expect(altered).toMatchObject({
    code: 1,
    out: expect.stringContaining('view or trigger fees, definition: '),
  });
});
