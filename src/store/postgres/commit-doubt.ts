import type { Clock } from '../../platform/clock.ts';
import { Failure } from '../../platform/failure.ts';
import type { Speaking } from './connections.ts';
import { SERVER_IDENTITY } from './server.ts';

/** Between two looks at what became of a COMMIT, and how long it is looked for, in milliseconds; longer than a transaction may stand still. */
const LOOK_AGAIN_MS = 200;
const LOOK_FOR_MS = 20_000;

interface DoubtOptions {
  row: Speaking['row'];
  place: string;
  clock: Clock;
  /** What `SERVER_IDENTITY` said when the database was opened. */
  server: string | null;
}

/**
 * A connection that is lost in COMMIT leaves open whether the transaction took effect. PostgreSQL remembers that of every
 * recent one by its number.
 */
export function commitDoubt({ row, place, clock, server }: DoubtOptions) {
  let failure: Failure | undefined;
  const forever = new AbortController().signal;

  const lookUp = async (xid: string): Promise<unknown> => {
    const text = `select pg_catalog.pg_xact_status('${xid}'::xid8) as fate, (${SERVER_IDENTITY}) as server`;
    const found = await row(text);
    // Another server may have given the same number to another transaction.
    return found.server === server ? found.fate : undefined;
  };

  return {
    failure: () => failure,

    /** Throws `Failure` transient when it stays unknown; nothing more is written then. */
    async fateOf(xid: string | undefined, cause: unknown): Promise<'committed' | 'aborted'> {
      const until = clock.monotonic() + LOOK_FOR_MS;
      while (xid !== undefined && clock.monotonic() < until) {
        const fate = await lookUp(xid).catch(() => undefined);
        if (fate === 'committed' || fate === 'aborted') return fate;
        await clock.sleep(LOOK_AGAIN_MS, forever);
      }
      failure = new Failure({
        kind: 'transient',
        message: `It is not known whether the last write was stored (${place}): the connection was lost.`,
        hint: 'The program has to be restarted, and reads on start what is really there.',
        cause,
      });
      throw failure;
    },
  };
}
