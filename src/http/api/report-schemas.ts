import * as z from 'zod';
import { bookingStates, submissionFields } from '../../domain/bookings/booking.ts';
import { polls } from '../../domain/clinics/resource.ts';
import { causes, type StatusReport } from '../../domain/status/report.ts';
import type { PublicStatus } from '../access/public-status.ts';
import { count, exactly, instant, maybe, orNull, text } from './schema.ts';

const health = z.enum(['ok', 'trouble', 'stale']);
const poll = z.enum(polls);

const reason = z
  .strictObject({
    health: z.enum(['trouble', 'stale']),
    kind: z.enum(causes),
    clinic: orNull(text),
    subject: text,
    sentence: text,
    since: orNull(instant),
  })
  .meta({ id: 'HealthReason' });

const need = z
  .strictObject({
    kind: z.enum(['booking', 'guard', 'delivery', 'connector', 'probe', 'clinic', 'database', 'fleet']),
    clinic: maybe(text),
    subject: text.meta({ description: 'The booking’s reference, the guard’s id, the connector’s name.' }),
    sentence: text,
    action: text,
    source: maybe(text.meta({ description: 'The connector that a booking came from.' })),
    refs: maybe(
      z
        .array(text)
        .readonly()
        .meta({ description: 'Of bookings that came and are held together: up to a thousand of them.' }),
    ),
    count: maybe(count.meta({ description: 'Their number.' })),
    state: maybe(z.enum(bookingStates)),
    reason: maybe(orNull(text)),
    fields: maybe(
      z
        .array(z.enum([...submissionFields, 'clinic']))
        .readonly()
        .meta({ description: 'The fields of a held booking that are missing or wrong.' }),
    ),
    visit: maybe(text.meta({ description: '`2026-03-02 09:30`, on the clinic’s clock.' })),
    since: instant,
    urgent: z.boolean(),
  })
  .meta({ id: 'Need' });

const resource = z
  .strictObject({
    poll,
    rows: count,
    last_success_at: orNull(instant),
    idle_at: orNull(instant),
    last_change_at: orNull(instant),
    next_due_at: orNull(instant),
    interval_ms: z.number(),
    failures: count,
    last_error: orNull(text),
    failing_since: orNull(instant),
    stale: z.boolean(),
    unreadable: z.array(z.strictObject({ id: orNull(text), problem: text, since: instant })),
  })
  .meta({ id: 'Resource' });

const figure = orNull(z.number());

const clinic = z
  .strictObject({
    clinic: text,
    name: orNull(text),
    timezone: text,
    resources: z.array(resource),
    limiter: z.strictObject({
      ceiling_per_minute: figure,
      window_ms: figure,
      blocked_until: orNull(instant),
      blocked_since: orNull(instant),
      refused_last_hour: orNull(count),
      calls_last_hour: orNull(count),
      counted_since: orNull(instant),
      token_expires_at: orNull(instant),
      answer_ms: figure,
    }),
    statistics: z.array(
      z.strictObject({
        at: instant,
        total_users: figure,
        total_patients: figure,
        total_appointments: figure,
        total_doctors: figure,
      }),
    ),
    lane: z.strictObject({
      state: z.enum(['open', 'waiting', 'paused']),
      reason: orNull(text),
      since: orNull(instant),
      until: instant.optional(),
    }),
    connection: z.strictObject({
      state: z.enum(['working', 'failing', 'unknown']),
      since: orNull(instant),
    }),
    appointments_pending: count,
    closed_until: orNull(text),
  })
  .meta({ id: 'Clinic' });

const connectorState = z.enum(['ok', 'failing', 'paused', 'quarantined']);

const connector = z
  .strictObject({
    connector: text,
    use: text,
    state: connectorState,
    lag: count,
    pending: count,
    dead: count,
    last_success_at: orNull(instant),
    last_error: orNull(text),
    problems: z.array(text),
    asks: z.array(z.strictObject({ sentence: text, weight: z.enum(['need', 'trouble']), since: instant })),
    failures: count,
    reason: orNull(text),
    since: orNull(instant),
  })
  .meta({ id: 'Connector' });

