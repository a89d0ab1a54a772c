import { emptyView } from '../../../src/app/empty-view.ts';
import type { AcceptedBooking, BookingDoor, HttpIntake } from '../../../src/connector.ts';
import type { AuditEntry, Session } from '../../../src/domain/audit.ts';
import type { Booking, BookingEvent, Submission } from '../../../src/domain/booking.ts';
import { ADMIN, type Person } from '../../../src/domain/people.ts';
import type { StatusReport } from '../../../src/domain/report.ts';
import type { Role } from '../../../src/domain/role.ts';
import { tokenKey } from '../../../src/domain/token.ts';
import { type Http, type HttpOptions, startHttp } from '../../../src/http/http.ts';
import { type Clock, instant } from '../../../src/platform/clock.ts';
import { silentLog } from '../../../src/platform/log.ts';
import type { AuditVerbs } from '../../../src/store/ports/audit.ts';
import type { SessionVerbs } from '../../../src/store/ports/sessions.ts';
import { fakeClock } from '../fake-clock.ts';

/** A person who must never be seen by anybody who is not signed in. */
export const planted = {
  patient_name: 'Zerlina Plantagenet',
  patient_phone: '+8801700424242',
  address: '7 Planted Lane',
  note: 'allergic to plantigrades',
};
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
      async perform(entry, deed, { refused }) {
        try {
          const value = await deed();
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

const minutes = (count: number) => count * 60_000;
const days = (count: number) => count * 86_400_000;

/** A report of a clinic that mostly works, as of `now`. */
export function sampleReport(now: number): StatusReport {
  const ago = (ms: number) => instant(now - ms);
  const resource = {
    interval_ms: minutes(15),
    failures: 0,
    failing_since: null,
    idle_at: null,
    last_error: null,
    stale: false,
    unreadable: [],
  };
  const connector = { failures: 0, reason: null, since: null };
  return {
    health: 'trouble',
    retention: { bookings: null, dropped: null, changes: null, inbox: null },
    since: ago(minutes(18)),
    reasons: [
      {
        health: 'trouble',
        kind: 'failing',
        clinic: 'main',
        subject: 'treatments',
        sentence: 'treatments failed 2 times in a row',
        since: ago(minutes(18)),
      },
    ],
    recovered: null,
    running: true,
    sentence: '2 bookings and 1 guard need you',
    at: ago(2_000),
    version: '1.2.3',
    started_at: ago(days(6)),
    needs: [
      {
        kind: 'booking',
        clinic: 'main',
        subject: 'CS-7K3Q9F',
        sentence: 'CS-7K3Q9F was sent to the clinic, and the connection broke before an answer came',
        action: 'Look in the clinic’s calendar, then say whether it is there',
        since: ago(minutes(42)),
        urgent: true,
      },
      {
        kind: 'booking',
        clinic: 'main',
        subject: 'CS-AB12CD',
        sentence: 'CS-AB12CD asks for a treatment that the clinic does not have',
        action: 'Correct the treatment, then release it',
        since: ago(minutes(190)),
        urgent: false,
      },
      {
        kind: 'guard',
        clinic: 'main',
        subject: 'g-17',
        sentence: 'The last answer would remove 9 of 21 treatments from the mirror',
        action: 'Let it through if the clinic really removed them: clinic-sync guards approve g-17',
        since: ago(minutes(11)),
        urgent: false,
      },
    ],
    needs_total: 3,
    needs_by_kind: { booking: 2, guard: 1 },
    clinics: [
      {
        clinic: 'main',
        name: 'Bright Smile Dental',
        timezone: 'Asia/Dhaka',
        resources: [
          {
            ...resource,
            poll: 'organization',
            rows: 1,
            interval_ms: minutes(60),
            last_success_at: ago(minutes(31)),
            last_change_at: ago(days(1)),
            next_due_at: ago(-minutes(29)),
          },
          {
            ...resource,
            poll: 'website',
            rows: 1,
            last_success_at: ago(minutes(46)),
            last_change_at: ago(days(12)),
            next_due_at: ago(-minutes(14)),
          },
          {
            ...resource,
            poll: 'treatments',
            rows: 21,
            failures: 2,
            last_error: 'The answer breaks the contract: data[3].base_fee must be a decimal in a string',
            last_success_at: ago(minutes(33)),
            last_change_at: ago(minutes(75)),
            next_due_at: ago(-minutes(4)),
          },
          {
            ...resource,
            poll: 'dentists',
            rows: 12,
            last_success_at: ago(minutes(3)),
            last_change_at: ago(days(3)),
            next_due_at: ago(-minutes(12)),
          },
          {
            ...resource,
            poll: 'appointments',
            rows: 64,
            interval_ms: minutes(1),
            last_success_at: ago(8_000),
            last_change_at: ago(minutes(2)),
            next_due_at: ago(-50_000),
          },
        ],
        limiter: {
          ceiling_per_minute: 60,
          window_ms: 60_000,
          blocked_until: null,
          refused_last_hour: 1,
          calls_last_hour: 412,
          token_expires_at: ago(-minutes(38)),
          answer_ms: 140,
        },
        statistics: Array.from({ length: 60 }, (_, index) => ({
          at: ago(days(60 - index) + minutes((index * 37) % 600)),
          total_users: 18 + Math.floor(index / 25),
          total_patients: 4_120 + index * 3 + ((index * 7) % 5),
          total_appointments: 18_940 + index * 22 + ((index * 13) % 17),
          total_doctors: index < 35 ? 11 : 12,
        })),
        lane: { state: 'open', reason: null, since: null },
        connection: { state: 'working', since: null },
        appointments_pending: 23,
      },
    ],
    connectors: [
      {
        ...connector,
        connector: 'accounts',
        use: 'google-sheets',
        state: 'ok',
        lag: 0,
        pending: 0,
        dead: 0,
        last_success_at: ago(minutes(2)),
        last_error: null,
        problems: [],
      },
      {
        ...connector,
        failures: 4,
        connector: 'crm',
        use: 'webhook',
        state: 'failing',
        lag: 14,
        pending: 14,
        dead: 1,
        last_success_at: ago(minutes(95)),
        last_error: 'crm.example answered 502',
        problems: [],
      },
      {
        ...connector,
        connector: 'website',
        use: 'web-form',
        state: 'ok',
        lag: 0,
        pending: 0,
        dead: 0,
        last_success_at: ago(minutes(17)),
        last_error: null,
        problems: [],
      },
    ],
    bookings: [
      {
        source: 'website',
        today: 9,
        last_7_days: 48,
        states: { booked: 41, held: 1, unknown: 1, rejected: 5 },
      },
      { source: 'reports', today: 2, last_7_days: 11, states: { booked: 10, queued: 1 } },
    ],
    changes: [
      change(now, 1841, 'appointment.status_changed', '90211', 'status: Scheduled → Completed', 2),
      change(now, 1840, 'booking.booked', 'CS-9WX2TT', 'appointment 90388', 17),
      change(now, 1839, 'treatment.updated', '14', 'base_fee: 1200.00 → 1350.00', 75),
      change(now, 1838, 'dentist.created', '12', 'new', 4_300),
    ],
    database: { ok: true, problem: null, bytes: 7_340_032 },
  };
}

const change = (now: number, sequence: number, type: string, id: string, summary: string, ago: number) => ({
  clinic: 'main',
  sequence,
  at: instant(now - minutes(ago)),
  type,
  id,
  summary,
});

/** The planted patient's booking, sent with an unknown outcome. */
export function sampleBooking(now: number, more: Partial<Booking> = {}): Booking {
  return {
    ...planted,
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
export function sampleDoor(more: Partial<BookingDoor> = {}): BookingDoor & { taken: Submission[] } {
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
    ...more,
  };
}

/** Records every action as `name(arguments)`. */
export function sampleAdmin(): { admin: HttpOptions['admin']; asked: string[] } {
  const asked: string[] = [];
  const admin = new Proxy({} as HttpOptions['admin'], {
    get:
      (_target, name) =>
      async (...given: unknown[]) => {
        asked.push(`${String(name)}(${given.map((value) => JSON.stringify(value) ?? '').join(', ')})`);
        return { ok: true, message: 'It is done' };
      },
  });
  return { admin, asked };
}

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
    version: '1.2.3',
    report: async () => sampleReport(clock.now()),
    intakes: new Map([['website', { intake: sampleIntake('website'), view: emptyView }]]),
    bookings: sampleDoor(),
    ready: () => ({ ok: true, problem: null }),
    admin: sampleAdmin().admin,
    adminData: {
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
          resembles: null,
        };
      },
      bookings: async () => [sampleBooking(clock.now())],
    },
    clock,
    log: silentLog,
    ...more,
  });
}
