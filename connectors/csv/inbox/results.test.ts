import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Failure } from '../../../src/platform/failure.ts';
import { ann, bob, file, header, openInbox } from '../../../test/support/csv/inbox.ts';

describe('results', () => {
  it('are rewritten as the bookings move on, and left alone otherwise', async () => {
    const { take, desk, results, converge, mirror, clock } = await openInbox();
    await take('leads.csv', file(header, ann, bob));
    const { written: unmoved } = await converge();

    desk.move('CS-000001', { state: 'booked', appointment_id: 77 });
    desk.move('CS-000002', { state: 'rejected', message: 'The clinic is closed' });
    mirror.asOf = '2026-03-02T09:10:00.000Z';
    await clock.advance(5_000);
    const { written: moved } = await converge();

    expect(unmoved).toEqual({});
    expect(moved).toMatchObject({ results: 1 });
    expect(await results('leads')).toMatchObject([
      { ref: 'CS-000001', state: 'booked', appointment_id: '77' },
      { ref: 'CS-000002', state: 'rejected', message: 'The clinic is closed' },
    ]);
  });

  it('come back when they were deleted, until the file is taken out of done/', async () => {
    const { take, converge, clock, inbox, names } = await openInbox();
    await take('leads.csv', file(header, ann));

    await rm(join(inbox, 'results/leads.results.csv'));
    await clock.advance(60_000);
    await converge();
    const restored = await names('results');
    await rm(join(inbox, 'done/leads.csv'));
    await rm(join(inbox, 'results/leads.results.csv'));
    await clock.advance(60_000);
    await converge();

    expect(restored).toEqual(['leads.results.csv']);
    expect(await names('results')).toEqual([]);
  });

  it('can be dropped into the inbox again: known rows stay what they are, changed and foreign ones are held', async () => {
    const { take, desk, read, results } = await openInbox();
    await take('leads.csv', file(header, ann, bob));
    const answered = await read('results/leads.results.csv');

    await take(
      'again.csv',
      answered.replace('11:00', '12:00') + answered.split('\n')[1]?.replace('CS-000001', 'CS-ZZZZZZ'),
    );

    expect(desk.submissions.slice(2).map(({ problems }) => problems?.[0]?.field)).toEqual(['ref', 'ref']);
    expect((await results('again')).map(({ ref }) => ref)).toEqual(['CS-000001', 'CS-000003', 'CS-000001']);
    expect(Object.keys((await results('again'))[0] ?? {}).filter((name) => name === 'ref')).toHaveLength(1);
  });

  it('keep phones and formulas harmless for Excel, and read them back', async () => {
    const { take, desk, read } = await openInbox({ settings: { profile: 'excel' } });
    await take('leads.csv', file(header, 'Ann,+8801711000001,2026-04-01,10:30,=1+1'));

    const answered = await read('results/leads.results.csv');
    await take('again.csv', answered);

    expect(answered).toContain("'+8801711000001");
    expect(answered).toContain("'=1+1");
    expect(desk.submissions).toHaveLength(1);
  });

  it('name a row that was refused for good, and the rest is booked', async () => {
    const { take, desk, results } = await openInbox();
    const { accept } = desk.port;
    desk.port.accept = async (submission) => {
      if (submission.fields.patient_name === 'Ann Lee')
        throw new Failure({ kind: 'refused', message: 'no such clinic' });
      return accept(submission);
    };

    await take('leads.csv', file(header, ann, bob));

    expect((await results('leads')).map(({ ref, message }) => [ref, message])).toEqual([
      ['', 'Not stored: no such clinic'],
      ['CS-000001', ''],
    ]);
  });
});
