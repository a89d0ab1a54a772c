import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { z } from 'zod';
import type { Clock } from '../../../src/platform/clock.ts';
import type { Answer } from '../answer.ts';
import type { Connection } from '../connection.ts';
import type { Endpoint } from '../routes.ts';
import type { Tokens } from '../tokens.ts';

/** What a fault can reach beyond the connection it acts on. */
export interface World {
  clock: Clock;
  tokens: Tokens;
  /** `https://127.0.0.1:1234`; `other` is the same server under another host name. */
  origin(which: 'same' | 'other'): string;
  /** Drops every connection, forgets every token and listens again after `ms`. */
  restart(ms: number): void;
  /** Closes the listener for `ms`, or until the faults are cleared. */
  refuse(ms: number | undefined): void;
  /** The appointment of the first booking ever committed. */
  earlierAppointment(): number | undefined;
}

export interface FaultContext {
  connection: Connection;
  method: string;
  target: string;
  headers: IncomingHttpHeaders;
  endpoint: Endpoint | 'other';
  response: ServerResponse;
  world: World;
}

/** An answer to send in the usual way, or undefined when the fault has dealt with the connection itself. */
type Dealt = Answer | undefined | Promise<Answer | undefined>;

/**
 * When a fault strikes, and with that whether the request takes effect: `listener`, `connection`, `headers` (its body
 * unread) and `before` never; `after` always, and durably, before the fault begins. `beside` changes the sandbox and
 * then lets the request go on as usual.
 */
export type Act =
  | { stage: 'listener'; act(world: World): void }
  | { stage: 'connection'; act(connection: Connection): void | Promise<void> }
  | { stage: 'headers'; act(context: FaultContext): void }
  | { stage: 'before'; act(context: FaultContext): Dealt }
  | { stage: 'beside'; act(context: FaultContext): void }
  | { stage: 'after'; act(context: FaultContext, answer: Answer): Dealt };
export type Stage = Act['stage'];

export interface FaultKind {
  stage: Stage;
  description: string;
  parameters: z.ZodType<Record<string, unknown>>;
  /** It makes sense at these endpoints only, and only in place of a 200. */
  endpoints?: readonly Endpoint[];
  arm(parameters: unknown): Act;
}

type Shape = z.ZodRawShape;
type Given<S extends Shape> = z.output<z.ZodObject<S>>;

interface Definition<S extends Shape> {
  description: string;
  parameters?: S;
}

function kind<S extends Shape>(
  { description, parameters }: Definition<S>,
  stage: Stage,
  arm: (given: Given<S>) => Act,
): FaultKind {
  const schema = z.strictObject(parameters ?? ({} as S));
  return {
    stage,
    description,
    parameters: schema as z.ZodType<Record<string, unknown>>,
    arm: (raw) => arm(schema.parse(raw) as Given<S>),
  };
}

export const onListener = <S extends Shape>(
  definition: Definition<S>,
  act: (world: World, given: Given<S>) => void,
): FaultKind =>
  kind(definition, 'listener', (given) => ({ stage: 'listener', act: (world) => act(world, given) }));

export const onConnection = (
  description: string,
  act: (connection: Connection) => void | Promise<void>,
): FaultKind => kind({ description }, 'connection', () => ({ stage: 'connection', act }));

export const onHeaders = (description: string, act: (context: FaultContext) => void): FaultKind =>
  kind({ description }, 'headers', () => ({ stage: 'headers', act }));

export const before = <S extends Shape>(
  definition: Definition<S>,
  act: (context: FaultContext, given: Given<S>) => Dealt,
): FaultKind =>
  kind(definition, 'before', (given) => ({ stage: 'before', act: (context) => act(context, given) }));

export const beside = (description: string, act: (context: FaultContext) => void): FaultKind =>
  kind({ description }, 'beside', () => ({ stage: 'beside', act }));

export const after = <S extends Shape>(
  definition: Definition<S>,
  act: (context: FaultContext, answer: Answer, given: Given<S>) => Dealt,
): FaultKind =>
  kind(definition, 'after', (given) => ({
    stage: 'after',
    act: (context, answer) => act(context, answer, given),
  }));

/** The same kind at certain endpoints only, in place of a 200. */
export const only = (endpoints: readonly Endpoint[], fault: FaultKind): FaultKind => ({
  ...fault,
  endpoints,
});
