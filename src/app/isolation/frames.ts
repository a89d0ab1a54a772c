import type { Duplex } from 'node:stream';
import { deserialize, serialize } from 'node:v8';

const HEADER_BYTES = 4;
/** Unread bytes beyond which the other side counts as no longer reading. */
const MOST_UNREAD_BYTES = 64 * 1024 * 1024;

interface Frames {
  /** Resolves once the other side has taken it, or is gone. */
  send(message: unknown): Promise<void>;
}

interface FrameLimits {
  /** Bytes of one message. */
  longest: number;
  /** Called before a message is read; throws when it is one too many. */
  arrived(bytes: number): void;
}

/**
 * Messages over a pipe: four bytes of length, then a structured clone. Node's own channel is not used, because a child
 * can crash its parent by sending unexpected bytes over it. `onBroken` is called for invalid bytes, for a message of
 * more than `longest` bytes, and when the other side sends too much, or without reading. With limits, reading pauses
 * while the other side has unread answers.
 */
export function createFrames(
  stream: Duplex,
  onMessage: (message: unknown) => void,
  onBroken: () => void,
  limits?: FrameLimits,
): Frames {
  let bytes = Buffer.alloc(HEADER_BYTES);
  let filled = 0;
  let isHeader = true;
  let isBroken = false;

  /** What is whole now: the length of a message, or a message. */
  const take = () => {
    const whole = bytes;
    const next = isHeader ? whole.readUInt32BE() : HEADER_BYTES;
    filled = 0;
    isHeader = !isHeader;
    if (isHeader) {
      bytes = Buffer.alloc(next);
      return onMessage(deserialize(whole));
    }
    if (limits && next > limits.longest) throw new RangeError('a message is too long');
    limits?.arrived(next);
    bytes = Buffer.allocUnsafe(next);
  };
  /** Copied at once: a message can be sent a byte at a time, and a chunk costs more than its bytes. */
  const read = (chunk: Buffer) => {
    for (let rest = chunk; rest.length > 0 && !isBroken; ) {
      const copied = rest.copy(bytes, filled);
      rest = rest.subarray(copied);
      filled += copied;
      while (filled === bytes.length && !isBroken) take();
    }
  };

  const broken = () => {
    if (isBroken) return;
    isBroken = true;
    bytes = Buffer.alloc(0);
    onBroken();
  };

  stream.on('data', (chunk: Buffer) => {
    if (isBroken) return;
    try {
      read(chunk);
    } catch {
      broken();
    }
  });
  // The exit of the process is reported, not the error of its pipe.
  stream.on('error', () => {});

  let drained: Promise<void> | undefined;
  const drain = async () => {
    if (limits) stream.pause();
    await new Promise((resolve) => stream.once('drain', resolve).once('close', resolve));
    drained = undefined;
    stream.resume();
  };

  return {
    send(message) {
      const bytes = serialize(message);
      const header = Buffer.alloc(HEADER_BYTES);
      header.writeUInt32BE(bytes.length);
      if (stream.writableLength > MOST_UNREAD_BYTES) broken();
      else if (stream.writable && !stream.write(Buffer.concat([header, bytes]))) drained ??= drain();
      return drained ?? Promise.resolve();
    },
  };
}
