import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Sandbox, startSandbox } from '../../../sandbox/clinic/clinic.ts';
import type { FaultName } from '../../../sandbox/clinic/faults/catalog.ts';
import type { FaultKind } from '../../../sandbox/clinic/faults/kind.ts';
import type { Endpoint } from '../../../sandbox/clinic/routes.ts';
import type { Json, JsonObject } from '../../../src/platform/json.ts';
import { makeCertificate } from '../http/certificate.ts';
import { parseAnswer, type RawAnswer, type RawExchange, sendRaw } from '../http/raw-request.ts';

/** What the client saw of one request that was struck by a fault. */
export interface Seen {
  text: string;
  answer: RawAnswer | undefined;
  /** The answer's body as JSON; throws when it is none. */
  json: () => JsonObject;
  sandbox: Sandbox;
}

export interface Expected {
  /** Default: book. */
  at?: Endpoint;
  parameters?: Record<string, Json>;
  end: RawExchange['end'];
  /** Bookings the ledger has of it. */
  committed: 0 | 1;
  check?: (seen: Seen) => void;
}

const requests: Record<Endpoint, { method: string; path: string; body?: string }> = {
  granttoken: { method: 'POST', path: '/granttoken' },
  organization: { method: 'GET', path: '/organization' },
  website: { method: 'GET', path: '/website' },
  treatments: { method: 'GET', path: '/treatments' },
  treatment: { method: 'GET', path: '/treatments/2' },
  dentists: { method: 'GET', path: '/dentists' },
  book: {
    method: 'POST',
    path: '/appointments/book',
    body: JSON.stringify({
      patient_name: 'Nadia Begum',
      patient_phone: '+8801711222333',
      appointment_date: '2027-04-06',
      appointment_time: '10:30',
    }),
  },
  status: { method: 'GET', path: '/appointments/status/5191' },
};

/** One request on a connection of its own, with credentials and, where one is given, a token. */
export function call(sandbox: Sandbox, endpoint: Endpoint, token?: string): RawExchange {
  const { method, path, body } = requests[endpoint];
  const { app_key, secret_key } = sandbox.credentials;
  return sendRaw({
    url: `${sandbox.url}${path}`,
    method,
    headers: {
      'x-app-key': app_key,
      ...(endpoint === 'granttoken' ? { 'x-app-secret-key': secret_key } : {}),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body }),
    ...(sandbox.ca === undefined ? {} : { ca: sandbox.ca }),
  });
}

export async function grant(sandbox: Sandbox): Promise<string> {
  const exchange = call(sandbox, 'granttoken');
  await exchange.ended;
  return String(JSON.parse(String(parseAnswer(exchange.bytes)?.body)).access_token);
}

async function statusOf(exchange: RawExchange): Promise<number | undefined> {
  await exchange.ended;
  return parseAnswer(exchange.bytes)?.status;
}

/** Each fault of a group does on the wire what is expected, commits what is expected, and leaves the server healthy. */
export function proveFaults<G extends Partial<Record<FaultName, FaultKind>>>(
  group: G,
  expected: { [K in keyof G]: Expected },
): void {
  const cases = Object.entries(group) as [FaultName, FaultKind][];

  describe.each(['http', 'https'])('over %s', (scheme) => {
    let sandbox: Sandbox;
    beforeAll(async () => {
      sandbox = await startSandbox(scheme === 'https' ? { tls: await makeCertificate() } : {});
    });
    afterAll(() => sandbox.close());

    it.each(cases)('%s', async (name, { stage }) => {
      const { at = 'book', parameters = {}, end, committed, check = () => {} } = expected[name as keyof G];
      const token = await grant(sandbox);
      const before = sandbox.control.ledger().length;
      const { connections } = sandbox.control.requests();
      sandbox.control.script({ fault: { kind: name, ...parameters } });

      const unread = stage === 'connection';
      const struck = unread ? sendRaw({ url: sandbox.url, instead: 'hello' }) : call(sandbox, at, token);
      const seen: Seen = {
        get text() {
          return struck.bytes.toString('latin1');
        },
        get answer() {
          return parseAnswer(struck.bytes);
        },
        json: () => JSON.parse(String(parseAnswer(struck.bytes)?.body)),
        sandbox,
      };
      if (end === 'open') {
        await vi.waitFor(
          () => {
            expect(sandbox.control.requests().connections).toBe(connections + 1);
            expect(sandbox.control.faults()).toMatchObject([{ struck: 1 }]);
            check(seen);
          },
          { interval: 2, timeout: 60_000 },
        );
        expect(await statusOf(call(sandbox, 'organization', token))).toBe(200);
      } else {
        await struck.ended;
      }

      expect(struck.end).toBe(end);
      check(seen);
      expect(sandbox.control.ledger().length - before).toBe(committed);

      struck.destroy();
      await sandbox.control.clearFaults();
      expect(await statusOf(call(sandbox, 'organization', await grant(sandbox)))).toBe(200);
    });
  });
}
