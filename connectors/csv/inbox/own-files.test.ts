import { appendFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { instant } from '../../../src/platform/clock.ts';
import { DAY } from '../../../src/platform/duration.ts';
import { ann, bob, file, header, openInbox } from '../../../test/support/csv/inbox.ts';

const mine = 'called,when\nAnn,today\n';

describe('somebody’s own file in results/', () => {
  it('stays, whatever is answered under its name, and is named while it is in the way', async () => {
    const { take, read, inbox, converge, clock } = await openInbox();
    await writeFile(join(inbox, 'results/leads.results.csv'), mine);

    await take('leads.csv', file(header, ann));
    const { problems } = await converge();
    await rm(join(inbox, 'results/leads.results.csv'));
    await clock.advance(5_000);
    const later = await converge();

    expect(await read('results/leads.results-2.csv')).toContain('CS-000001');
    expect(problems).toMatchObject([
      { sentence: expect.stringMatching(/^leads\.results\.csv in .*results: not written by clinic-sync/) },
    ]);
    expect(later.problems).toEqual([]);
  });

  it.each([
    ['of the next file of a name that was answered before', 'leads.csv', mine],
    ['of the same file', 'leads.csv', ''],
    ['of a file that is refused', 'leads.csv', 'who,what\n1,2\n'],
  ])('stays in the place of results %s', async (_, name, second) => {
    const { take, read, inbox, desk, converge, clock } = await openInbox();
    await take('leads.csv', file(header, ann));
    await writeFile(join(inbox, 'results/leads.results.csv'), mine);

    await take(name, second === '' ? file(header, ann) : file(header, bob));
    desk.move('CS-000001', { state: 'booked', appointment_id: 77 });
    await clock.advance(5_000);
    await converge();

    expect(await read('results/leads.results.csv')).toBe(mine);
  });

  it('is what a person added to ours, too: theirs stays, and ours goes on beside it', async () => {
    const { take, read, inbox, desk, converge, clock } = await openInbox();
    await take('leads.csv', file(header, ann));
    await appendFile(join(inbox, 'results/leads.results.csv'), 'called on Monday\n');

    desk.move('CS-000001', { state: 'booked', appointment_id: 77 });
    await clock.advance(5_000);
    await converge();

    expect(await read('results/leads.results.csv')).toContain('called on Monday');
    expect(await read('results/leads.results-2.csv')).toContain('"CS-000001","booked","77"');
  });

  it('loses the rows of a person who is erased, and nothing else', async () => {
    const { take, forget, read, inbox, clock, converge } = await openInbox();
    await take('leads.csv', file(header, ann, bob));
    await appendFile(join(inbox, 'results/leads.results.csv'), 'my note\n');
    await clock.advance(2 * DAY);
    await converge();

    await forget(['CS-000001']);

    const left = await read('results/leads.results.csv');
    expect(left).not.toContain('Ann');
    expect(left).toMatch(/"Bob Roy".*\nmy note\n$/);
  });

  it('is not an earlier state of ours that a syncer brings back', async () => {
    const { take, read, inbox, desk, converge, clock, names } = await openInbox();
    await take('leads.csv', file(header, ann));
    const earlier = await read('results/leads.results.csv');
    desk.move('CS-000001', { state: 'sending' });
    await clock.advance(5_000);
    await converge();
    await writeFile(join(inbox, 'results/leads.results.csv'), earlier);

    desk.move('CS-000001', { state: 'booked', appointment_id: 77 });
    await clock.advance(5_000);
    await converge();

    expect(await names('results')).toEqual(['leads.results.csv']);
    expect(await read('results/leads.results.csv')).toContain('"booked","77"');
  });

  it('is not what a version wrote that noted no contents', async () => {
    const { take, read, desk, converge, clock, names } = await openInbox();
    await take('leads.csv', file(header, ann));
    const notes = Object.keys(await desk.memory.list('wrote:'));
    await desk.memory.set(Object.fromEntries(notes.map((key) => [key, undefined])));

    desk.move('CS-000001', { state: 'booked', appointment_id: 77 });
    await clock.advance(5_000);
    await converge();

    expect(await names('results')).toEqual(['leads.results.csv']);
    expect(await read('results/leads.results.csv')).toContain('"booked","77"');
  });

  it('is not removed by age, and neither is one in done/', async () => {
    const { take, read, inbox, desk, connector, clock } = await openInbox();
    await take('leads.csv', file(header, ann));
    desk.move('CS-000001', { state: 'booked', appointment_id: 77 });
    for (const path of ['results/leads.results.csv', 'done/leads.csv', 'done/mine.csv'])
      await writeFile(join(inbox, path), mine);
    await clock.advance(31 * DAY);

    await connector.tidy?.(instant(clock.now() - 30 * DAY), new AbortController().signal);

    for (const path of ['results/leads.results.csv', 'done/leads.csv', 'done/mine.csv'])
      expect(await read(path)).toBe(mine);
  });
});

describe('somebody’s own file in done/ or failed/', () => {
  it('stays when a file of its name is done', async () => {
    const { take, read, inbox, names } = await openInbox();
    await writeFile(join(inbox, 'done/leads.csv'), mine);

    await take('leads.csv', file(header, ann));

    expect(await read('done/leads.csv')).toBe(mine);
    expect(await names('done')).toEqual(['leads-2.csv', 'leads.csv']);
  });

  it.each(['leads.csv', 'leads.error.txt'])(
    'stays as %s when a file of its name is refused',
    async (name) => {
      const { take, read, inbox, names } = await openInbox();
      await writeFile(join(inbox, 'failed', name), mine);

      await take('leads.csv', 'who,what\n1,2\n');

      expect(await read(`failed/${name}`)).toBe(mine);
      expect(await names('failed')).toEqual(expect.arrayContaining(['leads-2.csv', 'leads-2.error.txt']));
    },
  );

  it('stays when the refusal beside it is withdrawn', async () => {
    const { take, read, inbox, names } = await openInbox();
    await take('leads.csv', 'Patient Name,Phone\n"Ann Lee');
    await writeFile(join(inbox, 'failed/leads.error.txt'), mine);

    await take('leads.csv', 'Patient Name,Phone\n"Ann Lee",01711000001\n');

    expect(await names('failed')).toEqual(['leads.error.txt']);
    expect(await read('failed/leads.error.txt')).toBe(mine);
  });

  it('is not overwritten by a folder in the place of an answer', async () => {
    const { take, inbox, desk, names } = await openInbox();
    await mkdir(join(inbox, 'results/leads.results.csv'));

    await take('leads.csv', file(header, ann));

    expect(desk.bookings).toHaveLength(1);
    expect(await names('results')).toEqual(['leads.results-2.csv', 'leads.results.csv']);
  });
});
