import { pipeline, Readable } from 'node:stream';
import { crc32, createDeflateRaw } from 'node:zlib';

/** 1980-01-01 00:00, the earliest time in a ZIP: equal content must give equal bytes on every day. */
const DOS_DATE = 0x0021;
const DOS_TIME = 0;
const UTF8_NAMES = 0x0800;
/** Checksum and sizes follow the content. */
const SIZES_FOLLOW = 0x0008;
const DEFLATED = 8;
const VERSION = 20;

export type ZipEntry = [name: string, content: AsyncIterable<Buffer> | Iterable<Buffer>];

/**
 * A deterministic ZIP file (PKWARE APPNOTE 4.3) as a stream of bytes; nothing is held in memory. Supports what a
 * workbook needs: no directories, no entry or archive of 4 GB or more. Compression runs off the main thread.
 */
export async function* zip(entries: readonly ZipEntry[]): AsyncGenerator<Buffer> {
  const directory: Buffer[] = [];
  let offset = 0;

  for (const [name, content] of entries) {
    const nameBytes = Buffer.from(name);
    const header = commonHeader(nameBytes.length);
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), header, nameBytes]);
    yield local;

    let [crc, size, compressed] = [0, 0, 0];
    async function* counted() {
      for await (const chunk of content) {
        crc = crc32(chunk, crc);
        size += chunk.length;
        yield chunk;
      }
    }
    const deflate = createDeflateRaw();
    // An error on either side ends the iteration below.
    pipeline(Readable.from(counted(), { objectMode: false }), deflate, () => {});
    for await (const chunk of deflate as AsyncIterable<Buffer>) {
      compressed += chunk.length;
      yield chunk;
    }
    const sizes = Buffer.alloc(12);
    sizes.writeUInt32LE(crc, 0);
    sizes.writeUInt32LE(compressed, 4);
    sizes.writeUInt32LE(size, 8);
    yield Buffer.concat([Buffer.from('PK\x07\x08', 'latin1'), sizes]);

    sizes.copy(header, 10);
    const made = Buffer.from([VERSION, 0]);
    // Comment length, disk, internal and external attributes are all zero.
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offset, 10);
    directory.push(Buffer.from('PK\x01\x02', 'latin1'), made, header, rest, nameBytes);
    offset += local.length + compressed + 4 + sizes.length;
  }

  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 0, 'latin1');
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(offset, 16);
  yield Buffer.concat([central, end]);
}

/** Fields that the local header and the directory share; checksum and sizes are zero in the former. */
function commonHeader(nameLength: number): Buffer {
  const common = Buffer.alloc(26);
  common.writeUInt16LE(VERSION, 0);
  common.writeUInt16LE(UTF8_NAMES | SIZES_FOLLOW, 2);
  common.writeUInt16LE(DEFLATED, 4);
  common.writeUInt16LE(DOS_TIME, 6);
  common.writeUInt16LE(DOS_DATE, 8);
  common.writeUInt16LE(nameLength, 22);
  return common;
}
