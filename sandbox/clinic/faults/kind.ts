import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { z } from 'zod';
import type { Clock } from '../../../src/platform/clock.ts';
import type { SandboxAnswer } from '../answer.ts';
import type { SandboxConnection } from '../connection.ts';
import type { Endpoint } from '../routes.ts';
import type { SandboxTokens } from '../tokens.ts';

/** What a fault can affect beyond its connection. */
export interface World {
  clock: Clock;
  tokens: SandboxTokens;
  /** `https://127.0.0.1:1234`; `other`: the same server under another host name. */
  origin(which: 'same' | 'other'): string;
  /** Drops every connection, forgets every token, and listens again after `ms`. */
  restart(ms: number): void;
  /** Closes the listener for `ms`, or until the faults are cleared. */
  refuse(ms: number | undefined): void;
  /** The appointment of the first booking ever committed. */
  earlierAppointment(): number | undefined;
}

export interface FaultContext {
  connection: SandboxConnection;
  method: string;
  target: string;
  headers: IncomingHttpHeaders;
  endpoint: Endpoint | 'other';
  response: ServerResponse;
  world: World;
}

/** An answer to send as usual, or undefined if the fault has handled the connection itself. */
type Dealt = SandboxAnswer | undefined | Promise<SandboxAnswer | undefined>;

type Done = void | Promise<void>;

/**
 * When a fault strikes, what it receives and what it may return. The stage decides whether the request takes effect:
 * `listener`, `connection`, `headers` (body unread) and `before`: never; `after`: always, and durably, before the fault
 * begins. `beside` changes the sandbox and then lets the request proceed.
 */
interface Stages {
  listener: { given: [World]; result: Done };
  connection: { given: [SandboxConnection]; result: Done };
  headers: { given: [FaultContext]; result: Done };
  before: { given: [FaultContext]; result: Dealt };
  beside: { given: [FaultContext]; result: Done };
  after: { given: [FaultContext, SandboxAnswer]; result: Dealt };
}
type Stage = keyof Stages;
export type Act = {
  [S in Stage]: { stage: S; act(...given: Stages[S]['given']): Stages[S]['result'] };
}[Stage];

export interface FaultKind {
  stage: Stage;
  description: string;
  parameters: z.ZodType<Record<string, unknown>>;
  /** Applies to these endpoints only, and only in place of a 200. */
  endpoints?: readonly Endpoint[];
  arm(parameters: unknown): Act;
}

type Shape = z.ZodRawShape;
type Given<S extends Shape> = z.output<z.ZodObject<S>>;

/** Creates kinds that strike at this stage, from a description with or without parameters. */
const at =
  <St extends Stage>(stage: St) =>
  <S extends Shape>(
    definition: string | { description: string; parameters: S },
    act: (...given: [...Stages[St]['given'], Given<S>]) => Stages[St]['result'],
  ): FaultKind => {
    const { description, parameters } =
      typeof definition === 'string' ? { description: definition, parameters: {} as S } : definition;
    const schema = z.strictObject(parameters);
    return {
      stage,
      description,
      parameters: schema as z.ZodType<Record<string, unknown>>,
      arm(raw) {
        const values = schema.parse(raw) as Given<S>;
        return { stage, act: (...given: Stages[St]['given']) => act(...given, values) } as Act;
      },
    };
  };

export const onListener = at('listener');
export const onConnection = at('connection');
export const onHeaders = at('headers');
export const before = at('before');
export const beside = at('beside');
export const afterCommit = at('after');

/** The same kind limited to certain endpoints, in place of a 200. */
export const only = (endpoints: readonly Endpoint[], fault: FaultKind): FaultKind => ({
  ...fault,
  endpoints,
});
