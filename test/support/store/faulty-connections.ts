import type { Socket } from 'node:net';
import { silentLog } from '../../../src/platform/log.ts';
import type { Connections } from '../../../src/store/postgres/connections.ts';
import { openPool } from '../../../src/store/postgres/pool.ts';

/** What befalls one statement of a transaction. */
export const faults = ['refused by the server', 'cut off before it', 'cut off before its answer'] as const;
export type Fault = (typeof faults)[number];

/**
 * Connections to a server of which one fails, once, at the given statement of the next transaction that begins; `BEGIN` and
 * `COMMIT` count. Statements that were sent behind it stay sent. `end` ends every connection that has a transaction open.
 */
export function faultyConnections(url: string, end: () => Promise<unknown>) {
  const pool = openPool(url, silentLog);
  let next: { fault: Fault; at: number } | undefined;
  let hasStruck = false;
  const before: { commit?: () => Promise<unknown> } = {};

  const connections: Connections = {
    end: () => pool.end(),
    async connect() {
      const client = await pool.connect();
      let own: typeof next;
      let count = 0;
      const ask = async (text: string, values?: (string | null)[]) => {
        if (text.startsWith('begin')) {
          own = next;
          next = undefined;
          count = 0;
        }
        count += 1;
        if (text === 'commit') {
          const { commit } = before;
          delete before.commit;
          await commit?.();
        }
        if (own?.at !== count) return await client.query(text, values);
        hasStruck = true;
        if (own.fault === 'refused by the server') return await client.query('select 1 / 0');
        if (own.fault === 'cut off before it') {
          await end();
          return await client.query(text, values);
        }
        await client.query(text, values);
        (client.connection?.stream as Socket | undefined)?.destroy();
        throw new Error('Connection terminated unexpectedly');
      };
      const { connection } = client;
      return { query: ask, release: (broken) => client.release(broken), ...(connection && { connection }) };
    },
  };

  return {
    connections,
    /** `commit` is awaited, once, before the next COMMIT is sent. */
    before,
    /** Runs `work` while the fault waits for its statement. Resolves to its results, or undefined when it was not reached. */
    async during<T>(fault: Fault, at: number, work: () => Promise<T>): Promise<T | undefined> {
      next = { fault, at };
      hasStruck = false;
      const done = await work();
      return hasStruck ? done : undefined;
    },
  };
}
