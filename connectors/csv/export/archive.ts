import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { MirrorTable, Row } from '../../../src/connector.ts';
import { type Instant, instant, toMs } from '../../../src/model/clock.ts';
import { crashpoint } from '../../../src/model/crashpoint.ts';
import { wallClockAt, wallClockInstant } from '../../../src/model/wall-clock.ts';
import { ensureDirectory, replaceFile, sha256, statOf, syncDirectory } from '../files.ts';
import { type FileFacts, type Manifest, renderManifest } from './manifest.ts';

interface Options {
  folder: string;
  timezone: string;
  now: number;
  tables: readonly { table: MirrorTable; rows: Row[] }[];
  render: (table: MirrorTable, rows: Row[]) => Promise<{ name: string; bytes: Buffer }>;
  /** Of the files just written; says as-of per table. */
  manifest: Manifest;
}

/**
 * Keeps the tables as they were when the clinic's month ended: the first run of a new month copies them to
 * `archive/YYYY-MM`, named after the month that is over. Never rewritten. Nothing is kept of a month in which there
 * was no mirror yet. Resolves to the month, or undefined when there was nothing to do.
 */
export async function archiveMonth({ folder, timezone, now, tables, render, manifest }: Options) {
  const today = wallClockAt(now, timezone).date;
  const firstOfMonth = wallClockInstant(`${today.slice(0, 8)}01`, '00:00', timezone).ms;
  const month = wallClockAt(firstOfMonth - 1, timezone).date.slice(0, 7);

  const target = join(folder, 'archive', month);
  if (await statOf(target)) return undefined;
  const known = tables.flatMap(({ rows }) => rows.map((row) => row.first_seen_at ?? row.received_at));
  if (!known.some((at) => typeof at === 'string' && toMs(at as Instant) < firstOfMonth)) return undefined;

  // Built aside and moved in whole: a month that is there is complete.
  const building = join(folder, 'archive', `.${month}.tmp`);
  await ensureDirectory(join(folder, 'archive'));
  await rm(building, { recursive: true, force: true });
  await mkdir(building);
  const files: Record<string, FileFacts> = {};
  for (const { table, rows } of tables) {
    const { name, bytes } = await render(table, table === 'bookings' ? rows.map(withoutMessage) : rows);
    await writeFile(join(building, name), bytes, { flush: true });
    const as_of = manifest.files[name]?.as_of ?? null;
    files[name] = { rows: rows.length, bytes: bytes.length, sha256: sha256(bytes), as_of };
  }
  const contents = renderManifest({ ...manifest, taken_at: instant(now), files });
  await replaceFile(join(building, 'manifest.json'), contents);
  crashpoint('csv.archive.built');
  await rename(building, target);
  await syncDirectory(join(folder, 'archive'));
  return month;
}

/** What the clinic answered may name the patient, and nobody can erase a person from a month that is never rewritten. */
const withoutMessage = (row: Row): Row => ({ ...row, message: null });
