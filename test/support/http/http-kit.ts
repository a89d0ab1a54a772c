import { type BookingOperation, bookingOperations } from '../../../src/app/booking-operations.ts';
import { emptyView } from '../../../src/app/empty-view.ts';
import { operations } from '../../../src/app/operations.ts';
import type { Bookings } from '../../../src/bookings/bookings.ts';
import type { AcceptedBooking, BookingPort, HttpIntake } from '../../../src/connector.ts';
import type { AuditEntry, Session } from '../../../src/domain/audit.ts';
import type { Booking, BookingEvent, Submission } from '../../../src/domain/bookings/booking.ts';
import { untouched } from '../../../src/domain/campaign.ts';
import type { Change } from '../../../src/domain/clinics/change.ts';
import { ADMIN, type Person } from '../../../src/domain/people.ts';
import type { Role } from '../../../src/domain/role.ts';
import { tokenKey } from '../../../src/domain/token.ts';
import {
  type AdminOperation,
  type AdminOperations,
  auditName,
  type OperationRequest,
} from '../../../src/http/admin.ts';
import { type Http, type HttpOptions, startHttp } from '../../../src/http/http.ts';
import { type Clock, instant } from '../../../src/platform/clock.ts';
import { Failure } from '../../../src/platform/failure.ts';
import { silentLog } from '../../../src/platform/log.ts';
import type { AuditVerbs, SessionVerbs } from '../../../src/store/ports/people.ts';
import { fakeClock } from '../fake-clock.ts';
import { planted, sampleFigures, sampleInsight } from './sample-insight.ts';
import { sampleReport } from './sample-report.ts';

const minutes = (count: number) => count * 60_000;

export const plantedWords = ['Zerlina', 'Plantagenet', '424242', 'Planted Lane', 'plantigrades'];

export const adminToken = 'correct-horse-battery-staple';
export const bearer = { authorization: `Bearer ${adminToken}` };
export const person = (name: string, role: Role, token = `token-of-${name}-0123456789`): Person => ({
  name,
  role,
  key: tokenKey(token),
});
export const admin = person(ADMIN, 'admin', adminToken);

/** Sessions and audit in memory; the audit is there to be read. */
export function samplePeopleStore() {
  const sessions = new Map<string, Session>();
  const entries: AuditEntry[] = [];
  return {
    entries,
    sessions: {
      get: async (id) => sessions.get(id),
      start: async (session) => void sessions.set(session.id, session),
      seen: async () => {},
      async end(ids) {
        for (const id of ids) sessions.delete(id);
      },
      list: async () => [...sessions.values()],
    } satisfies SessionVerbs,
    audit: {
      record: async (entry) => void entries.push(entry),
      async perform(entry, work, { refused }) {
        try {
          const value = await work();
          entries.push(entry);
          return value;
        } catch (error) {
          entries.push({ ...entry, result: refused(error) });
          throw error;
        }
      },
      list: async ({ limit }) =>
        entries
          .map((entry, n) => ({ ...entry, n }))
          .reverse()
          .slice(0, limit),
    } satisfies AuditVerbs,
  };
}

/** The planted patient's booking, sent with an unknown outcome. */
export function sampleBooking(now: number, more: Partial<Booking> = {}): Booking {
  return {
    ...planted,
    ...untouched,
    ref: 'CS-7K3Q9F',
    clinic: 'main',
    source: 'website',
    submission_id: 'form-1',
    kind: 'booking',
    state: 'unknown',
    reason: 'connection_lost',
    message: 'The connection broke before an answer came',
    phone_e164: planted.patient_phone,
    appointment_date: '2026-03-05',
    appointment_time: '10:30',
    doctor_id: 4,
    doctor: 'Dr. O’Neil',
    treatment_id: null,
    treatment: 'Scaling',
    appointment_id: null,
    attempt: 1,
    not_before: null,
    sending_since: null,
    merged: 1,
    duplicate_of: null,
    unreadable_fields: [],
    acknowledged_duplicates: [],
    changed_fields: [],
    refusals: 0,
    verified_at: null,
    evidence: {
      sent_at: instant(now - minutes(42)),
      answer: 'none: the connection was reset',
      counter_before: { value: 18_940, at: instant(now - minutes(43)) },
      counter_after: { value: 18_941, at: instant(now - minutes(31)) },
      own_between: 0,
      highest_own_id: 90_388,
      probed_ids: [90_389, 90_390],
      matching_ids: [],
      verdict: 'none',
    },
    received_at: instant(now - minutes(44)),
    changed_at: instant(now - minutes(42)),
    ...more,
  };
}

