import type { CommandModule } from 'yargs';
import type { ConfigArguments } from '../configuration.ts';
import { type Io, print, printJson } from '../io.ts';
import { withStore } from '../with-store.ts';

interface Arguments extends ConfigArguments {
  json?: boolean;
  file: string;
}

/** `clinic-sync backup FILE` */
export const backupCommand = (io: Io): CommandModule => ({
  command: 'backup <file>',
  describe: 'Write a verified copy of the database, also while the daemon runs',
  builder: (yargs) =>
    yargs
      .positional('file', { type: 'string', demandOption: true, describe: 'A file that does not exist yet' })
      .example('$0 backup /backup/clinic-sync-monday.db', 'a copy that restores'),
  handler: async (argv) => {
    const given = argv as unknown as Arguments;
    await withStore(io, given, async ({ store }) => {
      const bytes = await store.backup(given.file);
      if (given.json) return printJson(io, { file: given.file, bytes });
      print(
        io,
        `Wrote and verified ${given.file} (${bytes} bytes). It holds patient data: keep it as safe as the original.`,
      );
    });
  },
});
