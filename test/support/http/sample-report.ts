import type { FleetStatus } from '../../../src/domain/status/fleet-report.ts';
import type { StatusReport } from '../../../src/domain/status/report.ts';
import { instant } from '../../../src/platform/clock.ts';

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
  const connector = { failures: 0, reason: null, since: null, delivers: true };
  return {
    health: 'trouble',
    backup: { last_success_at: ago(minutes(90)), bytes: 1_000, count: 14, failures: 0, last_error: null },
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
    clinics_total: 1,
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
          blocked_since: null,
          refused_last_hour: 1,
          calls_last_hour: 412,
          counted_since: ago(minutes(22)),
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
        closed_until: null,
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
        asks: [],
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
        asks: [],
      },
      {
        ...connector,
        connector: 'website',
        use: 'web-form',
        delivers: false,
        state: 'ok',
        lag: 0,
        pending: 0,
        dead: 0,
        last_success_at: ago(minutes(17)),
        last_error: null,
        problems: [],
        asks: [],
      },
    ],
    notify: [
      {
        ...{ target: 'desk', state: 'ok', last_error: null, owed: 0, owed_since: null },
        ...{ last_proof_at: ago(days(9)), last_tried_at: ago(days(9)) },
      },
      {
        ...{ target: 'it', state: 'failing', last_error: 'mail.example refused the connection.' },
        ...{ owed: 2, owed_since: ago(minutes(40)), last_proof_at: null, last_tried_at: ago(minutes(3)) },
      },
    ],
    heartbeat: { last_success_at: ago(minutes(4)), last_error: null },
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

/** Three daemons on two hosts, one of them with a clock that is off. */
export function sampleFleet(now: number): FleetStatus {
  const member = { version: '1.2.3', config_hash: '0a1b', beat_at: instant(now - 1_000), skew_ms: 0 };
  const since = instant(now - days(2));
  return {
    members: [
      {
        ...{ ...member, id: 'aaaa-1', name: 'east (aaaa)', host: 'east', since },
        ...{ clinics: 1, connectors: 0, units: ['upkeep'] },
      },
      {
        ...{ ...member, id: 'bbbb-1', name: 'east (bbbb)', host: 'east', since },
        ...{ clinics: 1, connectors: 0, units: ['clinic/second'] },
      },
      {
        ...{ ...member, id: 'cccc-1', name: 'west', host: 'west', since, skew_ms: 2_400 },
        ...{ clinics: 1, connectors: 1, units: ['clinic/main', 'connector/accounts'] },
      },
    ],
    alarms: [
      {
        ...{ kind: 'clock', subject: 'clock of west', since: instant(now - 1_000) },
        sentence: 'The clock of west is 2.4 s ahead of the database server’s.',
        action: 'Let a time service set the clocks of both machines.',
      },
    ],
    free: [{ unit: 'connector/crm', since: instant(now - minutes(1)) }],
    handed_over_at: instant(now - minutes(5)),
  };
}
