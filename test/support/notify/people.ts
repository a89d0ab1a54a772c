import { deliveriesTo, type NotifyTarget } from '../../../src/config/notify.ts';
import { type Deliveries, startDeliveries } from '../../../src/deliveries/deliveries.ts';
import type { Need } from '../../../src/domain/status/report.ts';
import { startNotifier } from '../../../src/notify/notify.ts';
import { createTarget } from '../../../src/notify/targets/target.ts';
import { instant } from '../../../src/platform/clock.ts';
import { SECOND } from '../../../src/platform/duration.ts';
import { silentLog } from '../../../src/platform/log.ts';
import type { Loop } from '../../../src/platform/loop.ts';
import { openFileStore } from '../../../src/store/sqlite.ts';
import type { Store } from '../../../src/store/store.ts';
import { type FakeClock, fakeClock, settle } from '../fake-clock.ts';
import type { Received, Receiver } from '../http/receiver.ts';
import { newStoreFile } from '../store/store-file.ts';
import { until } from '../until.ts';
import { sampleTarget } from './sample-target.ts';
import { asServicesDo } from './services.ts';

/** A message that reached people. */
interface Heard {
  target: string;
  text: string;
  ms: number;
}

/** How a target behaves: undefined as its service does; a status and a text; or a connection that breaks. */
type Behaviour = 'breaks' | readonly [status: number, text: string] | undefined;

/** Targets over HTTP, each at a path of its own, and everything between a need and a message. */
export class People {
  readonly clock: FakeClock = fakeClock();
  readonly heard: Heard[] = [];
  needs: Need[] = [];
  /** Decides for each request; a message counts as heard when the answer is the service’s own, or breaks. */
  behaviour: (target: string, request: Received) => Behaviour = () => undefined;
  readonly targets: NotifyTarget[];
  private readonly receiver: Receiver;
  private readonly file = newStoreFile();
  private running: { store: Store; deliveries: Deliveries; notifier: Loop } | undefined;
  private answered = 0;

  constructor(receiver: Receiver, targets: readonly Partial<NotifyTarget>[]) {
    this.receiver = receiver;
    this.targets = targets.map((over) => {
      const url = `${receiver.url}/${over.name}`;
      const settings = { ...sampleTarget().settings, url, token: '1:abc', chat: '-42', ...over.settings };
      return sampleTarget({ ...over, settings });
    });
    receiver.answer = (request, response) => {
      const target = request.path.split('/')[1] ?? '';
      const behaviour = this.behaviour(target, request);
      response.on('close', () => {
        this.answered += 1;
      });
      if (behaviour === undefined || behaviour === 'breaks')
        this.heard.push({ target, text: textOf(request), ms: this.clock.now() });
      if (behaviour === 'breaks') response.destroy();
      else if (behaviour === undefined) asServicesDo(request, response);
      else response.writeHead(behaviour[0]).end(behaviour[1]);
    };
  }

  get store(): Store {
    if (this.running === undefined) throw new Error('not running');
    return this.running.store;
  }

  need(n: number, over: Partial<Need> = {}): Need {
    const since = instant(this.clock.now());
    const one = { kind: 'booking', clinic: 'main', subject: `CS-${n}`, action: 'Decide.' } as const;
    return { ...one, sentence: `Booking CS-${n} from website: held.`, since, urgent: false, ...over };
  }

  async start(): Promise<void> {
    const { clock, targets } = this;
    const store = await openFileStore({ file: this.file, clock, log: silentLog, mode: 'daemon' });
    const { keyValue } = store;
    const connectors = targets.map((target) => {
      const name = deliveriesTo(target.name);
      const scope = `connector:${name}`;
      const connector = createTarget(target, {
        ...{ clock, log: silentLog, patientOf: async () => undefined, linksOf: async () => [] },
        clinics: [{ key: 'main', timezone: 'Asia/Dhaka' }],
        memory: {
          get: (key) => keyValue.get(scope, key),
          set: (entries) => keyValue.set(scope, entries),
          list: (prefix) => keyValue.list(scope, prefix),
        },
      });
      return { name, connector, clinics: [], includePatient: false };
    });
    const common = { store, clock, log: silentLog };
    const deliveries = startDeliveries({ connectors, clinics: [], random: () => 0, ...common });
    const notifier = startNotifier({
      ...{ targets, publicUrl: undefined, sources: [], receivers: () => [], ...common },
      look: async () => ({ needs: this.needs, reasons: [] }),
      clinics: [{ key: 'main', timezone: 'Asia/Dhaka' }],
      wake: (connector) => deliveries.wake({ connector }),
    });
    this.running = { store, deliveries, notifier };
  }

  async stop(): Promise<void> {
    if (this.running === undefined) return;
    const { store, deliveries, notifier } = this.running;
    this.running = undefined;
    await Promise.all([notifier.stop(), deliveries.stop()]);
    await store.close();
  }

  /** Lets time pass, and waits for what it makes the targets do. */
  async pass(ms: number, step = 10 * SECOND): Promise<void> {
    for (let left = ms; left > 0; left -= step) {
      await this.clock.advance(Math.min(step, left));
      await this.rest();
    }
  }

  /** Lets time pass until something is so, at most so long. */
  async passUntil(isSo: () => boolean, most: number): Promise<void> {
    for (let left = most; left > 0 && !isSo(); left -= 10 * SECOND) await this.pass(10 * SECOND);
    await until('what is due has happened', async () => isSo());
  }

  /** Lets the wall clock leap, and then what is due happen. */
  async skip(ms: number): Promise<void> {
    this.clock.jump(ms);
    await this.pass(30 * SECOND);
  }

  private async rest(): Promise<void> {
    for (let still = 0, seen = -1; still < 6; ) {
      await settle();
      const { length } = this.receiver.received;
      still = length === this.answered && length === seen ? still + 1 : 0;
      seen = length;
    }
  }

  /** What a target was told of these, in order. */
  about(target: string, subject: string): string[] {
    return this.heard
      .filter((one) => one.target === target && one.text.includes(subject))
      .map(({ text }) => text);
  }
}

function textOf({ body, headers }: Received): string {
  if (headers.title !== undefined) return `${headers.title}\n${body}`;
  const read = JSON.parse(body);
  return read.data ? `${read.data.title}\n${read.data.text}` : (read.text ?? body);
}
