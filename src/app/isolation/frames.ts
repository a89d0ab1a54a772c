import type { Duplex } from 'node:stream';
import { deserialize, serialize } from 'node:v8';

const HEADER_BYTES = 4;

interface Frames {
  send(message: unknown): void;
}

/**
 * Messages over a pipe: four bytes of length, then a structured clone. Node's own channel between processes is not used,
 * because a process can end its parent with bytes that this channel does not expect. `onBroken`: what came is no message,
 * or one of more than `longest` bytes.
 */
export function createFrames(
  stream: Duplex,
  onMessage: (message: unknown) => void,
  onBroken: () => void,
  longest = Number.POSITIVE_INFINITY,
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
        if (wanted > longest) throw new RangeError('a message is too long');
      } else {
        wanted = HEADER_BYTES;
        onMessage(deserialize(bytes));
      }
      isHeader = !isHeader;
    }
  };

  stream.on('data', (chunk: Buffer) => {
    if (isBroken) return;
    chunks.push(chunk);
    size += chunk.length;
    try {
      read();
    } catch {
      isBroken = true;
      chunks = [];
      onBroken();
    }
  });
  // The end of the process is what the other side hears of.
  stream.on('error', () => {});

  return {
    send(message) {
      const bytes = serialize(message);
      const header = Buffer.alloc(HEADER_BYTES);
      header.writeUInt32BE(bytes.length);
      if (stream.writable) stream.write(Buffer.concat([header, bytes]));
    },
  };
}
