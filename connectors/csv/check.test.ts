import { lutimes, mkdir, readdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ann, file, header, openInbox } from '../../test/support/csv/inbox.ts';
import { rig } from '../../test/support/csv/kit.ts';
import { fakeClock } from '../../test/support/fake-clock.ts';
import { csv } from './csv.ts';

const signal = new AbortController().signal;
const clinics = [
  { clinic: 'east', timezone: 'Asia/Dhaka' },
  { clinic: 'west', timezone: 'Asia/Dhaka' },
];

describe('a check', () => {
  it('says what is ready and what will be created, and creates nothing', async () => {
    const { connector, directory } = await rig({ clock: fakeClock() });

    const lines = await connector.check(signal);

    expect(lines.map(({ level }) => level)).toEqual(['ok', 'ok', 'ok']);
    expect(lines[0]?.what).toContain('will be created');
    await expect(readdir(directory)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('fails for a directory that cannot be one, naming it and the remedy', async () => {
    const { connector, directory } = await rig({ clock: fakeClock() });
    await writeFile(directory, 'a file in its place');

    const [line] = await connector.check(signal);

    expect(line).toMatchObject({ level: 'fail', what: expect.stringContaining(directory) });
    expect(line?.hint).toContain('choose another directory');
  });

  it('names the inbox files that still need attention', async () => {
    const plain = await rig({ clock: fakeClock() });
    const settings = { inbox: plain.inbox };
    const { connector } = await rig({ clock: fakeClock(), settings, clinics });
    await mkdir(join(plain.inbox, 'failed'), { recursive: true });
    await writeFile(join(plain.inbox, 'failed/leads.csv'), 'x');
    await writeFile(join(plain.inbox, 'failed/leads.error.txt'), 'x');

    const lines = await connector.check(signal);

    expect(lines.filter(({ level }) => level === 'warn').map(({ what }) => what)).toEqual([
      expect.stringContaining('1 file in'),
      expect.stringContaining('inbox_clinic'),
    ]);
  });
});

describe('a check of an inbox', () => {
  it.each([
    ['is gone', async () => {}],
    ['is the empty place of its share', (inbox: string) => mkdir(inbox)],
  ])('fails when the folder %s, although files were taken from it', async (_, make) => {
    const { take, inbox, connector } = await openInbox();
    await take('leads.csv', file(header, ann));
    await rm(inbox, { recursive: true });
    await make(inbox);

    const lines = await connector.check(signal);

    expect(lines.filter(({ level }) => level !== 'ok')).toMatchObject([
      { level: 'fail', what: expect.stringContaining(inbox), hint: expect.stringContaining('done') },
    ]);
  });

  it('counts what has lain there for a while and is never taken', async () => {
    const { take, inbox, connector, converge, clock } = await openInbox();
    await take('leads.csv', file(header, ann));
    for (const name of ['leads.ods', 'new.ods', '.hidden', '~$leads.xlsx', 'Thumbs.db'])
      await writeFile(join(inbox, name), 'x');
    for (const name of ['folder.csv', 'old']) await mkdir(join(inbox, name));
    await symlink('/dev/null', join(inbox, 'link.csv'));
    const [old, now] = [new Date('2026-01-01'), new Date(clock.now())];
    for (const name of ['leads.ods', '.hidden', '~$leads.xlsx', 'Thumbs.db', 'folder.csv', 'old'])
      await utimes(join(inbox, name), old, old);
    await lutimes(join(inbox, 'link.csv'), old, old);
    await utimes(join(inbox, 'new.ods'), now, now);

    const lines = await connector.check(signal);
    const { problems } = await converge();

    const says = expect.stringMatching(
      /^(?:(?:folder\.csv|leads\.ods|link\.csv), ){2}(?:folder\.csv|leads\.ods|link\.csv) in .*inbox: neither a \.csv/,
    );
    expect(lines.filter(({ level }) => level === 'warn')).toMatchObject([{ what: says }]);
    expect(problems).toMatchObject([{ sentence: says, weight: 'need' }]);
  });

  it('says once that the folder cannot be one', async () => {
    const { connector, inbox } = await openInbox();
    await rm(inbox, { recursive: true });
    await writeFile(inbox, 'a file in its place');

    const lines = await connector.check(signal);

    expect(lines.filter(({ level }) => level === 'fail')).toHaveLength(1);
  });
});

describe('settings', () => {
  it('are each in the README', async () => {
    const readme = await readFile(new URL('README.md', import.meta.url), 'utf8');

    const names = Object.keys(z.toJSONSchema(csv.settings, { io: 'input' }).properties ?? {});

    expect(names).toContain('directory');
    for (const name of names) expect(readme).toMatch(new RegExp(`^- \`${name}\``, 'm'));
  });

  it.each([
    ['an inbox inside a clinic’s folder', { directory: '/data', inbox: '/data/east/inbox' }],
    ['an inbox_clinic that is not served', { directory: '/data', inbox: '/inbox', inbox_clinic: 'north' }],
  ])('refuse %s', async (_, settings) => {
    const refused = rig({ clock: fakeClock(), clinics, settings });

    await expect(refused).rejects.toMatchObject({ kind: 'refused', hint: expect.any(String) });
  });

  it.each([
    [{}],
    [{ directory: '/data', inbox: '/data' }],
    [{ directory: '/data', date_format: 'D/M/Y' }],
    [{ directory: '/data', columns: { patient: 'Nom' } }],
    [{ directory: '/data', profil: 'excel' }],
  ])('refuse %j', (settings) => {
    expect(csv.settings.safeParse(settings).success).toBe(false);
  });
});
