import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { stringify } from 'yaml';
import { weaknessOf } from '../domain/clinics/setting.ts';
import { demoSecrets } from './demo-config.ts';

it('makes another token where the one that is kept would be refused', () => {
  const folder = mkdtempSync(join(tmpdir(), 'clinic-sync-demo-'));
  const made = demoSecrets(folder);
  const kept = { ...made, admin_token: 'e34ffb7ffb17bf37' };
  writeFileSync(join(folder, 'secrets.yaml'), stringify(kept));

  const { admin_token, ...others } = demoSecrets(folder);

  expect(weaknessOf(kept.admin_token)).toBe('is easy to guess');
  expect(weaknessOf(admin_token)).toBeUndefined();
  expect({ ...others, admin_token }).toEqual({ ...made, admin_token });
});
