import { expect, onTestFinished } from 'vitest';
import { webhook } from '../../../connectors/webhook/webhook.ts';
import { emptyView } from '../../../src/app/empty-view.ts';
import { startProbes } from '../../../src/app/nightly-probe.ts';
import { createOneTaps, oneTapLinksOf } from '../../../src/app/one-tap-links.ts';
import { deliveriesTo, type NotifyTarget } from '../../../src/config/notify.ts';
import type { Connector, ConnectorContext, HttpIntake } from '../../../src/connector.ts';
import { type Deliveries, startDeliveries } from '../../../src/deliveries/deliveries.ts';
import { polls } from '../../../src/domain/clinics/resource.ts';
import { nothingLearned } from '../../../src/domain/status/report.ts';
import type { OneTaps } from '../../../src/http/admin.ts';
import { alertsOf } from '../../../src/notify/alerts.ts';
import type { Message, MessageType } from '../../../src/notify/message.ts';
import { startNotifier } from '../../../src/notify/notify.ts';
import { createTarget } from '../../../src/notify/targets/target.ts';
import { instant } from '../../../src/platform/clock.ts';
import { DAY, MINUTE, SECOND } from '../../../src/platform/duration.ts';
import { silentLog } from '../../../src/platform/log.ts';
import type { Loop } from '../../../src/platform/loop.ts';
import { createStatus, type Status } from '../../../src/status/status.ts';
import { openFileStore } from '../../../src/store/sqlite.ts';
import type { Store } from '../../../src/store/store.ts';
import { bookingsWorld, type World, zone } from '../bookings/world.ts';
import { type FakeClock, fakeClock, settle } from '../fake-clock.ts';
import { formToken, openWebForm } from '../forms/web-form.ts';
import { startSampleHttp } from '../http/http-kit.ts';
import type { Receiver } from '../http/receiver.ts';
import { newStoreFile } from '../store/store-file.ts';
import { until } from '../until.ts';
import { ESCALATE, MonthRecord, QUIET, REMIND } from './month-record.ts';
import { sampleTarget } from './sample-target.ts';

const SOURCE = 'main-form';
const PUBLIC = 'https://ops.clinic.example/sync';
const WORD = 'the-word-of-the-story';

/** A message that arrived. */
export interface Taken {
  id: string;
  target: string;
  ms: number;
  type: MessageType;
  names: string[];
  links: { action: string; url: string }[];
}
interface Body {
  type: string;
  data: Pick<Message, 'items'> & { links?: Taken['links'] };
}

const targetsAt = (url: string): NotifyTarget[] => {
  const at = (name: string) => ({ ...sampleTarget().settings, url: `${url}/${name}` });
  const one = (name: string, over: Partial<NotifyTarget>) =>
    sampleTarget({ name, settings: at(name), linksMs: DAY, remindMs: REMIND, ...over });
  return [
    one('desk', { quiet: QUIET, escalate: { to: 'boss', afterMs: ESCALATE } }),
    one('boss', { on: ['guard'], remindMs: undefined }),
    one('it', { on: ['trouble', 'recovered', 'silence'], remindMs: undefined }),
  ];
};

/**
 * Everything between a lead and a message, with a clock of its own: real store, bookings, status, deliveries, probes and links; the
 * clinic is scripted. It knows what the page listed, and what arrived where.
 */
export class Month {
  readonly clock: FakeClock = fakeClock('2026-03-02T03:00:00Z');
  readonly taken: Taken[] = [];
  readonly events: { id: string; type: string; thing: string }[] = [];
  /** When leads came in. */
  readonly leadsAt: number[] = [];
  readonly startMs = this.clock.now();
  /** Targets that do not take messages now, and with what they answer. */
  readonly away = new Map<string, number>();
  readonly record = new MonthRecord(
    () => this.clock.now(),
    (target) => this.away.has(target),
  );
  isClinicDown = false;
  private readonly file = newStoreFile();
  private answered = 0;
  private readonly receiver: Receiver;
  readonly targets: NotifyTarget[];
  private world: World | undefined;
  private store: Store | undefined;
  private status: Status | undefined;
  private deliveries: Deliveries | undefined;
  private loops: Loop[] = [];
  private built: Connector[] = [];
  taps: OneTaps | undefined;
  private formUrl = '';
  private intake: HttpIntake | undefined;

  constructor(receiver: Receiver) {
    this.receiver = receiver;
    this.targets = targetsAt(receiver.url);
    receiver.answer = ({ path, body, headers }, response) => {
      const target = path.slice(1);
      const status = this.away.get(target) ?? 204;
      if (status === 204) this.take(target, JSON.parse(body), String(headers['webhook-id']));
      response.writeHead(status).end(() => {
        this.answered += 1;
      });
    };
  }

