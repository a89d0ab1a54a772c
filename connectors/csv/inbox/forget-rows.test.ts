import { appendFile, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DAY, MINUTE } from '../../../src/platform/duration.ts';
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

  it('removes a file without other people in it, a day after it was read at the latest', async () => {
    const { take, forget, converge, clock, names, read } = await openInbox();
    await take('leads.csv', file(header, ann));

    await forget(['CS-000001']);
    const left = [await read('done/leads.csv'), await names('results')];
    await clock.advance(DAY + MINUTE);
    await converge();

    expect(left).toEqual([file(header, ' '.repeat(ann.length)), []]);
    expect(await names('done')).toEqual([]);
  });

  it.each([
    [
      'the rest of its file cannot be read',
      (inbox: string) => appendFile(join(inbox, 'done/leads.csv'), '"'),
    ],
    ['someone took its file', (inbox: string) => rm(join(inbox, 'done/leads.csv'))],
  ])('is removed from the results also when %s', async (_, change) => {
    const { take, forget, settle, inbox, results, read } = await openInbox();
    await take('leads.csv', file(header, ann, bob));
    await change(inbox);
    await settle();

    await forget(['CS-000001']);

    expect(await read('results/leads.results.csv')).not.toMatch(planted);
    expect(await results('leads')).toMatchObject([{ ref: 'CS-000002' }]);

    await forget(['CS-000002']);
    await expect(results('leads')).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('removes a file at once that is no longer watched', async () => {
    const { take, forget, converge, clock, names } = await openInbox();
    await take('leads.csv', file(header, ann));
    await clock.advance(DAY + MINUTE);
    await converge();

    await forget(['CS-000001']);

    expect([await names('done'), await names('results')]).toEqual([[], []]);
  });

  it.each([
    ['UTF-8 with a mark', (text: string) => Buffer.from(`\uFEFF${text}`), Buffer.byteLength],
    ['UTF-16', (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le'), (text: string) => text.length],
    ['Windows-1252', (text: string) => Buffer.from(text.replaceAll('🦷', '!'), 'latin1'), () => 1],
    [
      'a spreadsheet’s sep= line',
      (text: string) => Buffer.from(`sep=|\r\n${text.replaceAll(',', '|')}`),
      Buffer.byteLength,
    ],
    ['old Mac line ends', (text: string) => Buffer.from(text.replaceAll('\n', '\r')), Buffer.byteLength],
  ])('leaves every other byte as it was, in %s', async (_, encode, sizeOf) => {
    const { take, forget, inbox } = await openInbox();
    const row = (n: number) => `"Zoé\n""🦷"" ${n}",0171100${1_000 + n},2026-04-01,10:30,Scaling`;
    const rows = Array.from({ length: 350 }, (_, n) => row(n));
    const content = (erased: string) =>
      encode(file(header, ...rows.slice(0, 300), '', erased, ...rows.slice(301)));
    await take('leads.csv', content(row(300)));

    await forget(['CS-000301']);

    const blank = row(300).replace(/[^\n]/gu, (character) => ' '.repeat(sizeOf(character)));
    expect((await readFile(join(inbox, 'done/leads.csv'))).equals(content(blank))).toBe(true);
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