export const sampleEvents = (now: number): BookingEvent[] => {
  const moved = {
    ref: 'CS-7K3Q9F',
    actor: 'daemon',
    by: 'clinic-sync',
    reason: null,
    message: null,
  } as const;
  return [
    { ...moved, at: instant(now - minutes(44)), from: null, to: 'received', by: 'website' },
    { ...moved, at: instant(now - minutes(44)), from: 'received', to: 'queued' },
    { ...moved, at: instant(now - minutes(42)), from: 'queued', to: 'sending' },
    {
      ...moved,
      at: instant(now - minutes(42)),
      from: 'sending',
      to: 'unknown',
      reason: 'connection_lost',
      message: 'The connection broke before an answer came',
    },
  ];
};

/** The planted patient's booking was received. */
export const sampleChange = (now: number, withPatient: boolean): Change => ({
  clinic: 'main',
  sequence: 1,
  at: instant(now - minutes(44)),
  type: 'booking.received',
  resource: 'booking',
  id: 'CS-7K3Q9F',
  data: { ref: 'CS-7K3Q9F', state: 'received', ...(withPatient && planted) },
  previous: null,
});

/** A connector that takes any JSON object from whoever knows its token, with a form page. */
export const sampleIntake = (source: string, token = 'intake-token', thanks?: string): HttpIntake => {
  const authorize: HttpIntake['authorize'] = ({ headers }) =>
    headers.authorization === `Bearer ${token}`
      ? undefined
      : { kind: 'refused', status: 401, message: 'The token is wrong', hint: 'Send the connector’s token.' };
  return {
    authorize,
    async receive(request) {
      const refusal = await authorize(request);
      if (refusal) return refusal;
      try {
        const body = JSON.parse(request.body.toString('utf8'));
        if (body._gotcha) return { kind: 'ignored', message: 'Thank you' };
        const submission: Submission = { source, fields: { ...body } };
        return { kind: 'submission', submission, ...(thanks && { thanks }) };
      } catch {
        return { kind: 'refused', status: 400, message: 'The body is not JSON' };
      }
    },
    async page({ path }) {
      return path === 'form' ? { status: 200, html: '<!doctype html><title>Form</title>' } : undefined;
    },
  };
};

export const accepted = (more: Partial<AcceptedBooking> = {}): AcceptedBooking => ({
  ref: 'CS-7K3Q9F',
  state: 'queued',
  reason: null,
  message: null,
  appointment_id: null,
  duplicate_of: null,
  changed_at: '2026-03-02T09:00:00.000Z',
  created: true,
  own: true,
  ...more,
});

/** A door that remembers what went through it. */
export function samplePort(more: Partial<BookingPort> = {}): BookingPort & { taken: Submission[] } {
  const taken: Submission[] = [];
  return {
    taken,
    async accept(submission) {
      taken.push(submission);
      return accepted();
    },
    async validate() {
      return [];
    },
    async find(source, ref) {
      return source === 'website' && ref === 'CS-7K3Q9F' ? accepted() : undefined;
    },
    withdraw: async () => false,
    ...more,
  };
}

type Run = AdminOperation['run'];

/** The operations, each of which does this instead; `before` is what it would have done. */
export const doing = (admin: AdminOperations, run: (before: Run, path: string) => Run): AdminOperations =>
  Object.fromEntries(
    Object.entries(admin).map(([path, operation]) => [path, { ...operation, run: run(operation.run, path) }]),
  );

/** Records every decision about a booking as `name(arguments)`, and of all other operations their requests. */
export function sampleAdmin(booking: Booking = sampleBooking(0)): {
  admin: AdminOperations;
  asked: string[];
} {
  const asked: string[] = [];
  const recorded =
    (name: string) =>
    async (...given: unknown[]) => {
      asked.push(`${name}(${given.map((value) => JSON.stringify(value) ?? '').join(', ')})`);
      return { ...booking, ok: true, booking };
    };
  const bookings = new Proxy({} as Bookings, {
    get(_target, name) {
      if (name === 'faults') return async () => [];
      return name === 'undoable' ? async () => undefined : recorded(String(name));
    },
  });
  const context = { bookings, store: { bookings: { get: async () => booking } as never } };
  const done = { ok: true, message: 'It is done' } as const;
  const ofBookings: Record<string, BookingOperation<typeof context>> = bookingOperations;
  const others = Object.entries(operations).filter(([path]) => !Object.hasOwn(ofBookings, path));
  const admin = {
    ...Object.fromEntries(
      Object.entries(ofBookings).map(([path, { run, ...described }]) => [
        path,
        { ...described, run: (request: OperationRequest) => run(context, request).then(() => done) },
      ]),
    ),
    ...Object.fromEntries(
      others.map(([path, described]) => [
        path,
        {
          ...described,
          async run({ subject, fields: { id }, by }: OperationRequest) {
            await recorded(auditName(path))(subject, ...(id === undefined ? [] : [id]), by);
            return done;
          },
        },
      ]),
    ),
  };
  return { admin, asked };
}

