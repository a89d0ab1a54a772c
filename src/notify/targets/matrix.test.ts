import { once } from 'node:events';
import { type AddressInfo, createServer, Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { fakeClock } from '../../../test/support/fake-clock.ts';
import { sampleTarget } from '../../../test/support/notify/sample-target.ts';
import { answerTo } from '../../../test/support/notify/services.ts';
import { type SmtpServer, startSmtpServer } from '../../../test/support/notify/smtp-server.ts';
import { until } from '../../../test/support/until.ts';
import { noMailServer } from '../../config/mail.ts';
import type { NotifyTarget, TargetKind } from '../../config/notify.ts';
import type { Memory } from '../../connector.ts';
import { instant } from '../../platform/clock.ts';
import { MINUTE, SECOND } from '../../platform/duration.ts';
import { Failure } from '../../platform/failure.ts';
import { silentLog } from '../../platform/log.ts';
import { ping } from '../heartbeat.ts';
import { testMessage } from '../message.ts';
import { createTarget } from './target.ts';
import { repeatable } from './target-answers.ts';

/** What happens once, or for as long as nobody mends it. */
const faults = ['refusal now', 'refusal for ever', 'close', 'silence', 'garbage', 'crash of ours'] as const;
type Fault = (typeof faults)[number];
const httpSteps = ['connect', 'head', 'body', 'answer'] as const;
const mailSteps = ['greeting', 'EHLO', 'AUTH', 'MAIL', 'RCPT', 'DATA', 'end'] as const;
type Step = (typeof httpSteps)[number] | (typeof mailSteps)[number];
const kinds = [
  'webhook',
  'slack',
  'ntfy',
  'teams',
  'telegram',
  'discord',
  'gotify',
  'apprise',
  'heartbeat',
] as const;
type Kind = (typeof kinds)[number] | 'email';
/** One of each sort; a long run has all. */
const tested = process.env.VERIFY_RUNS === undefined ? kinds.slice(0, 2) : kinds;

interface Cell {
  kind: Kind;
  step: Step;
  fault: Fault;
}
const cells: Cell[] = faults.flatMap((fault) => [
  ...tested.flatMap((kind) => httpSteps.map((step) => ({ kind, step, fault }))),
  ...mailSteps.map((step): Cell => ({ kind: 'email', step, fault })),
]);

/** A target that listens: what it was told, by the ids of the messages, and what it does about the next ones. */
interface Listener {
  address: string;
  told: string[];
  /** Undefined: as its service does. */
  faultAt: (step: Step) => Fault | undefined;
  close: () => PromiseLike<unknown>;
}

/** The status of an HTTP answer, or the reply of a mail server. */
const refusals = {
  'refusal now': [503, '421 4.3.2 shutting down'],
  'refusal for ever': [404, '550 5.7.1 no'],
} as const;

async function httpListener(): Promise<Listener> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    /** Resolves to whether the conversation goes on. */
    const passes = (step: Step): boolean => {
      const fault = listener.faultAt(step);
      if (fault === undefined) return true;
      if (fault === 'close') socket.destroy();
      else if (fault === 'garbage') socket.end('SSH-2.0-OpenSSH_9.6\r\n\r\n');
      else if (fault !== 'silence' && fault !== 'crash of ours') say(refusals[fault][0], '');
      return false;
    };
    const say = (status: number, text: string) =>
      void socket.end(
        `HTTP/1.1 ${status} \r\ncontent-length: ${Buffer.byteLength(text)}\r\nconnection: close\r\n\r\n${text}`,
      );
    if (!passes('connect')) return;
    let said = '';
    let isHeard = false;
    socket.on('data', (chunk) => {
      said += chunk.toString('utf8');
      const [head = '', body] = said.split(/\r\n\r\n(.*)/s);
      if (isHeard || body === undefined) return;
      const lines = head.split('\r\n').map((line) => line.split(/: (.*)/) as [string, string?]);
      const headers = Object.fromEntries(
        lines.slice(1).map(([name, value = '']) => [name.toLowerCase(), value]),
      );
      if (Buffer.byteLength(body) < Number(headers['content-length'] ?? 0)) return;
      isHeard = true;
      if (!passes('head')) return;
      const refused = /refusal/.test(listener.faultAt('body') ?? '');
      if (!refused) listener.told.push(headers['webhook-id'] ?? headers['x-sequence-id'] ?? 'no id');
      if (!passes('body')) return;
      const [status, text] = answerTo(head.split(' ')[1] ?? '', headers, body);
      const half = `HTTP/1.1 ${status} OK\r\ncontent-length: ${text.length + 1}\r\n\r\n`;
      if (listener.faultAt('answer') !== undefined) socket.write(half);
      if (passes('answer')) say(status, text);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const listener: Listener = {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    told: [],
    faultAt: () => undefined,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
  return listener;
}

async function mailListener(): Promise<Listener> {
  const server: SmtpServer = await startSmtpServer();
  const reply = (step: Step) => (): string | undefined => {
    const fault = listener.faultAt(step);
    const isEnd = step === 'end';
    if (fault === undefined) return undefined;
    if (fault === 'close') return isEnd ? 'take, close' : 'close';
    if (fault === 'garbage') return isEnd ? 'take !' : '!';
    if (fault === 'silence' || fault === 'crash of ours') return isEnd ? 'take' : '';
    return refusals[fault][1];
  };
  server.script = Object.fromEntries([...mailSteps, 'HELO'].map((step) => [step, reply(step as Step)]));
  const listener: Listener = {
    address: server.url,
    get told() {
      return server.mails.map(({ text }) => /^Message-ID: <([^@>]+)/im.exec(text)?.[1] ?? '');
    },
    faultAt: () => undefined,
    close: () => server[Symbol.asyncDispose](),
  };
  return listener;
}

const memoryOver = (kept: Map<string, string>): Memory => ({
  get: async (key) => kept.get(key),
  async set(entries) {
    for (const [key, value] of Object.entries(entries))
      value === undefined ? kept.delete(key) : kept.set(key, value);
  },
  list: async (prefix) => Object.fromEntries([...kept].filter(([key]) => key.startsWith(prefix))),
});

const clock = fakeClock();
const body = JSON.stringify(testMessage(instant(clock.now()), null));

/** Sends a message of this id once, in a process that begins with this memory. */
function started(kind: Kind, { address }: Pick<Listener, 'address'>, kept: Map<string, string>) {
  if (kind === 'heartbeat')
    return (_id: string, signal: AbortSignal) =>
      ping({ url: address, everyMs: 60 * SECOND, allowNetworks: ['127.0.0.0/8'] }, signal);
  const { hostname, port } = new URL(address);
  const mail = { ...noMailServer, host: hostname, port: Number(port), user: 'us', password: 'secret' };
  const settings = {
    url: address,
    token: '1:abc',
    chat: '-42',
    mail,
    from: 'us@clinic.example',
    to: ['it@clinic.example'],
  };
  const { events } = createTarget(
    sampleTarget({
      use: kind as TargetKind,
      settings: { ...sampleTarget().settings, ...settings } as NotifyTarget['settings'],
    }),
    {
      ...{ clock, log: silentLog, clinics: [], memory: memoryOver(kept) },
      patientOf: async () => undefined,
      linksOf: async () => [],
    },
  );
  const event = { clinic: '', sequence: 0, type: 'needs_you.opened', attempt: 1, body };
  return async (id: string, signal: AbortSignal) => events?.deliver({ ...event, id }, signal);
}

/** How often it happens, unless somebody mends it before. */
const timesOf = (fault: Fault): number => (fault === 'refusal for ever' ? 5 : 1);

/** Tells of a thing until a message about it is proven, as deliveries and the notifier do; resolves to the ids that arrived. */
async function tell({ kind, step, fault }: Cell, listener: Listener): Promise<string[]> {
  let kept = new Map<string, string>();
  let deliver = started(kind, listener, kept);
  let left = timesOf(fault);
  let message = 1;
  for (let attempt = 1; attempt < 12; attempt += 1) {
    const killing = new AbortController();
    let atKill: Map<string, string> | undefined;
    let isHit = false;
    listener.faultAt = (at) => {
      if (at !== step || left === 0) return undefined;
      if (fault === 'crash of ours' && atKill === undefined) {
        atKill = new Map(kept);
        setImmediate(() => killing.abort());
      }
      if (fault === 'silence' && !isHit) setImmediate(() => passPatience());
      isHit = true;
      return fault;
    };
    const error = await deliver(`ntf_${message}`, killing.signal).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    // What rests is not tried again until a person has mended it.
    left = isHit ? left - 1 : 0;
    if (error === undefined && atKill === undefined) return listener.told;
    if (atKill === undefined) expect(error).toBeInstanceOf(Failure);
    // After a crash, or a reload by the person who mended it, a new process begins.
    kept = atKill ?? kept;
    if (atKill !== undefined || left === 0) deliver = started(kind, listener, kept);
    if (kept.has(`lost ntf_${message}`)) message += 1;
  }
  throw new Error('it was never proven');
}

/** Whether the sender can know that a message did not arrive: it was refused, or had not left in full. */
const isKnown = ({ kind, step, fault }: Cell): boolean =>
  kind === 'email'
    ? step !== 'end' || fault.startsWith('refusal')
    : step === 'connect' ||
      (fault.startsWith('refusal') && step !== 'answer') ||
      (step === 'head' && fault === 'garbage');

/** What clients wait for at most; a silence ends them at once instead of after minutes. */
const timers = new Map<unknown, { run: () => void; ms: number }>();
const waiting = new Map<Socket, number>();
function passPatience(forMs = Number.POSITIVE_INFINITY): void {
  for (const { run, ms } of [...timers.values()]) if (ms <= forMs) run();
  for (const [socket, ms] of waiting) if (ms <= forMs) socket.emit('timeout');
}
const { setTimeout: setTimer, clearTimeout: clearTimer } = globalThis;
const { setTimeout: setSocketTimer } = Socket.prototype;
beforeAll(() => {
  vi.stubGlobal('setTimeout', (run: () => void, ms = 0) => {
    const timer = setTimer(run, ms);
    if (ms > SECOND) timers.set(timer, { run, ms });
    return timer;
  });
  vi.stubGlobal('clearTimeout', (timer: NodeJS.Timeout) => {
    timers.delete(timer);
    clearTimer(timer);
  });
  Socket.prototype.setTimeout = function (ms, run) {
    if (ms > SECOND)
      waiting.set(
        this.once('close', () => waiting.delete(this)),
        ms,
      );
    else waiting.delete(this);
    return setSocketTimer.call(this, ms, run);
  };
});
afterAll(() => {
  Socket.prototype.setTimeout = setSocketTimer;
  vi.unstubAllGlobals();
});

describe.each([...tested, 'email'] as Kind[])('%s is told of a thing, once where it can be known', (kind) => {
  it.each(cells.filter((cell) => cell.kind === kind))('after $fault at $step', async (cell) => {
    const listener = await (kind === 'email' ? mailListener() : httpListener());
    try {
      const told = await tell(cell, listener);

      expect(told.length).toBeGreaterThan(0);
      if (isKnown(cell)) expect(told).toHaveLength(1);
      expect(told.length).toBeLessThanOrEqual(1 + timesOf(cell.fault));
      if (repeatable.includes(kind as TargetKind)) expect(new Set(told).size).toBe(1);
    } finally {
      await listener.close();
    }
  });
});

const untilGreeting = ({ url }: SmtpServer) =>
  until('it waits for the greeting', () =>
    [...waiting.keys()].some(({ remotePort }) => remotePort === Number(new URL(url).port)),
  );

it('a mail server that never greets is asked about its encryption', async () => {
  await using server = await startSmtpServer();
  server.greeting = new Promise(() => {});

  const sent = started('email', { address: server.url }, new Map())('ntf_1', new AbortController().signal);
  await untilGreeting(server);
  for (const { run } of [...timers.values()]) run();

  await expect(sent).rejects.toMatchObject({
    message: expect.stringContaining('did not answer at greeting'),
    hint: expect.stringContaining('465 is smtps://'),
  });
});

it('a mail server that greets after four minutes, as RFC 5321 lets it, gets the mail', async () => {
  await using server = await startSmtpServer();
  const greeting = Promise.withResolvers<void>();
  server.greeting = greeting.promise;
  const send = started('email', { address: server.url }, new Map());

  const sent = send('ntf_1', new AbortController().signal);
  await untilGreeting(server);
  passPatience(4 * MINUTE);
  greeting.resolve();
  await sent;

  expect(server.mails).toHaveLength(1);
});
