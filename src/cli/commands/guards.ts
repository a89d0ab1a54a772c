import { command, group } from '../command.ts';
import { answerList } from '../list.ts';
import { operationCommands } from '../operation-commands.ts';
import { withStore } from '../with-app.ts';

const list = command({
  name: 'list',
  describe: 'Open and recent guards',
  examples: { 'guards list': 'is an answer being held back?' },
  open: withStore,
  async run(io, given, { store }) {
    await answerList(io, given, {
      rows: await store.guards.list(),
      none: 'No guard was ever raised.',
      columns: {
        ID: 'id',
        CLINIC: 'clinic',
        POLL: 'poll',
        STATE: 'state',
        'LAST SEEN': 'last_at',
        WHAT: 'sentence',
      },
    });
  },
});

export const guards = group({
  name: 'guards',
  describe: 'Answers that would remove or change too much at once',
  commands: [list, ...operationCommands('guards')],
  examples: { 'guards list': 'is an answer being held back?' },
});
