import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
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

    const lines = await connector.check(signal);

    expect(lines.filter(({ level }) => level === 'warn').map(({ what }) => what)).toEqual([
      expect.stringContaining('1 file in'),
      expect.stringContaining('inbox_clinic'),
    ]);
  });
});

describe('settings', () => {
  it('are each in the README', async () => {
    const readme = await readFile(new URL('README.md', import.meta.url), 'utf8');

    const names = Object.keys(z.toJSONSchema(csv.settings, { io: 'input' }).properties ?? {});

    expect(names).toHaveLength(13);
    for (const name of names) expect(readme).toContain(`| \`${name}\` |`);
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
