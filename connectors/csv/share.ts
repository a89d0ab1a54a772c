import { dirname, resolve } from 'node:path';
import { type ConnectorContext, type Memory, stated } from '../../src/connector.ts';
import { Failure } from '../../src/platform/failure.ts';
import { statOf } from './files.ts';

/** Where the file system of a path begins; empty for that of `/`. */
async function mountOf(path: string): Promise<string> {
  const parent = dirname(path);
  if (parent === path) return '';
  const [here, above] = [await statOf(path), await statOf(parent)];
  return here !== undefined && above !== undefined && here.dev !== above.dev ? path : mountOf(parent);
}

const keyOf = (directory: string): string => `share:${resolve(directory)}`;

/** Where the share was when we last looked, and is now. */
async function placesOf(directory: string, memory: Memory) {
  const [before, now] = [await memory.get(keyOf(directory)), await mountOf(resolve(directory))];
  return { before, now, isAway: before !== undefined && before.length > now.length };
}

/**
 * The mount point of a share that was unmounted: below it, files would pile up that nobody sees. Its place is
 * remembered, because an unmounted share looks like an empty folder.
 */
export async function shareAway(directory: string, memory: Memory): Promise<string | undefined> {
  const { before, isAway } = await placesOf(directory, memory);
  return isAway ? before : undefined;
}

/**
 * Resolves to the mount point of a share that came over files of ours. Throws `Failure` transient while the share is
 * away.
 */
export async function lookAtShare(
  directory: string,
  { name: connector, memory }: Pick<ConnectorContext, 'name' | 'memory'>,
): Promise<string | undefined> {
  const { before, now, isAway } = await placesOf(directory, memory);
  if (isAway)
    throw new Failure({ kind: 'transient', ...stated('share_away', { connector, place: before ?? '' }) });
  if (before !== now) await memory.set({ [keyOf(directory)]: now });
  return before === undefined || before === now ? undefined : now;
}

/** From now on, the folder without its share is the right place. */
export const forgetShare = (directory: string, memory: Memory): Promise<void> =>
  memory.set({ [keyOf(directory)]: undefined });
