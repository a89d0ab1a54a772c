import { existsSync, mkdirSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { onVolume } from '../../../test/support/bookings/volume.ts';
import type { WorldOptions } from '../../../test/support/bookings/world.ts';
import { MINUTE, SECOND } from '../../platform/duration.ts';
import type { Store } from '../../store/store.ts';

/** A booking waits for its next try, and then another process finds a damaged page. */
async function foundDamaged(spoil?: WorldOptions['spoil']) {
  const volume = await onVolume(spoil);
  const { world, file } = volume;
  await world.start();
  world.clinic.script.push('never_sent');
  const { ref } = await world.accept();
  await world.advance(SECOND);
  const posts = world.clinic.posts.length;
  writeFileSync(`${file}.damaged`, 'SQLITE_CORRUPT\n');
  return { ...volume, ref, posts };
}

it('sends nothing more once a damaged page is known, and reports cause and remedy', async () => {
  const { world, posts } = await foundDamaged();

  const sending = world.bookings.sendingState('main');
  const needs = await world.bookings.needs();
  await world.advance(10 * MINUTE);

  expect(world.clinic.posts).toHaveLength(posts);
  expect(sending).toMatchObject({
    state: 'paused',
    reason: expect.stringMatching(/is damaged: .*clinic-sync restore FILE/),
  });
  expect(needs).toEqual([]);
});

it('does not send a booking claimed just before', async () => {
  const claims: (string | undefined)[] = [];
  const noting = (bookings: Store['bookings']): Store['bookings'] => ({
    ...bookings,
    async claim(...asked) {
      const claimed = await bookings.claim(...asked);
      claims.push(claimed?.ref);
      if (claims.length > 1) writeFileSync(`${file}.damaged`, 'SQLITE_CORRUPT\n');
      return claimed;
    },
  });
  const { world, file, ref, posts } = await foundDamaged(({ store, clinic }) => ({
    store: { ...store, bookings: noting(store.bookings) },
    clinic,
  }));
  rmSync(`${file}.damaged`);

  await world.advance(10 * MINUTE);

  expect(claims).toEqual([ref, ref]);
  expect(world.clinic.posts).toHaveLength(posts);
});

it('resumes on its own once the damage note proves wrong and is removed', async () => {
  const { world, file, ref } = await foundDamaged();
  await world.advance(10 * MINUTE);

  rmSync(`${file}.damaged`);
  await world.advance(10 * MINUTE);

  expect(await world.store.bookings.get(ref)).toMatchObject({ state: 'booked' });
  expect(world.bookings.sendingState('main').state).toBe('open');
});

it('sends on with a new marker when someone has deleted it', async () => {
  const { world, file } = await onVolume();
  await world.start();
  rmSync(`${file}.marker`);

  await world.accept();
  await world.advance(SECOND);

  expect(world.clinic.posts).toHaveLength(1);
  expect(existsSync(`${file}.marker`)).toBe(true);
});

it('pauses while the marker cannot be written, says so, and sends once it can', async () => {
  const { world, file } = await onVolume();
  await world.start();
  rmSync(`${file}.marker`);
  mkdirSync(`${file}.marker`);

  const { ref } = await world.accept();
  await world.advance(10 * MINUTE);
  const { attempt } = (await world.store.bookings.get(ref)) ?? {};
  const sending = world.bookings.sendingState('main');
  const posts = world.clinic.posts.length;
  rmdirSync(`${file}.marker`);
  await world.advance(10 * MINUTE);

  expect(sending).toMatchObject({
    state: 'paused',
    reason: expect.stringMatching(/marker .* cannot be written/),
  });
  expect(attempt).toBeLessThan(10);
  expect([posts, world.clinic.posts.length]).toEqual([0, 1]);
});
