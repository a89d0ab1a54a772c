import { randomUUID } from 'node:crypto';
import type { Config } from '../config/config.ts';
import type { HttpIntake, ProbeLead } from '../connector.ts';
import { PROBE_HEADER, type ProbeAnswer, type Probed, type ProbeFault } from '../domain/bookings/probe.ts';
import { wallClockAt } from '../domain/date-time.ts';
import { type Clock, toMs } from '../platform/clock.ts';
import { parseCron } from '../platform/cron.ts';
import { DAY, formatDuration, HOUR, MINUTE, SECOND } from '../platform/duration.ts';
import { asFailure } from '../platform/failure.ts';
import { fewAtOnce } from '../platform/few-at-once.ts';
import type { Log } from '../platform/log.ts';
import { type Loop, startLoop } from '../platform/loop.ts';
import { waitFor, within } from '../platform/wait-for.ts';
import { afterProbe, keepProbes, probed, probeKey } from '../status/probes.ts';
import type { Store } from '../store/store.ts';
import type { ConnectorUnit } from './units/connector-unit.ts';

/** From Ofcom's range for drama: no one has this number. */
const NOBODY = { patient_name: 'clinic-sync probe', patient_phone: '+44 7700 900123' };
const PATIENCE_MS = 20 * SECOND;
/** Some, so that forms that hang do not delay the others for long; not all, because leads come in meanwhile. */
const AT_ONCE = 8;
/** After one failure, which may have met a restart; and after more, to notice the repair. */
const AGAIN_MS = { once: 5 * MINUTE, more: HOUR };

/** The daemon's own intake address, and the secret that marks a request there as a probe. */
export interface ProbeEntry {
  url: string;
  secret: string;
}

interface ProbeOptions {
  config: Pick<Config, 'clinics' | 'probe'>;
  connectors: readonly Pick<ConnectorUnit, 'settings' | 'connector'>[];
  entry: () => ProbeEntry;
  store: Pick<Store, 'keyValue'>;
  clock: Clock;
  log: Log;
}

/** Submits a fictitious lead through each form at the configured times. */
export function startProbes(options: ProbeOptions): Loop {
  const { config, connectors, store, clock, log } = options;
  const startedMs = clock.now();
  const cron = config.probe === undefined ? undefined : parseCron(config.probe);
  const dueMs = (note: Probed | undefined): number => {
    if (cron === undefined) return Number.POSITIVE_INFINITY;
    if (note === undefined) return cron.next(startedMs);
    if (note.failures === 0) return cron.next(toMs(note.at));
    return toMs(note.at) + (note.failures === 1 ? AGAIN_MS.once : AGAIN_MS.more);
  };
  return startLoop({
    clock,
    log,
    name: 'probes',
    async tick(signal) {
      const notes = await probed(store);
      const forms = cron === undefined ? [] : formsOf(connectors);
      const keys = new Set(forms.map(({ key }) => key));
      const gone = [...notes.keys()].filter((key) => !keys.has(key));
      if (gone.length > 0) await keepProbes(store, Object.fromEntries(gone.map((key) => [key, undefined])));
      const due = forms.filter(({ key }) => dueMs(notes.get(key)) <= clock.now());
      await fewAtOnce(due, AT_ONCE, async (form) => {
        notes.set(form.key, await probedNow(form, notes.get(form.key), options, signal));
      });
      const nextMs = Math.min(...forms.map(({ key }) => dueMs(notes.get(key))));
      return Math.min(HOUR, Math.max(SECOND, nextMs - clock.now()));
    },
  });
}

async function probedNow(
  { key, name, clinic, intake }: Form,
  before: Probed | undefined,
  { config, entry, store, clock, log }: ProbeOptions,
  signal: AbortSignal,
): Promise<Probed> {
  const zone = config.clinics.find(({ key }) => key === clinic)?.timezone ?? 'UTC';
  const fault = await probe({
    name,
    intake,
    lead: leadFor(clinic, zone, clock),
    entry: entry(),
    clock,
    signal,
  });
  signal.throwIfAborted();
  const note = afterProbe(before, clock.now(), fault);
  await keepProbes(store, { [key]: note });
  if (fault === undefined) log.info('probe got through', { connector: name, clinic });
  else
    log.warn('probe did not get through', {
      connector: name,
      clinic,
      state: fault.step,
      problem: fault.what,
    });
  return note;
}