  private take(target: string, { type, data }: Body, id: string) {
    if (target === 'crm') this.events.push({ id, type, thing: JSON.stringify(data) });
    else {
      this.record.arrive(id);
      const names = data.items.map(({ kind, subject }) => `${kind} ${subject}`);
      const links = data.links ?? [];
      this.taken.push({ id, target, ms: this.clock.now(), type: type as MessageType, names, links });
    }
  }

  get bookings() {
    expect.assert(this.world);
    return this.world.bookings;
  }
  get clinic() {
    expect.assert(this.world);
    return this.world.clinic;
  }

  /** The form on a real port; it reads the phone number wrongly after a field was renamed. */
  async openForm(): Promise<void> {
    await this.form('whole');
    const rehearse = (...given: Parameters<World['bookings']['rehearse']>) =>
      this.bookings.rehearse(...given);
    const intakes = {
      get: () => this.intake && { intake: this.intake, view: emptyView },
    };
    const http = await startSampleHttp({ intakes, probes: { word: WORD, rehearse } }, this.clock);
    onTestFinished(() => http.stop());
    this.formUrl = http.url;
  }
  async form(how: 'whole' | 'broken'): Promise<void> {
    const renamed = { preset: 'contact-form-7', fields: { patient_phone: '{{phone}}x' } };
    const settings = { token: formToken, ...(how === 'whole' ? { preset: 'native' } : renamed) };
    this.intake = (await openWebForm(settings, { clock: this.clock })).intake;
  }

  async start(): Promise<void> {
    const { clock, targets } = this;
    const store = await openFileStore({ file: this.file, clock, log: silentLog, mode: 'daemon' });
    this.store = store;
    this.world ??= bookingsWorld({ store, clock, approval: 'required' });
    await this.world.start(store);
    const { bookings } = this.world;
    const signingKey = async () => 'key-of-the-month';
    const { settings } = this.world;
    const links = { store, bookings, clinics: [settings], targets, publicUrl: PUBLIC, signingKey, clock };
    this.taps = createOneTaps(links);
    await this.startDeliveries(store, links);
    const names = ['crm', ...targets.map(({ name }) => deliveriesTo(name))];
    this.status = createStatus({
      ...{ store, clock, version: '0.0.0', startedAt: instant(clock.now()) },
      clinics: [this.world.settings],
      connectors: names.map((name) => ({ name, use: 'webhook' })),
      bookingNeeds: bookings.needs,
      live: {
        limiter: () => nothingLearned,
        lane: bookings.sendingState,
        alarms: () => [],
        needs: () => [],
        calls: () =>
          this.isClinicDown
            ? {
                failing: {
                  since: this.downSince,
                  forMs: 5 * MINUTE,
                  refused: false,
                  again: true,
                  everywhere: true,
                },
                workedAgoMs: null,
              }
            : { failing: null, workedAgoMs: 0 },
      },
    });
    this.loops = [this.startNotifier(store), this.startProbes(store)];
  }
  private downSince = instant(0);

  private startProbes(store: Store): Loop {
    const { clock } = this;
    const unit = {
      settings: { name: SOURCE, clinics: ['main'] },
      connector: { intake: { probe: (lead: never) => this.intake?.probe?.(lead) } },
    };
    return startProbes({
      config: { clinics: [{ key: 'main', timezone: zone }], probe: '20 3 * * *' } as never,
      connectors: [unit] as never,
      entry: () => ({ url: this.formUrl, secret: WORD }),
      ...{ store, clock, log: silentLog },
    });
  }

  private startNotifier(store: Store): Loop {
    const { clock, targets, deliveries } = this;
    const [crm] = this.built;
    expect.assert(crm?.events);
    const { events } = crm;
    return startNotifier({
      ...{ targets, store: this.record.around(store, targets), clock, log: silentLog, publicUrl: PUBLIC },
      look: async () => {
        const seen = await this.status?.needs();
        expect.assert(seen);
        this.record.see(alertsOf({ ...seen, at: instant(clock.now()), publicUrl: PUBLIC }));
        return seen;
      },
      receivers: () => [{ name: 'crm', clinics: ['main'], events }],
      sources: [SOURCE],
      clinics: [{ key: 'main', timezone: zone }],
      wake: (connector) => deliveries?.wake({ connector }),
    });
  }

