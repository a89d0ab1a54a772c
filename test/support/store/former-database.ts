import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { newStoreFile } from './store-file.ts';

const folder = new URL('../../fixtures/databases/', import.meta.url);

/** Every version whose database is stored. */
export const formerVersions = readdirSync(folder)
  .filter((name) => name.endsWith('.db.gz'))
  .map((name) => name.slice(0, -'.db.gz'.length));

/** A copy of a database that a former version wrote, with its marker, as its path; it goes with the test. */
export function formerDatabase(version: string, file = newStoreFile()): string {
  const kept = (name: string) => new URL(`${version}.${name}`, folder);
  writeFileSync(file, gunzipSync(readFileSync(kept('db.gz'))));
  copyFileSync(kept('db.marker'), `${file}.marker`);
  return file;
}
