import type { ServerResponse } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { type Received, startReceiver } from '../http/receiver.ts';

/** One event as its receiver understood it. */
export interface HookEvent {
  id: string;
  type: string;
  sequence: number;
  data: Record<string, unknown>;
}

/** The other end of the webhook connector: answers 204 to what is signed right, and writes down what it took. */
export interface HookLedger extends AsyncDisposable {
  readonly url: string;
  readonly secret: string;
  /** Taken events, repetitions included, oldest first. */
  readonly events: readonly HookEvent[];
  /** Every body that came, taken or not. */
  readonly bodies: readonly string[];
  /** Requests whose signature was not right. */
  readonly forged: number;
  /** Deals with a request in place of taking it; false: it is taken after all. */
  misbehave: ((response: ServerResponse, body: string) => boolean) | undefined;
}

export async function startHookLedger(): Promise<HookLedger> {
  const receiver = await startReceiver();
  const secret = `whsec_${Buffer.from('a secret of the receiver, only for tests').toString('base64')}`;
  const verifier = new Webhook(secret);
  const events: HookEvent[] = [];
  let forged = 0;

  const isSigned = ({ body, headers }: Received) => {
    try {
      verifier.verify(body, headers as Record<string, string>);
      return true;
    } catch {
      return false;
    }
  };
  receiver.answer = (request, response) => {
    if (ledger.misbehave?.(response, request.body)) return;
    if (!isSigned(request)) {
      forged += 1;
      return void response.writeHead(401).end();
    }
    const { type, sequence, data } = JSON.parse(request.body) as HookEvent;
    events.push({ id: String(request.headers['webhook-id']), type, sequence, data });
    response.writeHead(204).end();
  };

  const ledger: HookLedger = {
    url: `${receiver.url}/hook`,
    secret,
    events,
    get bodies() {
      return receiver.received.map(({ body }) => body);
    },
    get forged() {
      return forged;
    },
    misbehave: undefined,
    [Symbol.asyncDispose]: () => receiver[Symbol.asyncDispose](),
  };
  return ledger;
}
