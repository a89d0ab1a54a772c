import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { hashOfFirst } from '../export/saved-state.ts';
import { replaceFile, sha256, statOf } from '../files.ts';
import { csvFiles, type Folders, move, stemOf } from './folders.ts';
import type { Ledger } from './ledger.ts';

interface Parts {
  ledger: Ledger;
  mode: number;
}

/** A file that we write for people. */
type AnswerFile = readonly [folder: 'results' | 'failed', name: string];

/** So many contents are remembered: a syncer may bring an earlier one back. */
const REMEMBERED = 8;

/** Whether nothing has this name, or only what we wrote: everything else is somebody's, and stays. */
export async function isFree(ledger: Ledger, folders: Folders, answer: AnswerFile): Promise<boolean> {
  const path = join(folders[answer[0]], answer[1]);
  if ((await statOf(path)) === undefined) return true;
  const hash = await fileHashOf(path);
  return hash !== undefined && ((await ledger.wrote(answer.join('/'))) ?? []).includes(hash);
}

/** Undefined for what is no plain file, or may not be read. */
export async function fileHashOf(path: string): Promise<string | undefined> {
  const { size = 0 } = (await statOf(path)) ?? {};
  return (await hashOfFirst(path, size).catch(() => undefined))?.digest('hex');
}

/** Once, for answers of a version that noted no contents: what is there under their names is taken for ours. */
export async function adoptAnswers(ledger: Ledger, folders: Folders): Promise<void> {
  if ((await ledger.wrote('')) !== undefined) return;
  const stems = await ledger.stems();
  const answers: AnswerFile[] = [];
  for (const stem of stems) answers.push(['results', await ledger.answer({ folder: 'done', stem })]);
  // A fresh ledger knows nothing of what another one left here.
  for (const name of stems.length === 0 ? [] : await csvFiles(folders.failed)) {
    const stem = stemOf(name);
    const results = await ledger.answer({ folder: 'failed', stem });
    answers.push(['failed', `${stem}.error.txt`]);
    if ((await ledger.holder(results))?.folder === 'failed') answers.push(['results', results]);
  }
  for (const answer of answers) {
    const hash = await fileHashOf(join(folders[answer[0]], answer[1]));
    if (hash !== undefined) await ledger.noteWrote(answer.join('/'), [hash]);
  }
  await ledger.noteWrote('', []);
}

/** Replaces what is free. */
export async function writeOwn(
  { ledger, mode }: Parts,
  folders: Folders,
  answer: AnswerFile,
  bytes: Buffer,
): Promise<void> {
  const known = (await ledger.wrote(answer.join('/'))) ?? [];
  // The ledger first: a file that is not in it is never replaced again.
  const hashes = new Set([sha256(bytes), ...known]);
  await ledger.noteWrote(answer.join('/'), [...hashes].slice(0, REMEMBERED));
  await replaceFile(join(folders[answer[0]], answer[1]), bytes, mode);
}

export async function removeOwn(ledger: Ledger, folders: Folders, answer: AnswerFile): Promise<void> {
  if (await isFree(ledger, folders, answer)) await rm(join(folders[answer[0]], answer[1]), { force: true });
}

export async function moveOwn(ledger: Ledger, folders: Folders, [folder, name]: AnswerFile, to: string) {
  const known = await ledger.wrote(`${folder}/${name}`);
  if (known) await ledger.noteWrote(`${folder}/${to}`, known);
  await move([folders[folder], name], [folders[folder], to]);
}
