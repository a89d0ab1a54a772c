import { describe, expect, it } from 'vitest';
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
