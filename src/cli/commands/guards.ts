import type { CommandModule } from 'yargs';
import { instant, systemClock } from '../../platform/clock.ts';
import { actorName } from '../actor.ts';
import type { ConfigArguments } from '../configuration.ts';
import { Exit, exit, type Io, print, printJson, table } from '../io.ts';
import { withStore } from '../with-store.ts';

interface Arguments extends ConfigArguments {
  json?: boolean;
  id: string;
}

/** `clinic-sync guards list | approve ID` */
export const guardsCommand = (io: Io): CommandModule => ({
  command: 'guards',
  describe: 'Answers that would remove or change too much at once',
  builder: (yargs) =>
    yargs
      .command(
        'list',
        'Open and recent guards',
        (sub) => sub.example('$0 guards list', 'is an answer being held back?'),
        (argv) => list(io, argv as unknown as Arguments),
      )
      .command(
        'approve <id>',
        'Let the held answer through at the next poll',
        (sub) => sub.example('$0 guards approve 3', 'the clinic really did retire half its treatments'),
        (argv) => approve(io, argv as unknown as Arguments),
      )
      .example('$0 guards approve 3', 'the clinic really did retire half its treatments')
      .demandCommand(1, 'Say which: list or approve.'),
  handler: () => {},
});

async function list(io: Io, given: Arguments): Promise<void> {
  await withStore(io, given, async ({ store }) => {
    const guards = await store.guards.list();
    if (given.json) return printJson(io, guards);
    if (guards.length === 0) return print(io, 'No guard was ever raised.');
    const rows = guards.map(({ id, clinic, poll, state, last_at, sentence }) => [
      id,
      clinic,
      poll,
      state,
      last_at,
      sentence,
    ]);
    print(io, table([['ID', 'CLINIC', 'POLL', 'STATE', 'LAST SEEN', 'WHAT'], ...rows]));
  });
}

async function approve(io: Io, given: Arguments): Promise<void> {
  await withStore(io, given, async ({ store }) => {
    const approved = await store.guards.approve(String(given.id), instant(systemClock.now()), actorName());
    if (!approved)
      throw new Exit(exit.needsPerson, `There is no open guard ${given.id}; see: clinic-sync guards list`);
    if (given.json) return printJson(io, { id: given.id, approved });
    print(io, 'Approved: the next poll that says the same is recorded.');
  });
}
