import type { Readable } from 'node:stream';
import type { BodyBudget } from './limits/body-budget.ts';
import { BodyFault, createFileFilter, type FileFilter } from './multipart.ts';

interface BodyLimits {
  /** Limit of a body, and of the fields of a larger one with files. */
  bodyBytes: number;
  /** Limit of the bytes read of a body with files. */
  multipartBytes: number;
}

interface Sent {
  payload: Readable;
  contentType: string;
  /** As announced; NaN where it was not. */
  length: number;
  address: string;
}

/** What a chunk costs beside its bytes: a body can be sent a byte at a time. */
const CHUNK_BYTES = 256;
const MOST_CHUNKS = 64;
/** What was read of a body with files and is dropped stays in memory until it is collected. */
const LARGE_BYTES = 262_144;
/** The filter gets as much at once. */
const BLOCK_BYTES = 16_384;

/**
 * Reads a body, kept as received. A large multipart body usually carries a photo: its files are dropped and its fields
 * rebuilt, because refusing it would lose the lead. The memory that the body takes counts in `budget` until it is read.
 * Rejects with `BodyFault`, and then reads no further; one that is too large has what was read before.
 */
export async function readBody(sent: Sent, limits: BodyLimits, budget: BodyBudget): Promise<Buffer> {
  const { payload, contentType, length, address } = sent;
  const isMultipart = /^multipart\/form-data\b/i.test(contentType);
  const mostRead = isMultipart ? limits.multipartBytes : limits.bodyBytes;
  // Of a visitor's form, the beginning is read, to show it again.
  if (length > mostRead && !/form/i.test(contentType)) throw new BodyFault(413);

  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const held = budget.open(address, () => reject(new BodyFault(503)));
  const chunks: Buffer[] = [];
  let waiting = 0;
  let read = 0;
  let filter: FileFilter | undefined;

  const joined = () => {
    const all = chunks.splice(0);
    return all.length === 1 && all[0] ? all[0] : Buffer.concat(all);
  };
  const withRead = (error: unknown) =>
    error instanceof BodyFault && error.statusCode === 413
      ? new BodyFault(413, filter?.soFar() ?? joined().subarray(0, limits.bodyBytes))
      : error;
  const take = (chunk: Buffer) => {
    read += chunk.length;
    waiting += chunk.length;
    chunks.push(chunk);
    if (chunks.length > MOST_CHUNKS) chunks.push(joined());
    if (read > mostRead) throw new BodyFault(413);
    if (read > limits.bodyBytes) filter ??= createFileFilter(contentType, limits.bodyBytes);
    if (filter !== undefined && waiting >= BLOCK_BYTES) {
      filter.write(joined());
      waiting = 0;
      awaitTurn(payload, budget);
    }
    const kept = filter && LARGE_BYTES + filter.heldBytes();
    held.hold(waiting + chunks.length * CHUNK_BYTES + (kept ?? 0));
  };
  const onData = (chunk: Buffer) => {
    try {
      take(chunk);
    } catch (error) {
      reject(withRead(error));
    }
  };
  const onEnd = () => {
    if (!Number.isNaN(length) && read !== length) return reject(new BodyFault(400));
    if (filter === undefined) return resolve(joined());
    try {
      filter.write(joined());
      const whole = filter.end().catch((error) => {
        throw withRead(error);
      });
      resolve(whole);
    } catch (error) {
      reject(withRead(error));
    }
  };
  // Unless all came, the visitor disconnected.
  const onGone = () => {
    if (!payload.readableEnded) reject(new BodyFault(400));
  };

  payload.on('data', onData).once('end', onEnd).once('error', onGone).once('close', onGone);
  try {
    return await promise;
  } finally {
    held.close();
    payload.off('data', onData).off('end', onEnd).off('close', onGone);
    dropRest(payload, budget);
  }
}

/** Until its turn, a sender can send no more. */
function awaitTurn(payload: Readable, { turn }: Pick<BodyBudget, 'turn'>): void {
  payload.pause();
  turn(() => void payload.resume());
}

/** Lets a sender finish who is answered before all was read: whoever sends first and reads then would miss it. */
export function dropRest(payload: Readable, budget: Pick<BodyBudget, 'turn'>): void {
  if (payload.readableEnded || payload.destroyed) return;
  let dropped = 0;
  const drop = ({ length }: Buffer) => {
    dropped += length;
    if (dropped < BLOCK_BYTES) return;
    dropped = 0;
    awaitTurn(payload, budget);
  };
  payload.on('data', drop).resume();
}
