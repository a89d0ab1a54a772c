import { codeOf } from './failure.ts';

const NO_ROOM: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT']);
const NO_SYNC: ReadonlySet<string> = new Set(['EINVAL', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP']);

/** The disk is full, or a quota. */
export const isNoRoom = (error: unknown): boolean => NO_ROOM.has(codeOf(error) ?? '');

/** Some network and user-space file systems cannot be told to write to their disk now: they do when they please. */
export const isNoSync = (error: unknown): boolean => NO_SYNC.has(codeOf(error) ?? '');

/** SMB, sshfs and others order renames themselves. Windows cannot open folders. */
export const isNoFolderSync = (error: unknown): boolean =>
  isNoSync(error) || ['EISDIR', 'EPERM'].includes(codeOf(error) ?? '');
