import { Duplex } from 'node:stream';
import { expect, it, vi } from 'vitest';
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

  send('x'.repeat(1024 * 1024));
  const whileUnread = stream.isPaused();
  read();
  await new Promise((resolve) => stream.once('resume', resolve));

  expect(whileUnread).toBe(true);
  expect(stream.isPaused()).toBe(false);
});

it('waits once, however many answers are unread', () => {
  const { stream, send } = unread();

  for (let answer = 0; answer < 20; answer += 1) send('x'.repeat(64 * 1024));

  expect(stream.listenerCount('drain')).toBe(1);
});

it('is broken by a side that leaves 64 MB unread', () => {
  const { send, broken } = unread();

  for (let answer = 0; answer < 64; answer += 1) send('x'.repeat(1024 * 1024));
  const before = broken.mock.calls.length;
  send('one more');
  send('and another');

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
