import { instant, systemClock } from '../../platform/clock.ts';
import { actorName } from '../audited.ts';
import { command, group, word } from '../command.ts';
import { answer, Exit, exit } from '../io.ts';
import { answerList } from '../list.ts';
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

const example = { 'guards approve 3': 'the clinic really did retire half its treatments' };

const approve = command({
  name: 'approve <id>',
  describe: 'Let the held answer through at the next poll',
  args: { id: word },
  examples: example,
  audit: { action: 'guard.approve', subject: 'id' },
  open: withStore,
  async run(io, { id, ...given }, { store }) {
    const approved = await store.guards.approve(id, instant(systemClock.now()), actorName());
    if (!approved)
      throw new Exit(exit.needsPerson, `There is no open guard ${id}; see: clinic-sync guards list`);
    answer(io, given, { id, approved }, 'Approved: the next equal answer is recorded.');
  },
});

export const guards = group({
  name: 'guards',
  describe: 'Answers that would remove or change too much at once',
  commands: [list, approve],
  examples: example,
});
