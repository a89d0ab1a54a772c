import { systemClock } from '../../../platform/clock.ts';
import { silentLog } from '../../../platform/log.ts';
import type { MoveProgress } from '../../../store/move.ts';
import { actorName } from '../../audited.ts';
import { command } from '../../command.ts';
import { answer, clearLine, Exit, exit, type Io, readNamed } from '../../io.ts';
import { progressTeller } from '../../progress-line.ts';

const place = (describe: string) =>
  ({ type: 'string', demandOption: true, requiresArg: true, describe }) as const;

export const migrate = command({
  name: 'migrate',
  describe: 'Move the database from its file to a PostgreSQL server, while the daemon is stopped',
  args: {
    from: place('sqlite:FILE'),
    to: place('postgres:ADDRESS of an empty database, or postgres_file:FILE that holds the address'),
  },
  examples: {
    'migrate --from sqlite:/data/clinic-sync.db --to postgres_file:/run/secrets/database_url':
      'then name that database under store.postgres',
  },
  async run(io, { from, to, ...given }) {
    const { file, url } = placesOf(from, to);
    const { moveStore } = await import('../../../store/move.ts');
    const moved = await moveStore({
      file,
      url,
      by: actorName(),
      clock: systemClock,
      log: silentLog,
      signal: io.signal,
      onProgress: teller(io),
    }).finally(() => io.terminal && io.err(clearLine));
    answer(
      io,
      given,
      moved,
      `Moved ${moved.rows} rows of ${Object.keys(moved.tables).length} tables from ` +
        `${moved.file} to ${moved.to}; every one was read back and is equal.`,
      ...(moved.held
        ? [
            'The file was an older copy, or was moved before: at the next start, what waited is held (restored_state).',
          ]
        : []),
      'The file stays as it was, with all patient data, and cannot be started by ' +
        'accident: delete it, and its backups, once you no longer need them.',
      '  → Put the address under store.postgres (or store.postgres_file), take out store.sqlite, and start the daemon.',
    );
  },
});

function placesOf(from: string, to: string): { file: string; url: string } {
  const [fromKind, file] = split(from);
  const [toKind, address] = split(to);
  if (fromKind.startsWith('postgres') && toKind === 'sqlite')
    throw new Exit(
      exit.usage,
      'A database cannot be moved from a PostgreSQL server back into a ' +
        'file.\n  → It moves from sqlite: to postgres: only.',
    );
  if (fromKind !== 'sqlite' || file === '')
    throw new Exit(exit.usage, '--from must name a database file.\n  → Write --from sqlite:FILE');
  if (toKind === 'postgres_file')
    return {
      file,
      url: readNamed(address, { as: `--to ${to}` })
        .toString('utf8')
        .trim(),
    };
  if (toKind === 'postgres' || toKind === 'postgresql')
    return { file, url: address.startsWith('//') ? to : address };
  throw new Exit(
    exit.usage,
    '--to must name a database on a PostgreSQL server.\n  → Write --to ' +
      'postgres:postgres://USER:PASSWORD@HOST:5432/DATABASE, or --to postgres_file:FILE',
  );
}

/** Splits `sqlite:FILE` at the first colon; without one, the kind is ''. */
function split(named: string): [kind: string, rest: string] {
  const at = named.indexOf(':');
  return at < 0 ? ['', named] : [named.slice(0, at), named.slice(at + 1)];
}

const words = { copying: 'copied', comparing: 'compared', indexing: 'making indexes' } as const;

function teller(io: Io): (progress: MoveProgress) => void {
  const tell = progressTeller(io);
  return ({ doing, rows, of }) =>
    tell(doing === 'indexing' ? `${words[doing]} …` : `${rows} of ${of} rows ${words[doing]} …`, doing);
}
