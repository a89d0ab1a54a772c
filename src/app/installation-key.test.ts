import { expect, it } from 'vitest';
import { newStoreFile, openTestStore } from '../../test/support/store/store-file.ts';
import { createVisitorRefs } from '../http/visitor-refs.ts';
import { installationKey } from './installation-key.ts';

it('gives a visitor the same reference after a restart, and in no other installation', async () => {
  const file = newStoreFile();
  const first = await openTestStore(file);
  const before = createVisitorRefs(await installationKey(first, 'visitor_key'))('website', 'form-1');
  await first.close();

  const after = createVisitorRefs(await installationKey(await openTestStore(file), 'visitor_key'))(
    'website',
    'form-1',
  );
  const elsewhere = createVisitorRefs(await installationKey(await openTestStore(), 'visitor_key'))(
    'website',
    'form-1',
  );

  expect(after).toBe(before);
  expect(elsewhere).not.toBe(before);
});
