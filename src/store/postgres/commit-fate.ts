import type { Clock } from '../../platform/clock.ts';
import { Failure } from '../../platform/failure.ts';
import type { Speaking } from './connections.ts';
import { SERVER_IDENTITY } from './look-at-server.ts';

/** Milliseconds between checks on the fate of a COMMIT, and until giving up: longer than a transaction may idle. */
const LOOK_AGAIN_MS = 200;
const LOOK_FOR_MS = 20_000;

interface CommitFateOptions {
  row: Speaking['row'];
  place: string;
  clock: Clock;
  /** `SERVER_IDENTITY` when the database was opened. */
  server: string | null;
}

/**
 * A connection lost during COMMIT leaves open whether the transaction took effect. PostgreSQL can tell for recent
 * transactions, by number.
 */
export function commitFate({ row, place, clock, server }: CommitFateOptions) {
  let failure: Failure | undefined;
  const forever = new AbortController().signal;

  const lookUp = async (xid: string): Promise<unknown> => {
    const text = `select pg_catalog.pg_xact_status('${xid}'::xid8) as fate, (${SERVER_IDENTITY}) as server`;
    const found = await row(text);
    // Another server may have given this number to another transaction.
    return found.server === server ? found.fate : undefined;
  };

  return {
    failure: () => failure,

    /** Throws `Failure` transient if it remains unknown; nothing more is written then. */
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
        hint: 'Restart the program: it reads what is really there.',
        cause,
      });
      throw failure;
    },
  };
}
