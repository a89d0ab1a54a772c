import { randomBytes } from 'node:crypto';
import { getEventListeners } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { Connector, ConnectorContext, OutgoingEvent } from '../../src/connector.ts';
import type { Change } from '../../src/domain/clinics/change.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { silentLog } from '../../src/platform/log.ts';
import { fakeClock, settle } from '../../test/support/fake-clock.ts';
import { type Receiver, startReceiver } from '../../test/support/http/receiver.ts';
import type { WebhookSettings } from './settings.ts';
import { webhook } from './webhook.ts';

const secret = `whsec_${randomBytes(24).toString('base64')}`;
const change: Change = {
  clinic: 'main',
  sequence: 42,
  at: '2026-03-02T09:00:00.000Z',
  type: 'treatment.updated',
  resource: 'treatment',
  id: '7',
  data: { treatment_id: 7, treatment_name: 'Scaling – „fein“ 🦷', base_fee: '80.00' },
  previous: { base_fee: '75.00' },
};

let receiver: Receiver;
const opened: Connector[] = [];
const signal = AbortSignal.timeout(20_000);

beforeEach(async () => {
  receiver = await startReceiver();
});

afterEach(async () => {
  await Promise.all(opened.splice(0).map((connector) => connector.stop()));
  await receiver[Symbol.asyncDispose]();
});

async function connect(
  settings: Record<string, unknown> = {},
  context: Partial<ConnectorContext<WebhookSettings>> = {},
) {
  const connector = await webhook.create({
    name: 'crm',
    settings: webhook.settings.parse({
      url: `${receiver.url}/hook?token=t0p`,
      allow_networks: ['127.0.0.0/8'],
      ...('secret_file' in settings ? {} : { secret }),
      ...settings,
    }),
    clinics: [{ clinic: 'main', timezone: 'UTC' }],
    includePatient: false,
    instance: 'test',
    bookings: undefined as never,
    memory: memoryOf(new Map()),
    clock: systemClock,
    log: silentLog,
    wake() {},
    ...context,
  });
  opened.push(connector);
  const { events } = connector;
  expect.assert(events);
  return { connector, events };
}

function memoryOf(notes: Map<string, string>): ConnectorContext['memory'] {
  return {
    get: async (key) => notes.get(key),
    async set(entries) {
      for (const [key, value] of Object.entries(entries))
        if (value === undefined) notes.delete(key);
        else notes.set(key, value);
    },
    list: async () => Object.fromEntries(notes),
  };
}

const outgoing = (body: string, id = 'evt_1'): OutgoingEvent => ({
  id,
  clinic: 'main',
  sequence: 42,
  type: change.type,
  body,
  attempt: 1,
});

describe('an event', () => {
  it('arrives as documented, byte for byte as it was encoded', async () => {
    const { events } = await connect();

    const body = await events.encode(change);
    await events.deliver(outgoing(body), signal);

    expect(receiver.received).toHaveLength(1);
    expect(receiver.received[0]).toMatchObject({ path: '/hook?token=t0p', body });
    expect(receiver.received[0]?.headers['content-type']).toBe('application/json');
    expect(JSON.parse(body)).toEqual({
      type: 'treatment.updated',
      timestamp: change.at,
      clinic: 'main',
      sequence: 42,
      data: change.data,
      previous: change.previous,
    });
  });

  it('is signed so that the Standard Webhooks library accepts it', async () => {
    const { events } = await connect();

    await events.deliver(outgoing(await events.encode(change)), signal);

    const [request] = receiver.received;
    const verified = new Webhook(secret).verify(
      request?.body ?? '',
      request?.headers as Record<string, string>,
    );
    expect(verified).toMatchObject({ sequence: 42 });
    expect(request?.headers['webhook-id']).toBe('evt_1');
  });

  it('is signed with both secrets while the receiver changes over', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'webhook-')), 'secret');
    writeFileSync(file, `a plain old secret\n${secret}\n`);
    const { events } = await connect({ secret_file: file });

    await events.deliver(outgoing('{"a":1}'), signal);

    const [request] = receiver.received;
    const headers = request?.headers as Record<string, string>;
    const older = new Webhook('a plain old secret', { format: 'raw' });
    expect(new Webhook(secret).verify('{"a":1}', headers)).toEqual({ a: 1 });
    expect(older.verify('{"a":1}', headers)).toEqual({ a: 1 });
    expect(() => new Webhook('b3RoZXI=').verify('{"a":1}', headers)).toThrow('No matching signature');
  });

  it('carries no fields when it is thin', async () => {
    const { events } = await connect({ thin: true });

    const body = JSON.parse(await events.encode(change));

    expect(body).toMatchObject({ data: { treatment_id: 7 }, previous: null });
    expect(Object.keys(body.data)).toEqual(['treatment_id']);
  });

  it('carries the configured headers', async () => {
    const { events } = await connect({ headers: { Authorization: 'Bearer x', 'User-Agent': 'ours' } });

    await events.deliver(outgoing('{}'), signal);

    expect(receiver.received[0]?.headers).toMatchObject({ authorization: 'Bearer x', 'user-agent': 'ours' });
  });
});

