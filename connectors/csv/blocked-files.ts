import { constants } from 'node:fs';
import { access, readlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Note, said } from '../../src/connector.ts';
import { errnoOf, fileFailure, statOf } from './files.ts';

/** Errors that say something about one file; all others concern its folder or disk. */
const OF_ONE_FILE: ReadonlySet<string> = new Set([
  ...['EACCES', 'EPERM', 'EBUSY', 'ETXTBSY', 'EISDIR', 'ENOTEMPTY', 'EEXIST', 'ELOOP'],
  ...['ENAMETOOLONG', 'EINVAL', 'EILSEQ', 'EFBIG', 'EIO', 'ESTALE'],
]);
const DENIED: readonly string[] = ['EACCES', 'EPERM'];

interface Blocked {
  name: string;
  code: string;
  /** Of the file, where it is another user's. */
  owner: number | undefined;
}

/** Files that something hinders, while the others go on. */
export interface BlockedFiles {
  /** Does the work of one file. False when something hinders just that; throws for what hinders all files. */
  attempt(path: string, name: string, work: () => Promise<unknown>): Promise<boolean>;
  readonly found: readonly Blocked[];
}

export function blockedFiles(): BlockedFiles {
  const found: Blocked[] = [];
  return {
    found,
    async attempt(path, name, work) {
      try {
        await work();
        return true;
      } catch (error) {
        const code = errnoOf(error) ?? '';
        if (!OF_ONE_FILE.has(code)) throw error;
        if (DENIED.includes(code)) await mustBeWritable(dirname(path), error);
        const uid = (await statOf(path).catch(() => undefined))?.uid;
        const isForeign = DENIED.includes(code) && uid !== undefined && uid !== process.getuid?.();
        found.push({ name, code, owner: isForeign ? uid : undefined });
        return false;
      }
    },
  };
}

/** Throws what concerns the whole folder. */
async function mustBeWritable(folder: string, error: unknown): Promise<void> {
  try {
    await access(folder, constants.W_OK | constants.X_OK);
  } catch {
    throw fileFailure(error, await readlink(folder).catch(() => folder));
  }
}

/** What is known of the hindered files, for people. */
export function blockedNotesOf(
  { found }: BlockedFiles,
  place: string,
  list: (names: readonly string[]) => string,
): Note[] {
  const user = String(process.getuid?.() ?? '');
  const foreign = found.filter(({ owner }) => owner !== undefined);
  const unread = found.some((one) => one.code === 'EIO');
  const rest = found.filter((one) => !foreign.includes(one) && !(unread && one.code === 'EIO'));
  const owner = [...new Set(foreign.map((one) => `user id ${one.owner}`))].join(', ');
  const names = (blocked: readonly Blocked[]) => list([...new Set(blocked.map(({ name }) => name))]);
  const codes = [...new Set(rest.map((one) => one.code))].join(', ');
  return [
    ...(unread ? [said('file_unread', { place })] : []),
    ...(foreign.length > 0 ? [said('files_of_others', { names: names(foreign), place, user, owner })] : []),
    ...(rest.length > 0 ? [said('files_stuck', { names: names(rest), place, code: ` (${codes})` })] : []),
  ];
}