const fleet = z
  .strictObject({
    members: z.array(
      z.strictObject({
        id: text,
        name: text,
        host: text,
        version: text,
        config_hash: text,
        since: instant,
        beat_at: instant,
        skew_ms: z.number(),
        clinics: count,
        connectors: count,
        units: z.array(text),
      }),
    ),
    alarms: z.array(
      z.strictObject({
        kind: z.enum(['configuration', 'version', 'gone', 'clock']),
        subject: text,
        sentence: text,
        action: text,
        since: instant,
      }),
    ),
    free: z.array(
      z.strictObject({
        unit: text,
        since: instant,
        on: maybe(text.meta({ description: 'The only host whose daemons may run it.' })),
        failed: maybe(
          z
            .strictObject({ host: text, problem: text })
            .meta({ description: 'Where it last failed to start, and why.' }),
        ),
      }),
    ),
    handed_over_at: orNull(instant),
  })
  .meta({ id: 'Fleet' });

const retained = figure.meta({ description: 'Milliseconds; null: for ever.' });

/** What people with a token see. */
export const statusReport = exactly<StatusReport>()(
  z
    .strictObject({
      health,
      since: orNull(instant),
      reasons: z.array(reason),
      recovered: orNull(z.strictObject({ at: instant, since: instant, sentence: text })),
      running: z.boolean(),
      sentence: text,
      at: instant,
      version: text,
      started_at: orNull(instant),
      needs: z.array(need),
      needs_total: count,
      needs_by_kind: z.partialRecord(need.shape.kind, count),
      clinics: z.array(clinic),
      clinics_total: count,
      clinics_next: maybe(text),
      connectors: z.array(connector),
      notify: z.array(
        z.strictObject({
          target: text,
          state: connectorState,
          last_proof_at: orNull(instant),
          last_tried_at: orNull(instant),
          owed: count,
          owed_since: orNull(instant),
          last_error: orNull(text),
        }),
      ),
      heartbeat: orNull(z.strictObject({ last_success_at: orNull(instant), last_error: orNull(text) })),
      fleet: maybe(fleet),
      bookings: z.array(
        z.strictObject({
          source: text,
          today: count,
          last_7_days: count,
          states: z.partialRecord(z.enum(bookingStates), count),
        }),
      ),
      retention: orNull(
        z.strictObject({ bookings: retained, dropped: retained, changes: retained, inbox: retained }),
      ),
      changes: z.array(
        z.strictObject({
          clinic: text,
          sequence: count,
          at: instant,
          type: text,
          id: text,
          summary: text,
        }),
      ),
      database: z.strictObject({
        ok: z.boolean(),
        problem: orNull(text),
        bytes: figure,
        log_bytes: maybe(figure),
        warning: maybe(orNull(text)),
      }),
    })
    .meta({ id: 'StatusReport' }),
);

/** What strangers see where `http.status` is `public`. */
export const publicReport = exactly<PublicStatus>()(
  z
    .strictObject({
      health,
      at: instant,
      clinics_total: maybe(count),
      clinics_next: maybe(text),
      clinics: z.array(
        z.strictObject({
          clinic: text,
          name: orNull(text),
          resources: z.array(resource.pick({ poll: true, rows: true, last_success_at: true, stale: true })),
        }),
      ),
      connectors: z.array(z.strictObject({ connector: text, state: connectorState })),
    })
    .meta({ id: 'PublicStatus' }),
);

export const oneWord = z.strictObject({ health }).meta({ id: 'OneWord' });

export const syncState = z
  .strictObject({
    ok: z.boolean(),
    health,
    reasons: z.array(text),
    waits: z.array(text).optional(),
  })
  .meta({ id: 'SyncState' });