describe('which events', () => {
  it.each([
    [['*'], true],
    [['treatment.*'], true],
    [['*.updated'], true],
    [['booking.*', 'treatment.updated'], true],
    [['booking.*'], false],
    [['treatment.created'], false],
  ])('%j → %j', async (patterns, wanted) => {
    const { events } = await connect({ events: patterns });

    expect(events.wants(change)).toBe(wanted);
  });

  it.each([
    [{ treatment_id: 7 }, true],
    [{ treatment_id: '7' }, true],
    [{ treatment_id: [6, 7], base_fee: '80.00' }, true],
    [{ treatment_id: 8 }, false],
    [{ treatment_id: 7, base_fee: '75.00' }, false],
    [{ missing: null }, true],
    [{ missing: 'x' }, false],
  ])('where %j → %j', async (where, wanted) => {
    const { events } = await connect({ where });

    expect(events.wants(change)).toBe(wanted);
  });
});

describe('a receiver that does not behave', () => {
  it('is not followed to another address', async () => {
    await using elsewhere = await startReceiver();
    receiver.answer = (_request, response) => response.writeHead(307, { location: elsewhere.url }).end();
    const { events } = await connect();

    const delivery = events.deliver(outgoing('{}'), signal);

    await expect(delivery).rejects.toMatchObject({ kind: 'transient', status: 307 });
    expect(elsewhere.received).toEqual([]);
    expect(receiver.received).toHaveLength(1);
  });

  it('that fails is asked once per attempt: retries are decided elsewhere', async () => {
    receiver.answer = (_request, response) =>
      response.writeHead(503, { 'retry-after': '60' }).end('Jane Planted is overloaded');
    const { events } = await connect();

    const failure = await events.deliver(outgoing('{}'), signal).catch((error: unknown) => error);

    expect(failure).toMatchObject({ kind: 'transient', status: 503, retryAfterMs: 60_000 });
    expect(String(failure)).not.toMatch(/Planted|t0p/);
    expect(receiver.received).toHaveLength(1);
  });

  it('that sends an endless answer is cut off and counts as having it', async () => {
    let closed = () => {};
    const cut = new Promise<void>((resolve) => {
      closed = resolve;
    });
    receiver.answer = (_request, response) => {
      response.writeHead(200);
      const filling = setInterval(() => response.write(Buffer.alloc(32_768)), 1);
      response.on('close', () => {
        clearInterval(filling);
        closed();
      });
    };
    const { events } = await connect();

    await events.deliver(outgoing('{}'), signal);

    await expect(cut).resolves.toBeUndefined();
  });

  it('that says 200 and then hangs counts as having it', async () => {
    receiver.answer = (_request, response) => {
      response.writeHead(200);
      response.write('{');
    };
    const { events } = await connect({ timeout: 0.2 });

    await expect(events.deliver(outgoing('{}'), signal)).resolves.toBeUndefined();
  });

  it('that never answers is given up after the timeout', async () => {
    receiver.answer = () => {};
    const { events } = await connect({ timeout: 0.2 });

    const delivery = events.deliver(outgoing('{}'), signal);

    await expect(delivery).rejects.toMatchObject({
      kind: 'transient',
      message: expect.stringContaining('did not answer in time'),
    });
  });

  it('that never answers is abandoned as soon as we stop', async () => {
    receiver.answer = () => {};
    const { events } = await connect();
    const stopping = new AbortController();

    const delivery = events.deliver(outgoing('{}'), stopping.signal);
    await receiver.until(1);
    stopping.abort(new Error('stopping'));

    await expect(delivery).rejects.toThrow('stopping');
  });

  it('that answers before it has read everything is let go: a later stop affects nothing', async () => {
    const hasty = createServer((request, response) => {
      response.writeHead(204).end();
      request.resume();
    });
    await new Promise<void>((resolve) => hasty.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void hasty.close());
    const { events } = await connect({ url: `http://127.0.0.1:${(hasty.address() as AddressInfo).port}` });
    const stopping = new AbortController();

    await events.deliver(outgoing('x'.repeat(2_000_000)), stopping.signal);

    expect(getEventListeners(stopping.signal, 'abort')).toEqual([]);
  });

  it('that answers and stops reading is abandoned at once', async () => {
    const deaf = createTcpServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', () => socket.pause().write('HTTP/1.1 204 No Content\r\n\r\n'));
    });
    await new Promise<void>((resolve) => deaf.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void deaf.close());
    const url = `http://127.0.0.1:${(deaf.address() as AddressInfo).port}`;
    const { events } = await connect({ url, timeout: 60 });

    const patience = AbortSignal.timeout(5_000);

    await events.deliver(outgoing('x'.repeat(20_000_000)), patience);

    expect(patience.aborted).toBe(false);
  });

  it('in a private network is never connected to unless that network is allowed', async () => {
    const { events } = await connect({ allow_networks: [] });

    const delivery = events.deliver(outgoing('{}'), signal);

    await expect(delivery).rejects.toMatchObject({ hint: expect.stringContaining('allow_networks') });
    expect(receiver.received).toEqual([]);
  });

  it('behind a name that leads into a private network is never connected to', async () => {
    const url = receiver.url.replace('127.0.0.1', 'localhost');
    const { events } = await connect({ url, allow_networks: [] });

    const delivery = events.deliver(outgoing('{}'), signal);

    await expect(delivery).rejects.toMatchObject({ hint: expect.stringContaining('allow_networks') });
    expect(receiver.received).toEqual([]);
  });
});

