import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import type { Config } from '../config/config.ts';
import { givenTo, inboxMentions } from './person-traces.ts';

const connector = (name: string, use: string, includePatient: boolean, settings: object) => ({
  name,
  use,
  includePatient,
  settings,
  clinics: ['main'],
  approval: 'none' as const,
  isolate: false,
});

it('names where a person’s data may be: a sheet’s rows by Ref, files by folder, and only the forms they used', async () => {
  const folder = await temporaryFolder();
  mkdirSync(join(folder, 'inbox/failed/unreadable'), { recursive: true });
  mkdirSync(join(folder, 'csv/main/archive/2026-01'), { recursive: true });
  mkdirSync(join(folder, 'empty/failed'), { recursive: true });
  const connectors = [
    connector('desk', 'google-sheets', false, { spreadsheet: '1Bx' }),
    connector('files', 'csv', true, {
      directory: join(folder, 'csv'),
      inbox: join(folder, 'inbox'),
      archive: 'monthly',
    }),
    connector('plain', 'csv', false, { directory: '/nowhere', inbox: join(folder, 'empty') }),
    connector('website', 'web-form', false, {}),
    connector('campaign', 'web-form', false, {}),
  ];
  const leads = [
    { ref: 'CS-7K3Q9F', source: 'desk' },
    { ref: 'CS-AB12CD', source: 'website' },
    { ref: 'CS-ZZ99ZZ', source: 'desk' },
  ].map((lead) => ({ ...lead, clinic: 'main', isTracked: false }));

  const listed = await givenTo({ connectors, store: { sqlite: 'db', min_free: 0 } }, leads);
  const [left] = await givenTo({ connectors, store: { sqlite: 'db', min_free: 0 } }, leads, {
    isErased: true,
  });

  expect(listed).toHaveLength(5);
  expect(listed[0]).toMatch(/^the rows CS-7K3Q9F, CS-ZZ99ZZ .* spreadsheet of desk \(1Bx\)/);
  expect(left).toMatch(/^rows of the spreadsheet of desk \(1Bx\) that were changed .* version history/);
  expect(listed[1]).toContain(join(folder, 'inbox/failed'));
  expect(listed[2]).toContain('copies that people made of the files of files');
  expect(listed[3]).toContain(join(folder, 'csv/CLINIC/archive'));
  expect(listed[4]).toContain('behind website');
});

it('finds a number in every file of an inbox, however it is written, and follows no link', async () => {
  const inbox = await temporaryFolder();
  for (const folder of ['done', 'failed']) mkdirSync(join(inbox, folder));
  const rows = ['name,phone,internal', 'Other,01711555888,"son of +880 1711-555999"', 'Third,01711555777,x'];
  writeFileSync(join(inbox, 'done/leads.csv'), rows.join('\r\n'));
  writeFileSync(join(inbox, 'failed/sheet.csv'), Buffer.from(`\uFEFF\n${rows[1]}`, 'utf16le'));
  symlinkSync(join(inbox, 'done/leads.csv'), join(inbox, 'failed/link.csv'));
  const connectors = [
    connector('files', 'csv', false, { directory: '/data/csv', inbox }),
    connector('plain', 'csv', false, { directory: '/data/plain' }),
    connector('mine', './mine.ts', false, { inbox }),
  ];

  const found = await inboxMentions({ connectors } as Config, ['01711555999', '+8801711555999']);

  expect(found).toEqual([
    `${join(inbox, 'done/leads.csv')}, line 2`,
    `${join(inbox, 'failed/sheet.csv')}, line 2`,
  ]);
});
