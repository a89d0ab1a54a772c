import { constants, setPriority } from 'node:os';
import { asFailure } from '../../platform/failure.ts';
import { backUpInDirectory, type DirectoryBackup } from './backup/directory-backup.ts';

/** In a process of its own: the copy blocks for minutes, and on a network volume that hangs for ever. */
setPriority(constants.priority.PRIORITY_LOW);
const task = JSON.parse(process.argv[2] ?? '') as DirectoryBackup;
const answer = await backUpInDirectory(task).catch((error: unknown) => {
  const { kind, message, hint } = asFailure(error, 'The backup');
  return { kind, message, hint };
});
process.stdout.write(JSON.stringify(answer));
