import { describe, expect, it } from 'vitest';
import { ann, bob, file, header, openInbox } from '../../../test/support/csv/inbox.ts';

const planted = /Ann|01711000001/;

describe('a person who was erased', () => {
  it('is removed from the dropped file and its results, which keep the other rows', async () => {
    const { take, forget, read, results, desk, converge } = await openInbox();
    await take('leads.csv', file(header, ann, bob, ann));

    await forget(['CS-000001']);

    expect(await read('done/leads.csv')).not.toMatch(planted);
    expect(await read('results/leads.results.csv')).not.toMatch(planted);
    expect(await results('leads')).toMatchObject([{ ref: 'CS-000002', Phone: '01711000002' }]);
    desk.move('CS-000002', { state: 'booked', appointment_id: 9 });
    await converge();
    expect(await results('leads')).toMatchObject([{ ref: 'CS-000002', state: 'booked' }]);
  });

  it('removes a file without other people in it', async () => {
    const { take, forget, names } = await openInbox();
    await take('leads.csv', file(header, ann));

    await forget(['CS-000001']);

    expect([await names('done'), await names('results')]).toEqual([[], []]);
  });

  it('is not booked again when the shortened file is dropped once more', async () => {
    const { take, forget, read, desk, names } = await openInbox();
    await take('leads.csv', file(header, ann, bob));
    await forget(['CS-000001']);

    await take('again.csv', await read('done/leads.csv'));

    expect(desk.submissions).toHaveLength(2);
    expect(await names('done')).toEqual(['again.csv', 'leads.csv']);
  });

  it('leaves files about other people alone', async () => {
    const { take, forget, read } = await openInbox();
    const content = file(header, bob);
    await take('leads.csv', content);

    await forget(['CS-ZZZZZZ']);

    expect(await read('done/leads.csv')).toBe(content);
  });
});
