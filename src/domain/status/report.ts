import * as z from 'zod';
import type { Said } from '../../texts/texts.ts';
import { bookingStates, submissionFields } from '../bookings/booking.ts';
import { type Poll, polls, type Statistics } from '../clinics/resource.ts';
import { alsoInside, count, instant, maybe, orNull, text } from '../outward.ts';
import type { SaidBySentence } from '../texts/problem.ts';
import { type ConditionName, causes, needKinds } from './conditions.ts';
import { fleet } from './fleet-report.ts';

const health = z.enum(['ok', 'trouble', 'stale']);
/**
 * Whether data flows; what waits for a user is in `needs`. `trouble`: something due has failed for a minute or twice in
 * a row, is paused, or a write was refused. `stale`: data is older than three of its intervals. Strangers see only this
 * word.
 */
export type Health = z.infer<typeof health>;

const reason = alsoInside<{
  /** Its detail for other languages, of a connector or of a failed poll. */
  said?: Said | undefined;
}>()(
  z
    .strictObject({
      health: z.enum(['trouble', 'stale']),
      kind: z.enum(causes),
      clinic: orNull(text),
      /** Name of the resource or connector; else the kind. */
      subject: text,
      /** A clause without patient data or full stop: `the clinic has not answered since …`. */
      sentence: text,
      /** Null when unknown. */
      since: orNull(instant),
    })
    .meta({ id: 'HealthReason' }),
);
export type HealthReason = z.infer<typeof reason>;

/** What a need is about, so that pages and messages can express it in the reader's language. */
export interface NeedSaid {
  name: ConditionName;
  count?: number;
  of?: number;
  /** For a guard. */
  change?: 'removed' | 'changed';
  approvalOnly?: boolean;
  poll?: Poll;
  /** `2026-03-02` */
  day?: string;
  /** How long it has lasted, in milliseconds. */
  ms?: number;
  /** A name that is not translated: a host, a daemon. */
  what?: string;
  /** What a connector says, and of how many more things; what keeps a clinic from being reached. */
  problem?: Said | undefined;
  more?: number;
  /** What exactly is wrong, in English. */
  detail?: string | null | undefined;
  /** What to do, in English, where more is known of it than the text says. */
  remedy?: string | null | undefined;
}

const needKind = z.enum(needKinds);

