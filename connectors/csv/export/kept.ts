import { createHash, type Hash } from 'node:crypto';
import type { Memory } from '../../../src/connector.ts';
import { sha256, statOf } from '../files.ts';
import { chunksOf, openPlain } from './patch-file.ts';

/** What is known of a file we wrote, kept over restarts so that the next process need not compare it with every row. */
export interface Kept<Known> {
  /** What was kept last, by a process that would have written the same; undefined when there is nothing. */
  recall(): Promise<Known | undefined>;
  keep(known: Known): Promise<void>;
}

/**
 * `shape`: all that decides how the same rows are written. What was kept for another shape does not count. Without a
 * memory nothing is kept.
 */
export function keptIn<Known>(
  memory: Memory | undefined,
  key: string,
  shape: readonly unknown[],
): Kept<Known> {
  const written = sha256(JSON.stringify(shape));
  return {
    async recall() {
      const text = await memory?.get(key);
      if (text === undefined) return undefined;
      const { shape: of, known } = JSON.parse(text) as { shape: string; known: Known };
      return of === written ? known : undefined;
    },
    async keep(known) {
      await memory?.set({ [key]: JSON.stringify({ shape: written, known }) });
    },
  };
}

/** The hash over so many first bytes of a file; undefined when it is shorter, or no plain file. */
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

/** Has the file exactly the content that was kept? */
export const isStill = async (path: string, { bytes, sha256: wanted }: { bytes: number; sha256: string }) =>
  (await statOf(path))?.size === bytes && (await hashOfFirst(path, bytes))?.digest('hex') === wanted;
