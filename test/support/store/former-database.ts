import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { newStoreFile } from './store-file.ts';

/** A copy of a database that a former version wrote, with its marker, as its path; it goes with the test. */
export function formerDatabase(version: string): string {
  const kept = (name: string) => new URL(`../../fixtures/databases/${version}.${name}`, import.meta.url);
  const file = newStoreFile();
  writeFileSync(file, gunzipSync(readFileSync(kept('db.gz'))));
  copyFileSync(kept('db.marker'), `${file}.marker`);
  return file;
}
