import { z } from 'zod';
import { asFailure, Failure } from '../../platform/failure.ts';

/** Concurrent calls of one side beyond which the process counts as out of control. */
const MOST_CALLS = 1_000;

const id = z.number().int();
const SentFailure = z.object({
  kind: z.enum(['transient', 'refused', 'ambiguous']),
  message: z.string(),
  hint: z.string().optional(),
  status: z.number().optional(),
  retryAfterMs: z.number().optional(),
  lasting: z.boolean(),
});

/** Messages between the daemon and an isolated connector's process, as structured clones. */
const Message = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('call'), id, name: z.string(), args: z.array(z.unknown()) }),
  z.object({ kind: z.literal('abort'), id }),
  z.object({ kind: z.literal('done'), id, value: z.unknown() }),
  z.object({ kind: z.literal('failed'), id, failure: SentFailure }),
]);
type Message = z.infer<typeof Message>;

export type Handler = (args: never, signal: AbortSignal) => unknown;

export interface Wire {
  /** Rejects with the other side's error as a Failure, or with the signal's reason when that aborts first. */
  call(name: string, args: unknown[], signal?: AbortSignal): Promise<unknown>;
  /** Throws for a message outside the protocol, and for one call too many. */
  receive(message: unknown): void;
  /** Rejects all pending calls: nothing more will arrive. */
  end(why: Failure): void;
}

interface Hearing {
  /** Converts the other side's failures. */
  heard?: (failure: Failure) => Failure;
  /** These calls are answered one after the other, each once the last answer was taken. */
  inTurn?: (name: string) => boolean;
}

/** Calls in both directions over one channel. */
export function createWire(
  send: (message: Message) => Promise<void> | void,
  handlers: Readonly<Record<string, Handler>>,
  { heard = (failure) => failure, inTurn = () => false }: Hearing = {},
): Wire {
  const waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: unknown) => void }>();
  const running = new Map<number, AbortController>();
  let last = 0;
  let turn: Promise<void> | undefined;

  async function answer({ id, name, args }: Extract<Message, { kind: 'call' }>): Promise<void> {
    const controller = new AbortController();
    running.set(id, controller);
    try {
      if (inTurn(name)) await turn;
      controller.signal.throwIfAborted();
      const handler = Object.hasOwn(handlers, name) ? handlers[name] : undefined;
      if (handler === undefined) throw new Failure({ kind: 'refused', message: `There is no ${name} here` });
      const value = await handler(args as never, controller.signal);
      await send({ kind: 'done', id, value });
    } catch (error) {
      const { kind, message, hint, status, retryAfterMs, lasting } = asFailure(error, 'The connector');
      await send({ kind: 'failed', id, failure: { kind, message, hint, status, retryAfterMs, lasting } });
    } finally {
      running.delete(id);
    }
  }

  const begin = (message: Extract<Message, { kind: 'call' }>) => {
    const answered = answer(message);
    if (inTurn(message.name)) turn = answered;
  };

  return {
    call(name, args, signal) {
      if (signal?.aborted) return Promise.reject(signal.reason);
      last += 1;
      const id = last;
      const abort = () => void send({ kind: 'abort', id });
      signal?.addEventListener('abort', abort, { once: true });
      return new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject });
        void send({ kind: 'call', id, name, args });
      }).finally(() => {
        waiting.delete(id);
        signal?.removeEventListener('abort', abort);
      });
    },
    receive(received) {
      const message = Message.parse(received);
      const isOneTooMany = message.kind === 'call' && (running.size >= MOST_CALLS || running.has(message.id));
      if (isOneTooMany) throw new Error('too many calls at once');
      if (message.kind === 'call') begin(message);
      else if (message.kind === 'abort') running.get(message.id)?.abort(new Error('called off'));
      else if (message.kind === 'done') waiting.get(message.id)?.resolve(message.value);
      else waiting.get(message.id)?.reject(heard(failureFrom(message.failure)));
    },
    end(why) {
      for (const { reject } of waiting.values()) reject(why);
      for (const controller of running.values()) controller.abort(why);
    },
  };
}

function failureFrom({ kind, message, lasting, ...rest }: z.infer<typeof SentFailure>): Failure {
  return new Failure({ kind, message, lasting, ...rest });
}
