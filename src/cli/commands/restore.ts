import type { CommandModule } from 'yargs';
import { formatBytes } from '../../platform/bytes.ts';
import { systemClock } from '../../platform/clock.ts';
import { restoreStore } from '../../store/sqlite.ts';
import { actorName } from '../actor.ts';
import { type ConfigArguments, requireConfig } from '../configuration.ts';
import { counted, type Io, print, printJson } from '../io.ts';

interface Arguments extends ConfigArguments {
  json?: boolean;
  file: string;
}

/** `clinic-sync restore FILE` */
export const restoreCommand = (io: Io): CommandModule => ({
  command: 'restore <file>',
  describe: 'Put a backup in the place of the database, while the daemon is stopped',
  builder: (yargs) =>
    yargs
      .positional('file', { type: 'string', demandOption: true, describe: 'A file that `backup` wrote' })
      .example('$0 restore /backup/clinic-sync-monday.db', 'after a lost or damaged database'),
  handler: async (argv) => {
    const { file: copy, json, ...given } = argv as unknown as Arguments;
    const config = await requireConfig(io, given);
    const file = config.store.sqlite;
    const restored = await restoreStore(file, copy, actorName(), systemClock);
    if (json) return printJson(io, { file, from: copy, ...restored });
    const made = restored.copied_at === null ? '' : `, made ${restored.copied_at}`;
    print(io, `Restored ${file} from ${copy} (${formatBytes(restored.bytes)}${made}).`);
    if (restored.former.length > 0) print(io, `The former database is kept: ${restored.former.join(', ')}`);
    print(
      io,
      `At the next start nothing is sent until you have looked: ${counted(restored.held, 'booking')} that waited will be held (restored_state), because they may have been sent since this backup.`,
    );
    print(io, '  → Start the daemon, decide about them, then run: clinic-sync bookings resume');
  },
});