  private async startDeliveries(store: Store, links: Parameters<typeof oneTapLinksOf>[0]): Promise<void> {
    const { clock, targets } = this;
    const memoryOf = (name: string) => ({
      get: (key: string) => store.keyValue.get(`connector:${name}`, key),
      set: (entries: Record<string, string | undefined>) => store.keyValue.set(`connector:${name}`, entries),
      list: (prefix: string) => store.keyValue.list(`connector:${name}`, prefix),
    });
    const settings = { url: `${this.receiver.url}/crm`, events: ['needs_you.*', 'health.*'] };
    const crm = await webhook.create({
      ...{ name: 'crm', instance: 'story', includePatient: false, clock, log: silentLog, wake() {} },
      settings: webhook.settings.parse({ ...settings, secret: 'a secret', allow_networks: ['127.0.0.0/8'] }),
      clinics: [{ clinic: 'main', timezone: zone }],
      memory: memoryOf('crm'),
    } as unknown as ConnectorContext<never>);
    const told = targets.map((target) => {
      const name = deliveriesTo(target.name);
      const clinics = [{ key: 'main', timezone: zone }];
      const tools = { clinics, patientOf: async () => undefined, linksOf: oneTapLinksOf(links, target) };
      const connector = createTarget(target, { clock, log: silentLog, memory: memoryOf(name), ...tools });
      return { name, connector, clinics: [], includePatient: false };
    });
    this.built = [crm, ...told.map(({ connector }) => connector)];
    this.deliveries = startDeliveries({
      connectors: [{ name: 'crm', connector: crm, clinics: ['main'], includePatient: false }, ...told],
      clinics: [{ clinic: 'main', timezone: zone }],
      ...{ store, clock, log: silentLog, random: () => 0 },
    });
  }

  async stop(): Promise<void> {
    const ending = [...this.loops, this.deliveries, this.bookings].map((one) => one?.stop());
    await this.clock.advance(10 * SECOND);
    await Promise.all(ending);
    await Promise.all(this.built.map((one) => one.stop()));
    this.record.stopped();
    for (const { name } of this.targets) await this.cutOff(deliveriesTo(name));
    await this.store?.close();
  }

  /** A message whose sending the stop cut off may have arrived, and is not sent again. */
  private async cutOff(connector: string): Promise<void> {
    const [id] = (await this.store?.keyValue.get(`connector:${connector}`, 'begun'))?.split(' ') ?? [];
    const waiting = (await this.store?.deliveries.list({ connector, state: 'pending' })) ?? [];
    if (id !== undefined && waiting.some((one) => one.id === id)) this.record.arrive(id);
  }

  /** How many moves of bookings are by these. */
  async deedsOf(...names: string[]): Promise<number> {
    const all = (await this.store?.bookings.list({})) ?? [];
    const events = await Promise.all(all.map(({ ref }) => this.store?.bookings.events(ref)));
    return events.flatMap((some) => some ?? []).filter(({ by }) => names.includes(by)).length;
  }

  clinicGoes(how: 'down' | 'up'): void {
    this.isClinicDown = how === 'down';
    this.downSince = instant(this.clock.now());
  }

  private get present(): string[] {
    return ['crm', ...this.targets.map(({ name }) => name).filter((name) => !this.away.has(name))];
  }

  /** Sends what can be sent at once, lets this much time pass, and sends again. */
  async pass(ms: number): Promise<void> {
    await this.tellPresent();
    await this.turn(ms);
    await this.tellPresent();
  }

  private async tellPresent(): Promise<void> {
    for (let tries = 0; tries < 60; tries += 1) {
      const wasWaiting = await this.isWaiting(this.present);
      await this.turn(wasWaiting ? MINUTE : 0);
      // A look after the last message has left finds what had to wait for that.
      if (!wasWaiting && !(await this.isWaiting(this.present))) return;
    }
  }

  private async turn(ms: number): Promise<void> {
    // Before the time passes: a check between the two would find what was not polled.
    const at = instant(this.clock.now() + ms);
    if (!this.isClinicDown)
      for (const poll of polls) await this.store?.polls.finished('main', poll, at, { error: null });
    this.clock.jump(ms);
    for (const loop of this.loops) loop.wake();
    this.bookings.wake();
    await this.clock.advance(11 * SECOND);
    await until('every request is answered', async () => {
      await settle();
      return this.receiver.received.length === this.answered;
    });
  }

  private async isWaiting(targets: readonly string[]): Promise<boolean> {
    const counts = await Promise.all(
      targets.map((name) => this.store?.deliveries.counts(name === 'crm' ? name : deliveriesTo(name))),
    );
    return counts.some((count) => (count?.pending ?? 0) > 0);
  }
}
