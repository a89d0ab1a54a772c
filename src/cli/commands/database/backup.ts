import { command } from '../../command.ts';
import { answer } from '../../io.ts';
import { whileWorking } from '../../progress-line.ts';
import { withStore } from '../../with-app.ts';

export const backup = command({
  name: 'backup <file>',
  describe: 'Write a verified copy of the database, also while the daemon runs',
  args: { file: { type: 'string', demandOption: true, describe: 'A file that does not exist yet' } },
  examples: { 'backup /backup/clinic-sync-monday.db': 'a copy that restores' },
  audit: { action: 'backup' },
  open: withStore,
  async run(io, { file, ...given }, { store }) {
    const bytes = await whileWorking(io, 'Copying and verifying the database', () => store.backup(file));
    answer(
      io,
      given,
      { file, bytes },
      `Wrote and verified ${file} (${bytes} bytes). It holds patient data: keep it as safe as the original.`,
    );
  },
});