const need = alsoInside<{
  /** Undefined for bookings, which have a state and a reason, and for needs stored by earlier versions. */
  said?: NeedSaid;
}>()(
  z
    .strictObject({
      kind: needKind,
      clinic: maybe(text),
      subject: text.meta({ description: 'The booking’s reference, the guard’s id, the connector’s name.' }),
      /** One sentence without patient data. */
      sentence: text,
      /** The remedy, as one sentence or a command. */
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
      /** `task`: a cancellation or move, which a user does by hand. */
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
    .meta({ id: 'Need' }),
);
/** Something that only a user can settle. */
export type Need = z.infer<typeof need>;

/** A part of the schedule that is not running as it should. */
export interface Alarm {
  /** Undefined: about the schedule itself. */
  about?: 'database';
  sentence: string;
  action: string;
  /** False if it ends without a user, or its cause is at the clinic. */
  asksPerson: boolean;
}

/** An object of an answer that cannot be read. */
const unreadable = z.strictObject({
  /** Null when not even the id can be read. */
  id: orNull(text),
  /** `base_fee is missing` */
  problem: text,
  since: instant,
});
export type UnreadableReport = z.infer<typeof unreadable>;

export const resource = z
  .strictObject({
    poll: z.enum(polls),
    rows: count,
    /** Last complete, verified poll, if any. */
    last_success_at: orNull(instant),
    /** When a poll last found nothing due, which is not a success. Null for resources read as a whole. */
    idle_at: orNull(instant),
    last_change_at: orNull(instant),
    next_due_at: orNull(instant),
    interval_ms: z.number(),
    failures: count,
    last_error: orNull(text),
    /** When the current series of failures began; null if there is none. */
    failing_since: orNull(instant),
    /** Older than three intervals. */
    stale: z.boolean(),
    /** Objects of the latest answer that cannot be read; their former rows are kept. */
    unreadable: z.array(unreadable),
  })
  .meta({ id: 'Resource' });
const ofResource = alsoInside<{
  /** `last_error` for other languages. */
  said?: Said | undefined;
}>()(resource);
export type ResourceReport = z.infer<typeof ofResource>;

/** Maximum number of figures shown over time. */
export const STATISTICS_SHOWN = 400;

const figure = orNull(z.number());
const figures = z.strictObject({
  at: instant,
  total_users: figure,
  total_patients: figure,
  total_appointments: figure,
  total_doctors: figure,
} satisfies Record<'at' | keyof Statistics, z.ZodType>);
/** The organization's figures since `at`; null where the clinic gave none. */
export type Figures = z.infer<typeof figures>;

const limiter = z.strictObject({
  /** Learned limit in calls per minute; null while none was refused. */
  ceiling_per_minute: figure,
  window_ms: figure,
  /** When it is called again although it asked us to wait. */
  blocked_until: orNull(instant),
  blocked_since: orNull(instant),
  /** Null outside the daemon. */
  refused_last_hour: orNull(count),
  calls_last_hour: orNull(count),
  /** When counting of these two began, if less than an hour ago. */
  counted_since: orNull(instant),
  token_expires_at: orNull(instant),
  /** Median duration of the last complete answers, milliseconds; null before the first. */
  answer_ms: figure,
});
/** The learned limit of one credential. */
export type LimiterReport = z.infer<typeof limiter>;

/** For a clinic that this process has not called. */
export const nothingLearned: LimiterReport = {
  ceiling_per_minute: null,
  window_ms: null,
  blocked_until: null,
  blocked_since: null,
  refused_last_hour: 0,
  calls_last_hour: 0,
  counted_since: null,
  token_expires_at: null,
  answer_ms: null,
};

const clinic = z
  .strictObject({
    clinic: text,
    name: orNull(text),
    timezone: text,
    resources: z.array(ofResource),
    limiter,
    /** Figures over time, oldest first. */
    statistics: z.array(figures),
    /** `waiting`: nothing is sent until a comparison is over, at `until` at the latest (set once it has begun). */
    lane: z.strictObject({
      state: z.enum(['open', 'waiting', 'paused']),
      reason: orNull(text),
      since: orNull(instant),
      until: instant.optional(),
    }),
    /** `failing` from the first failed call to the clinic until one succeeds. */
    connection: z.strictObject({
      state: z.enum(['working', 'failing', 'unknown']),
      since: orNull(instant),
    }),
    appointments_pending: count,
    /** The day on which it opens again, if it was said to be closed: nobody is told that no leads arrive. */
    closed_until: orNull(text),
  })
  .meta({ id: 'Clinic' });
export type ClinicReport = z.infer<typeof clinic>;

export const connectorState = z.enum(['ok', 'failing', 'paused', 'quarantined']);

const connector = alsoInside<{
  /** For other languages: what the catalogue has of the sentences here. */
  said?: SaidBySentence | undefined;
}>()(
  z
    .strictObject({
      connector: text,
      use: text,
      state: connectorState,
      /** Changes not yet delivered. */
      lag: count,
      pending: count,
      dead: count,
      last_success_at: orNull(instant),
      last_error: orNull(text),
      /** Problems of its last run. */
      problems: z.array(text),
      /** Those that require a user. */
      asks: z.array(z.strictObject({ sentence: text, weight: z.enum(['need', 'trouble']), since: instant })),
      /** Consecutive failures. */
      failures: count,
      /** Why it is paused or could not start; else null. */
      reason: orNull(text),
      /** When it was paused or began to fail, if known. */
      since: orNull(instant),
    })
    .meta({ id: 'Connector' }),
);
export type ConnectorReport = z.infer<typeof connector>;

/** What a notification target has been told and what not: see `Told`. */
const target = z.strictObject({
  target: text,
  state: connectorState,
  last_proof_at: orNull(instant),
  last_tried_at: orNull(instant),
  owed: count,
  owed_since: orNull(instant),
  last_error: orNull(text),
});
export type TargetReport = z.infer<typeof target>;

const retained = figure.meta({ description: 'Milliseconds; null: for ever.' });
const retention = z.strictObject({
  bookings: retained,
  dropped: retained,
  changes: retained,
  inbox: retained,
});
export type RetentionReport = z.infer<typeof retention>;

const ofSource = z.strictObject({
  source: text,
  today: count,
  last_7_days: count,
  states: z.partialRecord(z.enum(bookingStates), count),
});
export type BookingReport = z.infer<typeof ofSource>;

export const statusReport = z
  .strictObject({
    health,
    /** When health stopped being `ok`; null while it is. */
    since: orNull(instant),
    /** The causes, worst first. */
    reasons: z.array(reason),
    /** The last trouble that ended, with its beginning; null while trouble lasts or if there never was any. */
    recovered: orNull(z.strictObject({ at: instant, since: instant, sentence: text })),
    /** False when no daemon is running on the database. */
    running: z.boolean(),
    /** The one sentence at the top. */
    sentence: text,
    at: instant,
    version: text,
    started_at: orNull(instant),
    /** Most urgent first; `needs_total` counts all. */
    needs: z.array(need),
    needs_total: count,
    needs_by_kind: z.partialRecord(needKind, count),
    /** All clinics, or one page of them; `clinics_total` counts all. */
    clinics: z.array(clinic),
    clinics_total: count,
    /** Where the next page starts: `?after=…`; undefined on the last one. */
    clinics_next: maybe(text),
    connectors: z.array(connector),
    /** The targets of notifications, which are among the connectors, too. */
    notify: z.array(target),
    heartbeat: orNull(z.strictObject({ last_success_at: orNull(instant), last_error: orNull(text) })),
    /** Undefined for a single daemon, and while the database does not answer. */
    fleet: maybe(fleet),
    bookings: z.array(ofSource),
    /** Null until the database has answered once. */
    retention: orNull(retention),
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
      /** A problem that will stop it unless a user acts. */
      warning: maybe(orNull(text)),
    }),
  })
  .meta({ id: 'StatusReport' });
/** Everything shown by the status page, `/status.json` and `clinic-sync status`. No patient data. */
export type StatusReport = z.infer<typeof statusReport>;
