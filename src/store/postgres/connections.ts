import { Failure } from '../../platform/failure.ts';
import { bind, withoutNul } from '../bind.ts';
import { isConnectionLost, isNotKept, isOfSession, postgresFailure } from './postgres-failure.ts';

/** The part of node-postgres' pool that is used here. */
export interface Connections {
  connect(): Promise<Connection>;
  /** Returns what ends all connections that are open now, as far as they still are. */
  suspect?(): () => void;
  end(): Promise<void>;
}

export interface Connection {
  /** Without values, `text` may contain several statements; then resolves to all their results. */
  query(text: string, values?: (string | null)[]): Promise<Result | Result[]>;
  /** Keeps the plans of statements that come again. Absent behind a pooler. */
  queryKept?(text: string, values: (string | null)[]): Promise<Result>;
  /** `broken`: closes it instead of reusing it. */
  release(broken?: boolean): void;
  /** Its socket, if any. */
  connection?: { stream: { cork(): void; uncork(): void } };
}

export interface Result {
  rows: Record<string, unknown>[];
  /** `INSERT`, `COMMIT`, … */
  command?: string;
  rowCount?: number | null;
}

/** Values are sent as text, and the statement determines their type. */
export function asText(value: unknown): string | null {
  const bound = bind(value);
  return bound === null ? null : withoutNul(String(bound));
}

const INT8 = 20;
const NUMERIC = 1700;

/** Counts and sums arrive as text, because they may exceed what a number represents exactly. */
function safeNumber(text: string): number {
  const number = Number(text);
  const isSafe = Number.isInteger(number) ? Number.isSafeInteger(number) : Number.isFinite(number);
  if (isSafe) return number;
  throw new Failure({ kind: 'refused', message: 'The database has a number that would be rounded.' });
}

export const parsers: Record<number, (text: string) => unknown> = {
  [INT8]: safeNumber,
  [NUMERIC]: safeNumber,
};

/** A connection in use. */
export interface Held {
  client: Connection;
  /** Closed on release. */
  isBroken: boolean;
  isReleased?: boolean;
}

export function releaseConnection(held: Held): void {
  if (held.isReleased) return;
  held.isReleased = true;
  held.client.release(held.isBroken);
}

/** Connects and runs statements; throws `Failure`s that name the database `place`. */
export function speaking(connections: Connections, place: string) {
  const connect = async (): Promise<Held> => {
    try {
      return { client: await connections.connect(), isBroken: false };
    } catch (error) {
      throw postgresFailure(error, place);
    }
  };

  const run = async (held: Held, query: () => Promise<Result | Result[]>): Promise<Result[]> => {
    try {
      // Corked, so that all statements of one turn are sent in one packet and one system call.
      const stream = held.client.connection?.stream;
      stream?.cork();
      process.nextTick(() => stream?.uncork());
      const found = await query();
      return Array.isArray(found) ? found : [found];
    } catch (error) {
      const failure = postgresFailure(error, place);
      if (isConnectionLost(failure) || isOfSession(failure)) held.isBroken = true;
      throw failure;
    }
  };
  const ask = (held: Held, text: string, values?: (string | null)[]) =>
    run(held, () => held.client.query(text, values));

  const rows = async (text: string, ...values: string[]): Promise<Result['rows']> => {
    const held = await connect();
    try {
      return (await ask(held, text, values))[0]?.rows ?? [];
    } finally {
      releaseConnection(held);
    }
  };

  return {
    connect,
    ask,
    /** For reads outside transactions, which a failure to keep it would abort. */
    async askKept(held: Held, text: string, values: (string | null)[]): Promise<Result[]> {
      const { client } = held;
      try {
        return await run(held, () => client.queryKept?.(text, values) ?? client.query(text, values));
      } catch (error) {
        if (!isNotKept(error)) throw error;
        held.isBroken = true;
        return await ask(held, text, values);
      }
    },
    /** Never rejects, because the previous failure matters more: a connection that cannot roll back is closed. */
    async rollBack(held: Held): Promise<void> {
      if (held.isBroken) return;
      await ask(held, 'rollback').catch(() => {
        held.isBroken = true;
      });
    },
    /** Runs a statement on its own connection; resolves to its first row. */
    async row(text: string): Promise<Result['rows'][number]> {
      return (await rows(text))[0] ?? {};
    },
    rows,
  };
}
export type Speaking = ReturnType<typeof speaking>;
