import { expect, it } from 'vitest';
import { fakeClock } from '../../../test/support/fake-clock.ts';
import { openTestStore } from '../../../test/support/store/store-file.ts';
import type { NewChange } from '../../domain/clinics/change.ts';
import { instant } from '../../platform/clock.ts';
import type { Parts } from '../parts.ts';
import { changeLog } from './change-log.ts';

it('gives long changes in pages that fit into memory, and in the end every one of them', async () => {
  const store = await openTestStore();
  const changes = Array.from({ length: 90 }, (_, n): NewChange => {
    const data = { treatment_id: n, description: 'x'.repeat(100_000) };
    return { type: 'treatment.created', resource: 'treatment', id: String(n), data, previous: null };
  });
  await store.changes.announce('main', instant(fakeClock().now()), changes);
  const log = changeLog({ store, config: { clinics: [] } as unknown as Parts['config'] });

  const pages: number[][] = [];
  for (let after = 0; after < 90; after = pages.at(-1)?.at(-1) ?? 90) {
    const page = await log.read({ clinic: 'main', after, limit: 85, patients: true });
    pages.push(page.changes.map(({ sequence }) => sequence));
  }

  expect(pages.map(({ length }) => length)).toEqual([40, 40, 10]);
  expect(pages.flat()).toEqual(Array.from({ length: 90 }, (_, n) => n + 1));
});
