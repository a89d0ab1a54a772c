import { expect, it } from 'vitest';
import type { Config } from '../config/config.ts';
import { givenTo } from './person.ts';

const connector = (name: string, use: string, includePatient: boolean, settings: object) => ({
  name,
  use,
  includePatient,
  settings,
  clinics: ['main'],
  approval: 'none' as const,
  isolate: false,
});

it('names where a person may be: a sheet’s rows by their Ref, failed files and old archives by folder', () => {
  const connectors = [
    connector('desk', 'google-sheets', false, { spreadsheet: '1Bx' }),
    connector('files', 'csv', true, { directory: '/data/csv', inbox: '/data/inbox', archive: 'monthly' }),
    connector('plain', 'csv', false, { directory: '/data/plain' }),
  ];
  const leads = [
    { ref: 'CS-7K3Q9F', source: 'desk' },
    { ref: 'CS-AB12CD', source: 'website' },
    { ref: 'CS-ZZ99ZZ', source: 'desk' },
  ];

  const listed = givenTo({ connectors } as Config, leads);
  const [left] = givenTo({ connectors } as Config, leads, { isErased: true });

  expect(listed).toHaveLength(4);
  expect(listed[0]).toMatch(/^the rows CS-7K3Q9F, CS-ZZ99ZZ .* spreadsheet of desk \(1Bx\)/);
  expect(left).toMatch(/^rows of the spreadsheet of desk \(1Bx\) that were changed .* version history/);
  expect(listed[1]).toContain('/data/inbox/failed');
  expect(listed[2]).toContain('copies that people made of the files of files');
  expect(listed[3]).toContain('/data/csv/CLINIC/archive');
});