it('keeps its connection open between events', async () => {
  const { events } = await connect();

  await events.deliver(outgoing('{}'), signal);
  await events.deliver(outgoing('{}'), signal);

  expect(new Set(receiver.received.map(({ connection }) => connection)).size).toBe(1);
});

it('sends no faster than rate', async () => {
  const clock = fakeClock();
  const { events } = await connect({ rate: 0.5 }, { clock });

  const all = [1, 2, 3].map(() => events.deliver(outgoing('{}'), signal));
  await receiver.until(1);
  await settle();
  const atOnce = receiver.received.length;
  await clock.advance(2_000);
  await receiver.until(2);
  await clock.advance(2_000);
  await Promise.all(all);

  expect(atOnce).toBe(1);
  expect(receiver.received).toHaveLength(3);
});

describe('check', () => {
  it('connects and posts nothing', async () => {
    const { connector } = await connect();

    const lines = await connector.check(signal);

    expect(lines).toMatchObject([{ level: 'ok', what: expect.stringContaining('can be reached') }]);
    expect(receiver.received).toEqual([]);
  });

  it('fails with a remedy when the address is refused', async () => {
    const { connector } = await connect({ allow_networks: [] });

    const lines = await connector.check(signal);

    expect(lines).toMatchObject([{ level: 'fail', hint: expect.stringContaining('allow_networks') }]);
  });

  it('fails when a plain port is asked for TLS', async () => {
    const { connector } = await connect({ url: receiver.url.replace('http:', 'https:') });

    const lines = await connector.check(signal);

    expect(lines).toMatchObject([{ level: 'fail' }]);
  });

  it('warns of a short secret, and of patient data over http', async () => {
    const { connector } = await connect({ secret: 'short' }, { includePatient: true });

    const lines = await connector.check(signal);

    expect(lines.map(({ level }) => level)).toEqual(['ok', 'warn', 'warn']);
  });
});

describe('settings', () => {
  it.each([
    ['no secret', { secret: undefined }],
    ['both secrets', { secret_file: '/run/secrets/crm' }],
    ['a damaged secret', { secret: 'whsec_not base64' }],
    ['three secrets', { secret: ['a', 'b', 'c'] }],
    ['another protocol', { url: 'ftp://crm.example/' }],
    ['a password in the url', { url: 'https://me:pw@crm.example/' }],
    ['an event that does not exist', { events: ['treatment.changed'] }],
    ['a header of ours', { headers: { 'Webhook-Id': 'x' } }],
    ['a header over two lines', { headers: { 'X-A': 'x\r\ny: z' } }],
    ['a network that is none', { allow_networks: ['10.0.0.0/99'] }],
    ['a setting that does not exist', { urls: 'x' }],
  ])('refuse %s', (_title, wrong) => {
    const parsed = webhook.settings.safeParse({ url: 'https://crm.example/', secret, ...wrong });

    expect(parsed.success).toBe(false);
  });

  it('refuse a secret file that cannot be read, naming it', async () => {
    await expect(connect({ secret_file: '/nowhere/secret' })).rejects.toMatchObject({
      kind: 'refused',
      message: expect.stringContaining('/nowhere/secret'),
    });
  });
});

describe('a receiver that answers with a web page', () => {
  const page = '<!doctype html><html><title>This domain is for sale</title></html>';
  /** Answers with these bodies, one after the other. */
  async function answering(...bodies: string[]) {
    const server = createServer((request, response) => {
      request.resume().on('end', () => response.end(bodies.shift()));
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    onTestFinished(() => void server.close());
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  }

  it.each(['', '{"ok":true}', 'OK'])(
    'is asked about after it used to answer %j, also by the next process',
    async (usual) => {
      const memory = memoryOf(new Map());
      const url = await answering(usual, page);
      const { events } = await connect({ url }, { memory });
      await events.deliver(outgoing('{}'), signal);
      const next = await connect({ url }, { memory });

      const second = next.events.deliver(outgoing('{}', 'evt_2'), signal);

      await expect(second).rejects.toMatchObject({
        kind: 'transient',
        message: expect.stringContaining('with a web page'),
      });
    },
  );

  it('is believed if it always did', async () => {
    const { events } = await connect({ url: await answering(page, page) });

    await events.deliver(outgoing('{}'), signal);

    await expect(events.deliver(outgoing('{}', 'evt_2'), signal)).resolves.toBeUndefined();
  });
});
