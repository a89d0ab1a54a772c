import type { Readable } from 'node:stream';
import { Busboy } from '@fastify/busboy';

interface Sizes {
  /** Limit of the result: the whole body, or only the fields of a larger one. */
  keptBytes: number;
  /** Limit of the bytes read. */
  readBytes: number;
}

/** Fastify answers with its `statusCode`. */
class BodyFault extends Error {
  readonly statusCode: 400 | 413;
  constructor(statusCode: 400 | 413) {
    super('The body cannot be taken');
    this.statusCode = statusCode;
  }
}

/**
 * Reads a multipart body. A small one is kept as received. A larger one usually carries a photo: its files are dropped
 * and its fields rebuilt, because refusing it would lose the lead. Rejects with 400 for a damaged body and with 413 for
 * one that is too large even without files.
 */
export async function readWithoutFiles(
  payload: Readable,
  contentType: string,
  { keptBytes, readBytes }: Sizes,
): Promise<Buffer> {
  const kept: Buffer[] = [];
  let read = 0;
  let filter: FileFilter | undefined;
  for await (const chunk of chunksOf(payload)) {
    read += chunk.length;
    if (read > readBytes) throw new BodyFault(413);
    if (filter === undefined) kept.push(chunk);
    else filter.write(chunk);
    if (filter === undefined && read > keptBytes) {
      filter = createFileFilter(contentType, keptBytes);
      for (const early of kept.splice(0)) filter.write(early);
    }
  }
  return filter === undefined ? Buffer.concat(kept) : filter.end();
}

async function* chunksOf(payload: Readable): AsyncGenerator<Buffer> {
  const chunks = payload.iterator({
    // Destroying the stream would close the socket before the response is sent.
    destroyOnReturn: false,
  });
  try {
    yield* chunks as AsyncIterable<Buffer>;
  } catch {
    // The visitor disconnected.
    throw new BodyFault(400);
  }
}

interface FileFilter {
  write(chunk: Buffer): void;
  /** Resolves to the body with its fields only. */
  end(): Promise<Buffer>;
}

/** Far above what a connector reads. Beyond it, the request is refused, so that no field is dropped silently. */
const MOST_FIELDS = 1_000;
const LONGEST_NAME = 4_096;

function createFileFilter(contentType: string, keptBytes: number): FileFilter {
  const boundary = /boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(contentType);
  const separator = boundary?.[1] ?? boundary?.[2];
  if (separator === undefined) throw new BodyFault(400);

  const parts: string[] = [];
  const done = Promise.withResolvers<void>();
  done.promise.catch(() => {});
  const parser = new Busboy({
    headers: { 'content-type': contentType },
    isPartAFile: (_name, _type, fileName) => fileName !== undefined,
    limits: { fields: MOST_FIELDS, fieldNameSize: LONGEST_NAME, fieldSize: keptBytes },
  });
  // Without a `file` listener the parser itself drains files, including truncated ones.
  parser.on('field', (name, value) => {
    const quoted = name.replace(/["\r\n]/g, encodeURIComponent);
    parts.push(`--${separator}\r\ncontent-disposition: form-data; name="${quoted}"\r\n\r\n${value}\r\n`);
  });
  parser.on('finish', done.resolve);
  parser.on('fieldsLimit', () => done.reject(new BodyFault(413)));
  parser.on('error', () => done.reject(new BodyFault(400)));

  return {
    write(chunk) {
      parser.write(chunk);
    },
    async end() {
      parser.end();
      await done.promise;
      const body = Buffer.from(`${parts.join('')}--${separator}--\r\n`);
      if (body.length > keptBytes) throw new BodyFault(413);
      return body;
    },
  };
}