interface Form {
  /** Key of its stored result. */
  key: string;
  name: string;
  clinic: string;
  intake: HttpIntake;
}

/** Each form, once for each clinic that it serves. */
const formsOf = (connectors: ProbeOptions['connectors']): Form[] =>
  connectors.flatMap(({ settings: { name, clinics }, connector }) => {
    const intake = connector?.intake;
    if (intake?.probe === undefined) return [];
    return clinics.map((clinic) => ({ key: probeKey(name, clinic, clinics), name, clinic, intake }));
  });

/** A slot a week ahead, in the morning, by the clinic's clock. */
function leadFor(clinic: string, zone: string, clock: Clock): ProbeLead {
  const { date } = wallClockAt(clock.now() + 7 * DAY, zone);
  const fields = { ...NOBODY, appointment_date: date, appointment_time: '10:30' };
  return { id: `probe-${randomUUID()}`, clinic, fields };
}

interface Probe {
  name: string;
  intake: HttpIntake;
  lead: ProbeLead;
  entry: ProbeEntry;
  clock: Clock;
  signal: AbortSignal;
}

/** Undefined on success. Throws only when `signal` aborts. */
async function probe({ clock, ...given }: Probe): Promise<ProbeFault | undefined> {
  const late = new AbortController();
  const asking = ask({ ...given, until: AbortSignal.any([given.signal, late.signal]) });
  const hasNoAnswer = (): ProbeFault => {
    late.abort();
    return { step: 'door', what: `no answer within ${formatDuration(PATIENCE_MS)}` };
  };
  return within({ clock, ms: PATIENCE_MS, late: hasNoAnswer }, waitFor(asking, given.signal));
}

async function ask({
  name,
  intake,
  lead,
  entry,
  signal,
  until,
}: Omit<Probe, 'clock'> & { until: AbortSignal }): Promise<ProbeFault | undefined> {
  const base = `${entry.url}/in/${encodeURIComponent(name)}`;
  try {
    const request = await intake.probe?.(lead);
    if (request === undefined) return undefined;
    if (request.page !== undefined) {
      const headers = { [PROBE_HEADER]: entry.secret };
      const page = await fetch(`${base}/${request.page}`, { headers, signal: until, redirect: 'manual' });
      await page.arrayBuffer();
      if (page.status !== 200) return { step: 'page', what: `it answers ${page.status}` };
    }
    // `validate=1` alone already keeps it from being stored.
    const answer = await fetch(`${base}${request.path && `/${request.path}`}?validate=1`, {
      method: 'POST',
      // As sent by a browser that loaded the page from here.
      headers: { origin: entry.url, ...request.headers, [PROBE_HEADER]: entry.secret },
      body: request.body,
      redirect: 'manual',
      signal: until,
    });
    return faultOf(answer.status, (await answer.json()) as Answered, lead);
  } catch (error) {
    signal.throwIfAborted();
    return { step: 'door', what: asFailure(error, 'Asking it').message };
  }
}

type Answered = Partial<ProbeAnswer> & { message?: string; ok?: boolean };

const UNSENDABLE = ['missing_field', 'invalid_field', 'mapping'];

function faultOf(status: number, answer: Answered, { fields: asked }: ProbeLead): ProbeFault | undefined {
  if (status !== 200) {
    const what = answer.message === undefined ? '' : `: ${answer.message}`;
    return { step: status === 503 ? 'storing' : 'door', what: `it answers ${status}${what}` };
  }
  if (answer.probe !== true)
    return { step: 'preset', what: answer.message ?? 'it is not taken for a submission' };
  const { fields = {}, faults = [] } = answer;
  const lost = (Object.keys(asked) as (keyof typeof asked)[]).filter((field) =>
    field.startsWith('patient') ? fields[field] !== asked[field] : fields[field] === undefined,
  );
  if (lost.length > 0) return { step: 'mapping', what: lost.join(', ') };
  // Hours, limits and approval depend on the lead; that no lead can be sent at all is a fault of the form.
  const wrong = faults.filter(({ reason }) => UNSENDABLE.includes(reason));
  return wrong.length === 0
    ? undefined
    : { step: 'judging', what: wrong.map(({ field, message }) => `${field}: ${message}`).join(' ') };
}
