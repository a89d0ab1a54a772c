import { join } from 'node:path';
import { type Memory, stated } from '../../../src/connector.ts';
import { Failure } from '../../../src/platform/failure.ts';
import { statOf } from '../files.ts';
import { readManifest } from './manifest.ts';

/**
 * The names in a clinic's folder under which we write. Whatever had one of them before we did is somebody's own, and
 * stays until it is moved away.
 */
export function createOwnNames(folder: string, clinic: string, memory: Memory) {
  const key = `own:${clinic}`;
  let names: Set<string> | undefined;

  async function load(): Promise<Set<string>> {
    const former = await readManifest(join(folder, 'manifest.json'));
    const listed = former?.clinic === clinic ? ['manifest.json', ...Object.keys(former.files)] : [];
    const known = await memory.get(key);
    if (known !== undefined) return new Set([...listed, ...JSON.parse(known)]);
    return new Set(listed);
  }

  return {
    /** Call before writing. Throws `Failure` refused while somebody's file is there. */
    async claim(name: string): Promise<void> {
      names ??= await load();
      if (names.has(name)) return;
      if (await statOf(join(folder, name)))
        throw new Failure({ kind: 'refused', ...stated('files_not_ours', { names: name, place: folder }) });
      names.add(name);
      await memory.set({ [key]: JSON.stringify([...names]) });
    },
  };
}
