import { Duplex } from 'node:stream';
import { serialize } from 'node:v8';
import { expect, it, vi } from 'vitest';
import { heldBytes } from '../../../test/support/held-bytes.ts';
import { createFrames } from './frames.ts';

/** The daemon's end of a channel whose other end takes nothing until `read` is called. */
function unread() {
  const waiting: (() => void)[] = [];
  const stream = new Duplex({ read() {}, write: (_chunk, _encoding, taken) => void waiting.push(taken) });
  const broken = vi.fn();
  const arrived = vi.fn();
  const { send } = createFrames(stream, () => {}, broken, { longest: 1_000, arrived });
  return { stream, arrived, send, read: () => waiting.shift()?.(), broken };
}

it('stops reading from a side that does not read its answers, and resumes when it does', async () => {
  const { stream, send, read } = unread();

  void send('x'.repeat(1024 * 1024));
  const whileUnread = stream.isPaused();
  read();
  await new Promise((resolve) => stream.once('resume', resolve));

  expect(whileUnread).toBe(true);
  expect(stream.isPaused()).toBe(false);
});

it('waits once, however many answers are unread', () => {
  const { stream, send } = unread();

  for (let answer = 0; answer < 20; answer += 1) void send('x'.repeat(64 * 1024));

  expect(stream.listenerCount('drain')).toBe(1);
});

it('is broken by a side that leaves 64 MB unread', { tags: ['thorough'] }, () => {
  const { send, broken } = unread();

  for (let answer = 0; answer < 64; answer += 1) void send('x'.repeat(1024 * 1024));
  const before = broken.mock.calls.length;
  void send('one more');
  void send('and another');

  expect([before, broken.mock.calls.length]).toEqual([0, 1]);
});

it('is broken by a message that is too long before it arrives, and tells the size of others first', () => {
  const { stream, arrived, broken } = unread();
  const header = (bytes: number) => {
    const four = Buffer.alloc(4);
    four.writeUInt32BE(bytes);
    return four;
  };

  stream.emit('data', header(1_000));
  const before = broken.mock.calls.length;
  stream.emit('data', Buffer.concat([Buffer.alloc(1_000), header(1_001)]));

  expect(arrived).toHaveBeenCalledExactlyOnceWith(1_000);
  expect([before, broken.mock.calls.length]).toEqual([0, 1]);
});

it('keeps of a message that is sent a byte at a time its bytes alone', () => {
  const stream = new Duplex({ read() {} });
  createFrames(stream, () => {}, vi.fn());
  const header = Buffer.alloc(4);
  header.writeUInt32BE(100_000);
  stream.emit('data', header);
  const before = heldBytes();

  for (let sent = 0; sent < 50_000; sent += 1) stream.emit('data', Buffer.alloc(1));

  expect(heldBytes() - before).toBeLessThan(1_000_000);
});

it('reads messages however they are cut', () => {
  const stream = new Duplex({ read() {} });
  const read: unknown[] = [];
  const broken = vi.fn();
  createFrames(stream, (message) => read.push(message), broken);
  const messages = ['one', { two: 2 }, ['three']];
  const bytes = Buffer.concat(
    messages.map((message) => {
      const whole = serialize(message);
      const header = Buffer.alloc(4);
      header.writeUInt32BE(whole.length);
      return Buffer.concat([header, whole]);
    }),
  );

  for (const size of [1, 3, 4, 7, bytes.length])
    for (let at = 0; at < bytes.length; at += size) stream.emit('data', bytes.subarray(at, at + size));

  expect(read).toEqual(Array.from({ length: 5 }, () => messages).flat());
  stream.emit('data', Buffer.alloc(4));
  expect(broken).toHaveBeenCalledOnce();
});
