import { Busboy } from '@fastify/busboy';

/** Why a body was not read: damaged, too large, or refused because others need the memory. */
export class BodyFault extends Error {
  readonly statusCode: 400 | 413 | 503;
  /** What of a body that is too large was read, to show its visitor what was typed. */
  readonly read: Buffer | undefined;
  constructor(statusCode: 400 | 413 | 503, read?: Buffer) {
    super('The body cannot be taken');
    this.statusCode = statusCode;
    this.read = read;
  }
}

/** Drops the files of a multipart body. After the first fault every call throws it. */
export interface FileFilter {
  /** The more in one call, the less memory it costs. */
  write(bytes: Buffer): void;
  /** Resolves to the body with its fields only. */
  end(): Promise<Buffer>;
  /** The body with the fields that were read so far. */
  soFar(): Buffer;
  /** The memory that it takes now. */
  heldBytes(): number;
}

/** Far above what a connector reads. Beyond it, the request is refused, so that no field is dropped silently. */
const MOST_FIELDS = 1_000;
/** Fields, files and parts that are neither. */
const MOST_PARTS = 1_100;
/** RFC 2046, 5.1.1. */
const LONGEST_BOUNDARY = 70;
const LONGEST_NAME = 4_096;
/** Header lines of a part. */
const HEADER_BYTES = 16_384;
/** A longer field is cut here. Connectors read 32 kB of a field, and hold what they could not read whole. */
const FIELD_BYTES = 33_000;

export function createFileFilter(contentType: string, keptBytes: number): FileFilter {
  const boundary = /boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(contentType);
  const separator = boundary?.[1] ?? boundary?.[2];
  if (separator === undefined || separator.length > LONGEST_BOUNDARY) throw new BodyFault(400);

  const parts: string[] = [];
  let kept = separator.length + 6;
  let fault: BodyFault | undefined;
  const done = Promise.withResolvers<void>();
  done.promise.catch(() => {});
  const fail = (status: 400 | 413) => {
    fault ??= new BodyFault(status);
    done.reject(fault);
  };
  // The parser calls these when nobody can catch what they throw; and what it gives them, a stranger wrote.
  const safely = (work: () => void) => {
    try {
      work();
    } catch {
      fail(400);
    }
  };
  const parser = new Busboy({
    headers: { 'content-type': contentType },
    isPartAFile: (_name, _type, fileName) => fileName !== undefined,
    limits: {
      fields: MOST_FIELDS,
      parts: MOST_PARTS,
      fieldNameSize: LONGEST_NAME,
      fieldSize: FIELD_BYTES,
      headerSize: HEADER_BYTES,
    },
  });
  // Without a `file` listener the parser itself drains files, including truncated ones.
  parser.on('field', (name?: string, value?: string) =>
    safely(() => {
      // A part without a name is no field.
      if (name === undefined) return;
      const quoted = name.toWellFormed().replace(/["\r\n]/g, encodeURIComponent);
      const part = `--${separator}\r\ncontent-disposition: form-data; name="${quoted}"\r\n\r\n${value ?? ''}\r\n`;
      kept += Buffer.byteLength(part);
      if (kept > keptBytes) return fail(413);
      parts.push(part);
    }),
  );
  parser.on('finish', done.resolve);
  parser.on('fieldsLimit', () => fail(413));
  parser.on('partsLimit', () => fail(413));
  parser.on('error', () => fail(400));

  const soFar = () => Buffer.from(`${parts.join('')}--${separator}--\r\n`);
  return {
    soFar,
    write(bytes) {
      if (fault === undefined) safely(() => parser.write(bytes));
      if (fault !== undefined) throw fault;
    },
    async end() {
      safely(() => parser.end());
      await done.promise;
      return soFar();
    },
    // A text may take two bytes a character.
    heldBytes: () => 2 * kept + FIELD_BYTES + HEADER_BYTES,
  };
}
