import { rmSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { onVolume } from '../../../test/support/bookings/volume.ts';
import { MINUTE, SECOND } from '../../platform/duration.ts';

/** A booking waits for its next try, and then another process finds a damaged page. */
async function foundDamaged() {
  const volume = await onVolume();
  const { world, file } = volume;
  await world.start();
  world.clinic.script.push('never_sent');
  const { ref } = await world.accept();
  await world.advance(SECOND);
  const posts = world.clinic.posts.length;
  writeFileSync(`${file}.damaged`, 'SQLITE_CORRUPT\n');
  return { ...volume, ref, posts };
}

it('sends nothing more from the moment a damaged page is known, and says why with the remedy', async () => {
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

it('does not send what was claimed just before', async () => {
  const { world, file, posts } = await foundDamaged();
  rmSync(`${file}.damaged`);
  const { book } = world.clinic;
  world.clinic.book = (request, { signal, beforeSend }) =>
    book(request, {
      signal,
      async beforeSend() {
        const claimed = beforeSend();
        writeFileSync(`${file}.damaged`, 'SQLITE_CORRUPT\n');
        await claimed;
      },
    });

  await world.advance(10 * MINUTE);

  expect(world.clinic.posts).toHaveLength(posts);
});

it('goes on by itself when the note turns out to be wrong and is gone', async () => {
  const { world, file, ref } = await foundDamaged();
  await world.advance(10 * MINUTE);

  rmSync(`${file}.damaged`);
  await world.advance(10 * MINUTE);

  expect(await world.store.bookings.get(ref)).toMatchObject({ state: 'booked' });
  expect(world.bookings.sendingState('main').state).toBe('open');
});
