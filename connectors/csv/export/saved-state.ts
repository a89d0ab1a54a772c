import { createHash, type Hash } from 'node:crypto';
import type { Memory } from '../../../src/connector.ts';
import { sha256, statOf } from '../files.ts';
import { chunksOf, openPlain } from './patch-file.ts';

/** State of a file we wrote, stored so that the next process need not compare it row by row. */
export interface SavedState<Known> {
  /** The last state stored for the same shape, if any. */
  load(): Promise<Known | undefined>;
  store(known: Known): Promise<void>;
}

/** `shape` is everything that determines how rows are rendered; a state of another shape is ignored. */
export function savedStateIn<Known>(
  memory: Memory | undefined,
  key: string,
  shape: readonly unknown[],
): SavedState<Known> {
  const written = sha256(JSON.stringify(shape));
  return {
    async load() {
      const text = await memory?.get(key);
      if (text === undefined) return undefined;
      const { shape: of, known } = JSON.parse(text) as { shape: string; known: Known };
      return of === written ? known : undefined;
    },
    async store(known) {
      await memory?.set({ [key]: JSON.stringify({ shape: written, known }) });
    },
  };
}

/** The hash of the first `bytes` of a file; undefined when it is shorter or no plain file. */
export async function hashOfFirst(path: string, bytes: number): Promise<Hash | undefined> {
  const file = await openPlain(path);
  try {
    if (file === undefined || (await file.stat()).size < bytes) return undefined;
    const hash = createHash('sha256');
    for await (const chunk of chunksOf(file, 0, bytes)) hash.update(chunk);
    return hash;
  } finally {
    await file?.close();
  }
}

/** Whether the file has exactly the stored content. */
export const isStill = async (path: string, { bytes, sha256: wanted }: { bytes: number; sha256: string }) =>
  (await statOf(path))?.size === bytes && (await hashOfFirst(path, bytes))?.digest('hex') === wanted;
