import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';

/** One webhook as it arrived. */
export interface ReceivedEvent {
  id: string;
  type: string;
  sequence: number;
  clinic: string;
  data: Record<string, unknown>;
  previous: Record<string, unknown> | null;
  /** Whether the standardwebhooks library accepted the signature. */
  verified: boolean;
}

export interface Receiver {
  readonly url: string;
  readonly events: readonly ReceivedEvent[];
  close(): Promise<void>;
}

const MOST_BYTES = 1_000_000;

/** A webhook receiver that verifies every signature; answers 204, or 401 for a wrong one. */
export async function startReceiver(secret: string): Promise<Receiver> {
  const verifier = new Webhook(secret);
  const events: ReceivedEvent[] = [];

  const server = createServer(async (request, response) => {
    try {
      const body = await bytesOf(request);
      const verified = verifies(verifier, body, request.headers as Record<string, string>);
      const { type, sequence, clinic, data, previous } = JSON.parse(body.toString('utf8')) as ReceivedEvent;
      events.push({
        id: String(request.headers['webhook-id']),
        type,
        sequence,
        clinic,
        data,
        previous,
        verified,
      });
      response.writeHead(verified ? 204 : 401).end();
    } catch {
      response.writeHead(400).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;

  return {
    url: `http://127.0.0.1:${port}/hook`,
    events,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function verifies(verifier: Webhook, body: Buffer, headers: Record<string, string>): boolean {
  try {
    verifier.verify(body, headers);
    return true;
  } catch {
    return false;
  }
}

async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MOST_BYTES) throw new Error('too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
