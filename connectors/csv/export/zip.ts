import { promisify } from 'node:util';
import { crc32, deflateRaw } from 'node:zlib';

const deflate = promisify(deflateRaw);

/** 1980-01-01 00:00, the earliest a ZIP can say: the same content must give the same bytes on every day. */
const DOS_DATE = 0x0021;
const DOS_TIME = 0;
const UTF8_NAMES = 0x0800;
const DEFLATED = 8;
const VERSION = 20;

/**
 * A ZIP file (PKWARE APPNOTE 4.3) of the given entries, in their order, deterministic. For the parts of a workbook:
 * no directories, no entry or archive of 4 GB and more. Compression runs off the main thread.
 */
export async function zip(entries: Readonly<Record<string, Buffer>>): Promise<Buffer> {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;

  for (const [name, content] of Object.entries(entries)) {
    const nameBytes = Buffer.from(name);
    const compressed = await deflate(content);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(VERSION, 0);
    common.writeUInt16LE(UTF8_NAMES, 2);
    common.writeUInt16LE(DEFLATED, 4);
    common.writeUInt16LE(DOS_TIME, 6);
    common.writeUInt16LE(DOS_DATE, 8);
    common.writeUInt32LE(crc32(content), 10);
    common.writeUInt32LE(compressed.length, 14);
    common.writeUInt32LE(content.length, 18);
    common.writeUInt16LE(nameBytes.length, 22);

    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), common, nameBytes, compressed]);
    const made = Buffer.from([VERSION, 0]);
    // Comment length, disk, internal and external attributes are all zero.
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offset, 10);
    locals.push(local);
    directory.push(Buffer.from('PK\x01\x02', 'latin1'), made, common, rest, nameBytes);
    offset += local.length;
  }

  const central = Buffer.concat(directory);
  const count = Object.keys(entries).length;
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 0, 'latin1');
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, central, end]);
}
