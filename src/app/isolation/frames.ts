import type { Duplex } from 'node:stream';
import { deserialize, serialize } from 'node:v8';

const HEADER_BYTES = 4;
/** Unread bytes beyond which the other side counts as no longer reading. */
const MOST_UNREAD_BYTES = 64 * 1024 * 1024;

interface Frames {
  send(message: unknown): void;
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
  let chunks: Buffer[] = [];
  let size = 0;
  let wanted = HEADER_BYTES;
  let isHeader = true;
  let isBroken = false;

  /** The next `wanted` bytes of what has arrived. */
  const take = (): Buffer => {
    const all = chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks);
    chunks = all.length === wanted ? [] : [all.subarray(wanted)];
    size -= wanted;
    return all.subarray(0, wanted);
  };
  const read = () => {
    while (!isBroken && size >= wanted) {
      const bytes = take();
      if (isHeader) {
        wanted = bytes.readUInt32BE();
        if (limits && wanted > limits.longest) throw new RangeError('a message is too long');
        limits?.arrived(wanted);
      } else {
        wanted = HEADER_BYTES;
        onMessage(deserialize(bytes));
      }
      isHeader = !isHeader;
    }
  };

  const broken = () => {
    if (isBroken) return;
    isBroken = true;
    chunks = [];
    onBroken();
  };

  stream.on('data', (chunk: Buffer) => {
    if (isBroken) return;
    chunks.push(chunk);
    size += chunk.length;
    try {
      read();
    } catch {
      broken();
    }
  });
  // The exit of the process is reported, not the error of its pipe.
  stream.on('error', () => {});

  return {
    send(message) {
      const bytes = serialize(message);
      const header = Buffer.alloc(HEADER_BYTES);
      header.writeUInt32BE(bytes.length);
      if (!stream.writable) return;
      if (stream.writableLength > MOST_UNREAD_BYTES) return broken();
      const isTaken = stream.write(Buffer.concat([header, bytes]));
      if (isTaken || limits === undefined || stream.isPaused()) return;
      stream.pause();
      stream.once('drain', () => stream.resume());
    },
  };
}
