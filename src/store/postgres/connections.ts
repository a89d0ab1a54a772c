import { Failure } from '../../platform/failure.ts';
import { bind } from '../bind.ts';
import { isConnectionLost, postgresFailure } from './failure.ts';

/** What this module uses of node-postgres' pool. */
export interface Connections {
  connect(): Promise<Connection>;
  end(): Promise<void>;
}

export interface Connection {
  /** Without values `text` may be several statements; resolves to their results then. */
  query(text: string, values?: (string | null)[]): Promise<Result | Result[]>;
  /** `broken`: it is closed instead of being used again. */
  release(broken?: boolean): void;
  /** Its socket, where it has one. */
  connection?: { stream: { cork(): void; uncork(): void } };
}

export interface Result {
  rows: Record<string, unknown>[];
  /** `INSERT`, `COMMIT`, … */
  command?: string;
  rowCount?: number | null;
}

/**
 * Values go as text, and the statement tells their type. PostgreSQL refuses the character NUL, so it is left out: one lead
 * with it would otherwise never be stored.
 */
export function asText(value: unknown): string | null {
  const bound = bind(value);
  return bound === null ? null : String(bound).replaceAll('\0', '');
}

const INT8 = 20;
const NUMERIC = 1700;

/** Counts and sums arrive as text, because they may be larger than what a number holds exactly. */
export function safeNumber(text: string): number {
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
  /** It is closed when it is released. */
  isBroken: boolean;
  isReleased?: boolean;
}

export function release(held: Held): void {
  if (held.isReleased) return;
  held.isReleased = true;
  held.client.release(held.isBroken);
}

/** Connects, and speaks through connections; throws `Failure`s that call the database `place`. */
export function speaking(connections: Connections, place: string) {
  const connect = async (): Promise<Held> => {
    try {
      return { client: await connections.connect(), isBroken: false };
    } catch (error) {
      throw postgresFailure(error, place);
    }
  };

  const ask = async (held: Held, text: string, values?: (string | null)[]): Promise<Result[]> => {
    try {
      // What is asked for in one turn goes out at once: the server is woken once, and this process calls the system once.
      const stream = held.client.connection?.stream;
      stream?.cork();
      process.nextTick(() => stream?.uncork());
      const found = await held.client.query(text, values);
      return Array.isArray(found) ? found : [found];
    } catch (error) {
      const failure = postgresFailure(error, place);
      if (isConnectionLost(failure)) held.isBroken = true;
      throw failure;
    }
  };

  const rows = async (text: string, ...values: string[]): Promise<Result['rows']> => {
    const held = await connect();
    try {
      return (await ask(held, text, values))[0]?.rows ?? [];
    } finally {
      release(held);
    }
  };

  return {
    connect,
    ask,
    /** Never fails, because the failure before it matters more: a connection that cannot roll back is closed. */
    async rollBack(held: Held): Promise<void> {
      if (held.isBroken) return;
      await ask(held, 'rollback').catch(() => {
        held.isBroken = true;
      });
    },
    /** Of a statement on a connection of its own: its first row, or all. */
    async row(text: string): Promise<Result['rows'][number]> {
      return (await rows(text))[0] ?? {};
    },
    rows,
  };
}
export type Speaking = ReturnType<typeof speaking>;
