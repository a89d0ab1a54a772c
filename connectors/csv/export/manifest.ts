import { z } from 'zod';
import type { Instant } from '../../../src/platform/clock.ts';
import { openPlain } from './patch-file.ts';

/** Lets a reader verify a file: compare `bytes` and `sha256` first, then read. */
export interface FileFacts {
  rows: number;
  bytes: number;
  sha256: string;
  /** When the clinic last confirmed this content; for bookings and changes, the time of the newest one. */
  as_of: Instant | null;
  /** changes.csv: the last sequence in it. */
  sequence?: number;
}

export interface Manifest {
  version: 1;
  clinic: string;
  profile: string;
  format: string;
  delimiter: string;
  /** Absent for a point. */
  decimal?: 'comma';
  /** Absent for UTF-8. */
  encoding?: string;
  line_ending: string;
  /** Whether the files have patient columns. */
  patient: boolean;
  /** When an archive was copied; archives only. */
  taken_at?: Instant;
  files: Record<string, FileFacts>;
}

export const renderManifest = (manifest: Manifest): Buffer =>
  Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`);

const Facts = z.looseObject({
  rows: z.number().default(0),
  bytes: z.number().default(0),
  sha256: z.string(),
  as_of: z.string().nullable().default(null),
  sequence: z.number().exactOptional(),
});
const Former = z.looseObject({ files: z.record(z.string(), Facts) });

/** The manifest of an earlier run; undefined when there is none or it is unreadable. */
export async function readManifest(path: string): Promise<z.infer<typeof Former> | undefined> {
  const file = await openPlain(path);
  try {
    return Former.parse(JSON.parse((await file?.readFile('utf8')) ?? ''));
  } catch {
    return undefined;
  } finally {
    await file?.close();
  }
}
