import { expect, it } from 'vitest';
import { newStoreFile, openTestStore } from '../../test/support/store/store-file.ts';
import { createVisitorRefs } from '../http/visitor-refs.ts';
import { visitorKey } from './visitor-key.ts';

it('gives a visitor the same reference after a restart, and in no other installation', async () => {
  const file = newStoreFile();
  const first = await openTestStore(file);
  const before = createVisitorRefs(await visitorKey(first))('website', 'form-1');
  await first.close();

  const after = createVisitorRefs(await visitorKey(await openTestStore(file)))('website', 'form-1');
  const elsewhere = createVisitorRefs(await visitorKey(await openTestStore()))('website', 'form-1');

  expect(after).toBe(before);
  expect(elsewhere).not.toBe(before);
});
