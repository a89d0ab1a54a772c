import { describe, expect, it } from 'vitest';
import { DAY } from '../../../../src/platform/duration.ts';
import { ann, bob, file, header, openInbox } from '../../../../test/support/csv/inbox.ts';
import { decode } from './decode.ts';
import { openDropped } from './dropped-file.ts';
import { findTable } from './records.ts';

const MB = 2 ** 20;
const never = new AbortController().signal;

/** Processor time of this thread: what others do on the machine does not count. */
const busyMs = (work: () => unknown): number => {
  const start = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(start);
  return (user + system) / 1_000;
};

describe('a hostile file of 20 MB', () => {
  it('does not block the daemon while it searches for the wrong byte', () => {
    const bytes = Buffer.alloc(20 * MB, 'a');
    bytes.set([0, 0xff], bytes.length - 2);

    const tookMs = busyMs(() => decode(bytes));

    // Character by character it took 3.6 s.
    expect(tookMs).toBeLessThan(1_000);
  });

  it('does not block the daemon while it searches UTF-16 for half a character', () => {
    const bytes = Buffer.alloc(20 * MB, 'a');
    bytes.set([0xff, 0xfe]);
    bytes.set([0x00, 0xd8], bytes.length - 2);

    const tookMs = busyMs(() => decode(bytes));

    expect(tookMs).toBeLessThan(1_000);
  });

  it('does not block the daemon while it looks for a code page in which it makes words', () => {
    const bytes = Buffer.alloc(20 * MB, 'a');
    bytes.set([0xfc], bytes.length - 1);

    const tookMs = busyMs(() => decode(bytes, { country: 'DE' }));

    expect(tookMs).toBeLessThan(3_000);
  });

  it('does not block the daemon with a first line that never ends', () => {
    const text = ','.repeat(20 * MB);

    const tookMs = busyMs(() => findTable(text));

    expect(tookMs).toBeLessThan(300);
  });

  it('is refused when it is made of millions of tiny rows', async () => {
    const bytes = Buffer.from(`Name,Phone,Date,Time\n${'x\n'.repeat(200_001)}`);

    const { fault } = await openDropped(bytes, {}, never);

    expect(fault).toContain('more than 200,000 rows');
  });

  it('is refused when short rows under a very long first line would make results of gigabytes', async () => {
    const header = `Name,Phone,Date,Time${','.repeat(100_000)}`;

    const { fault } = await openDropped(Buffer.from(`${header}\n${'x\n'.repeat(1_000)}`), {}, never);

    expect(fault).toContain('far more columns');
  });
});

it.each([
  ['in the first stretch', 10],
  ['at the end of a stretch', 65_535],
  ['right behind a stretch', 65_536],
  ['in the third stretch', 140_000],
])('names the first byte that is not UTF-8 %s', (_where, offset) => {
  const bytes = Buffer.concat([Buffer.from('é'.repeat(100_000)), Buffer.from([0])]);
  const at = offset % 2 === 0 ? offset : offset - 1;
  bytes[at] = 0xff;

  const { fault } = decode(bytes);

  expect(fault).toContain(`byte ${at} (`);
});

it('names the place of half a character in UTF-16', () => {
  const bytes = Buffer.from('\uFEFFab\ud800c', 'utf16le');

  expect(decode(bytes).fault).toContain('byte 6 ');
});

describe('what follows the text', () => {
  const wide = (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le');
  it.each([
    ['an end-of-file mark of DOS', Buffer.from(`${file(header, ann)}\x1a`)],
    ['a block filled with them', Buffer.from(file(header, ann) + '\x1a'.repeat(100))],
    ['one behind a line end of its own', Buffer.from(`${file(header, ann)}\x1a\r\n`)],
    ['a block filled with zeros', Buffer.concat([Buffer.from(file(header, ann)), Buffer.alloc(400)])],
    ['both', Buffer.from(`${file(header, ann)}\x1a\0\0`)],
    ['one in UTF-16', wide(`${file(header, ann)}\x1a`)],
    ['zeros in UTF-16', wide(`${file(header, ann)}\0\0`)],
    ['one in a code page', Buffer.from(`${file(header, ann.replace('Ann', 'J\xf6rg'))}\x1a`, 'latin1')],
  ])('is neither a lead nor a fault: %s', async (_, content) => {
    const { take, desk, names } = await openInbox({
      clinics: [{ clinic: 'main', timezone: 'Europe/Berlin', country: 'DE' }],
    });

    await take('leads.csv', content);

    expect(desk.bookings).toMatchObject([{ state: 'queued' }]);
    expect(await names('failed')).toEqual([]);
  });

  it('is not taken for the end of the last line', async () => {
    const { take, desk } = await openInbox();

    await take('leads.csv', Buffer.concat([Buffer.from(`${header}\n${ann.slice(0, -3)}`), Buffer.alloc(90)]));

    expect(desk.bookings).toMatchObject([{ state: 'held' }]);
  });

  it('may stand between files that were joined', async () => {
    const { take, desk } = await openInbox();

    await take('leads.csv', `${file(header, ann)}\x1a${file(header, bob)}\uFEFF${file(header)}\x1a\n`);

    expect(desk.bookings).toHaveLength(2);
  });

  it('stays when a person is erased, and the rest of the file can still be read', async () => {
    const { take, forget, read, clock } = await openInbox();
    await take('leads.csv', `${file(header, ann, bob)}\x1a\x1a`);
    await clock.advance(2 * DAY);
    await take('other.csv', file(header));

    await forget(['CS-000001']);

    expect(await read('done/leads.csv')).toBe(`${file(header, bob)}\x1a\x1a`);
  });
});