const noLinks = async (): Promise<never> => {
  throw new Failure({ kind: 'refused', status: 404, message: 'This link is not valid' });
};

/** What the page of a booking knows beside it, where nothing of it matters. */
export const noChoices = {
  choices: { doctor: { all: [], near: [] }, treatment: { all: [], near: [] } },
  zone: 'Asia/Dhaka',
  visit: null,
  looks_from: null,
  undo: null,
  repeats: null,
};

export const sampleListed: HttpOptions['adminData']['listed'] = async (bookings) =>
  bookings.map((booking) => ({
    booking,
    chosen: { doctor: null, treatment: null },
    zone: 'Asia/Dhaka',
    actions: [{ action: 'approve', needs: [] }],
    ...{ visit: null, standing: null },
  }));

/** Nothing to choose from, and no visit. */
export const noVisits: Pick<HttpOptions['adminData'], 'visits' | 'clinics' | 'choices' | 'faults'> = {
  visits: async () => [],
  clinics: () => ['main'],
  choices: async () => noChoices.choices,
  faults: async () => [],
};

/** A server on a free port with everything made by hand; `more` replaces parts. */
export function startSampleHttp(more: Partial<HttpOptions> = {}, clock: Clock = fakeClock()): Promise<Http> {
  return startHttp({
    host: '127.0.0.1',
    port: 0,
    people: [admin],
    isPublic: false,
    allowedHosts: [],
    trustProxy: 0,
    ...samplePeopleStore(),
    store: sampleInsight(clock.now()),
    figures: sampleFigures,
    version: '1.2.3',
    visitorKey: 'key-of-the-tests',
    report: async () => sampleReport(clock.now()),
    intakes: new Map([['website', { intake: sampleIntake('website'), view: emptyView }]]),
    bookings: samplePort(),
    ready: () => ({ ok: true, problem: null }),
    oneTaps: { look: noLinks, act: noLinks },
    admin: sampleAdmin().admin,
    adminData: {
      ...noVisits,
      figures: async () => [],
      bookingsOf: async (refs) => (refs.includes('CS-7K3Q9F') ? [sampleBooking(clock.now())] : []),
      async booking(ref) {
        if (ref !== 'CS-7K3Q9F') return undefined;
        return {
          booking: sampleBooking(clock.now()),
          sentence:
            'It was sent 42 min ago, the connection broke, and the clinic counts one appointment more.',
          events: sampleEvents(clock.now()),
          actions: [
            { action: 'reconcile', needs: [] },
            { action: 'drop', needs: [] },
          ],
          chosen: { doctor: 'Dr. O’Neil', treatment: null },
          ...noChoices,
          resembles: null,
          versions: [],
        };
      },
      bookings: async () => [sampleBooking(clock.now())],
      /** A long text finds one with a name as long. */
      search: async (text) => [sampleBooking(clock.now(), text.length > 40 ? { patient_name: text } : {})],
      listed: sampleListed,
    },
    leadSource: async ({ address, link }) => ({
      setup: { address, embed: `<a href="${address}/form">${link}</a>`, sites: [], carries: [] },
      canTry: true,
      latest: [sampleBooking(clock.now())],
      last_28_days: 160,
      probe: { at: instant(clock.now() - minutes(300)), works: false },
      alarms: [
        {
          ...{ subject: 'website', sentence: 'No lead from website for 2 days, usually 3 a day.' },
          said: { name: 'silence_day', ms: minutes(2_880), count: 3 },
        },
      ],
    }),
    tryLead: async (_connector, body) => ({
      ...{ isLead: true, isTask: false, unused: [], result: 'new', ref: null, state: 'queued' },
      ...{ reason: null, faults: [], fields: { patient_name: body } },
    }),
    changeLog: {
      clinicOf: (key = 'main') => (key === 'main' ? key : undefined),
      read: async ({ patients }) => ({ changes: [sampleChange(clock.now(), patients)], latest: 1 }),
    },
    clock,
    log: silentLog,
    ...more,
  });
}
