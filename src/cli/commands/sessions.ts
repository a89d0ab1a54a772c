import type { CommandModule } from 'yargs';
import { isSessionOver, type Session } from '../../domain/audit.ts';
import { instant, systemClock } from '../../platform/clock.ts';
import type { Store } from '../../store/store.ts';
import type { ConfigArguments } from '../configuration.ts';
import { counted, Exit, exit, type Io, print, printJson, table } from '../io.ts';
import { withStore } from '../with-store.ts';

interface Arguments extends ConfigArguments {
  json?: boolean;
  id?: string;
  of?: string;
}

/** `clinic-sync sessions list | end ID | end --of NAME` */
export const sessionsCommand = (io: Io): CommandModule => ({
  command: 'sessions',
  describe: 'Browsers that are signed in',
  builder: (yargs) =>
    yargs
      .command(
        'list',
        'Who is signed in, since when, last used when, and from where',
        (sub) => sub.example('$0 sessions list', 'is anybody signed in who should not be?'),
        (argv) => list(io, argv as unknown as Arguments),
      )
      .command(
        'end [id]',
        'Sign out one browser, or all of a person',
        (sub) =>
          sub
            .positional('id', { type: 'string', describe: 'Of the list; its beginning will do' })
            .option('of', { type: 'string', requiresArg: true, describe: 'All of this person’s browsers' })
            .example('$0 sessions end --of Rima', 'Rima lost her phone'),
        (argv) => end(io, argv as unknown as Arguments),
      )
      .example('$0 sessions end --of Rima', 'Rima lost her phone')
      .demandCommand(1, 'Say which: list or end.'),
  handler: () => {},
});

async function open(store: Store): Promise<Session[]> {
  const now = systemClock.now();
  return (await store.sessions.list(instant(now))).filter((session) => !isSessionOver(session, now));
}

async function list(io: Io, given: Arguments): Promise<void> {
  await withStore(io, given, async ({ store }) => {
    const sessions = await open(store);
    if (given.json)
      return printJson(
        io,
        sessions.map(({ proof: _proof, ...shown }) => shown),
      );
    if (sessions.length === 0) return print(io, 'No browser is signed in.');
    const rows = sessions.map(({ id, by, started_at, seen_at, ends_at, address }) => [
      id.slice(0, SHOWN),
      by,
      started_at,
      seen_at,
      ends_at,
      address,
    ]);
    print(io, table([['ID', 'WHO', 'SINCE', 'LAST USED', 'ENDS', 'FROM'], ...rows]));
  });
}

/** Characters of an id that tell sessions apart, in a list. */
const SHOWN = 10;

async function end(io: Io, given: Arguments): Promise<void> {
  const { id, of } = given;
  if ((id === undefined) === (of === undefined))
    throw new Exit(exit.usage, 'Give either the ID of a session or --of NAME.');
  await withStore(io, given, async ({ store }) => {
    const found = (await open(store)).filter((one) =>
      id === undefined ? one.person === of || one.by === of : one.id.startsWith(id),
    );
    if (found.length === 0)
      throw new Exit(exit.needsPerson, 'There is no such session; see: clinic-sync sessions list');
    if (id !== undefined && found.length > 1)
      throw new Exit(exit.usage, `${id} is the beginning of ${found.length} sessions; write more of it.`);
    for (const one of found) await store.sessions.end(one.id);
    if (given.json)
      return printJson(
        io,
        found.map(({ proof: _proof, ...shown }) => shown),
      );
    const whose = [...new Set(found.map(({ by }) => by))].join(', ');
    print(
      io,
      `${counted(found.length, 'session')} of ${whose} ended; a running daemon knows within two seconds.`,
    );
  });
}
