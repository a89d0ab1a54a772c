import * as z from 'zod';
import type { Said } from '../../texts/texts.ts';
import { bookingStates, submissionFields } from '../bookings/booking.ts';
import { type Poll, polls, type Statistics } from '../clinics/resource.ts';
import { alsoInside, countSchema, instantSchema, maybe, orNull, textSchema } from '../outward.ts';
import type { SaidBySentence } from '../texts/problem.ts';
import { type ConditionName, causes, needKinds } from './conditions.ts';
import { fleetSchema } from './fleet-report.ts';

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
      clinic: orNull(textSchema),
      /** Name of the resource or connector; else the kind. */
      subject: textSchema,
      /** A clause without patient data or full stop: `the clinic has not answered since …`. */
      sentence: textSchema,
      /** Null when unknown. */
      since: orNull(instantSchema),
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
      clinic: maybe(textSchema),
      subject: textSchema.meta({
        description: 'The booking’s reference, the guard’s id, the connector’s name.',
      }),
      /** One sentence without patient data. */
      sentence: textSchema,
      /** The remedy, as one sentence or a command. */
      action: textSchema,
      source: maybe(textSchema.meta({ description: 'The connector that a booking came from.' })),
      refs: maybe(
        z
          .array(textSchema)
          .readonly()
          .meta({ description: 'Of bookings that came and are held together: up to a thousand of them.' }),
      ),
      count: maybe(countSchema.meta({ description: 'Their number.' })),
      state: maybe(z.enum(bookingStates)),
      /** `task`: a cancellation or move, which a user does by hand. */
      reason: maybe(orNull(textSchema)),
      fields: maybe(
        z
          .array(z.enum([...submissionFields, 'clinic']))
          .readonly()
          .meta({ description: 'The fields of a held booking that are missing or wrong.' }),
      ),
      visit: maybe(textSchema.meta({ description: '`2026-03-02 09:30`, on the clinic’s clock.' })),
      since: instantSchema,
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
  id: orNull(textSchema),
  /** `base_fee is missing` */
  problem: textSchema,
  since: instantSchema,
});
export type UnreadableReport = z.infer<typeof unreadable>;

export const resource = z
  .strictObject({
    poll: z.enum(polls),
    rows: countSchema,
    /** Last complete, verified poll, if any. */
    last_success_at: orNull(instantSchema),
    /** When a poll last found nothing due, which is not a success. Null for resources read as a whole. */
    idle_at: orNull(instantSchema),
    last_change_at: orNull(instantSchema),
    next_due_at: orNull(instantSchema),
    interval_ms: z.number(),
    failures: countSchema,
    last_error: orNull(textSchema),
    /** When the current series of failures began; null if there is none. */
    failing_since: orNull(instantSchema),
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
  at: instantSchema,
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
  blocked_until: orNull(instantSchema),
  blocked_since: orNull(instantSchema),
  /** Null outside the daemon. */
  refused_last_hour: orNull(countSchema),
  calls_last_hour: orNull(countSchema),
  /** When counting of these two began, if less than an hour ago. */
  counted_since: orNull(instantSchema),
  token_expires_at: orNull(instantSchema),
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
    clinic: textSchema,
    name: orNull(textSchema),
    timezone: textSchema,
    resources: z.array(ofResource),
    limiter,
    /** Figures over time, oldest first. */
    statistics: z.array(figures),
    /** `waiting`: nothing is sent until a comparison is over, at `until` at the latest (set once it has begun). */
    lane: z.strictObject({
      state: z.enum(['open', 'waiting', 'paused']),
      reason: orNull(textSchema),
      since: orNull(instantSchema),
      until: instantSchema.optional(),
    }),
    /** `failing` from the first failed call to the clinic until one succeeds. */
    connection: z.strictObject({
      state: z.enum(['working', 'failing', 'unknown']),
      since: orNull(instantSchema),
    }),
    appointments_pending: countSchema,
    /** The day on which it opens again, if it was said to be closed: nobody is told that no leads arrive. */
    closed_until: orNull(textSchema),
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
      connector: textSchema,
      use: textSchema,
      state: connectorState,
      /** False for one that only takes bookings: nothing is delivered to it. */
      delivers: z.boolean(),
      /** Changes not yet with it: those that it has not taken, and deliveries that wait. */
      lag: countSchema,
      pending: countSchema,
      dead: countSchema,
      last_success_at: orNull(instantSchema),
      last_error: orNull(textSchema),
      /** Problems of its last run. */
      problems: z.array(textSchema),
      /** Those that require a user. */
      asks: z.array(
        z.strictObject({ sentence: textSchema, weight: z.enum(['need', 'trouble']), since: instantSchema }),
      ),
      /** Consecutive failures. */
      failures: countSchema,
      /** Why it is paused or could not start; else null. */
      reason: orNull(textSchema),
      /** When it was paused or began to fail, if known. */
      since: orNull(instantSchema),
    })
    .meta({ id: 'Connector' }),
);
export type ConnectorReport = z.infer<typeof connector>;

/** What a notification target has been told and what not: see `Told`. */
const target = z.strictObject({
  target: textSchema,
  state: connectorState,
  last_proof_at: orNull(instantSchema),
  last_tried_at: orNull(instantSchema),
  owed: countSchema,
  owed_since: orNull(instantSchema),
  last_error: orNull(textSchema),
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

/** The copies that the daemon makes by itself. */
const backup = z.strictObject({
  last_success_at: orNull(instantSchema),
  bytes: figure,
  /** How many are in its directory. */
  count: countSchema,
  /** Consecutive failures. */
  failures: countSchema,
  last_error: orNull(textSchema),
});
export type BackupReport = z.infer<typeof backup>;

const ofSource = z.strictObject({
  source: textSchema,
  today: countSchema,
  last_7_days: countSchema,
  states: z.partialRecord(z.enum(bookingStates), countSchema),
});
export type BookingReport = z.infer<typeof ofSource>;

export const statusReport = z
  .strictObject({
    health,
    /** When health stopped being `ok`; null while it is. */
    since: orNull(instantSchema),
    /** The causes, worst first. */
    reasons: z.array(reason),
    /** The last trouble that ended, with its beginning; null while trouble lasts or if there never was any. */
    recovered: orNull(z.strictObject({ at: instantSchema, since: instantSchema, sentence: textSchema })),
    /** False when no daemon is running on the database. */
    running: z.boolean(),
    /** The one sentence at the top. */
    sentence: textSchema,
    at: instantSchema,
    version: textSchema,
    started_at: orNull(instantSchema),
    /** Most urgent first; `needs_total` counts all. */
    needs: z.array(need),
    needs_total: countSchema,
    needs_by_kind: z.partialRecord(needKind, countSchema),
    /** All clinics, or one page of them; `clinics_total` counts all. */
    clinics: z.array(clinic),
    clinics_total: countSchema,
    /** Where the next page starts: `?after=…`; undefined on the last one. */
    clinics_next: maybe(textSchema),
    connectors: z.array(connector),
    /** The targets of notifications, which are among the connectors, too. */
    notify: z.array(target),
    heartbeat: orNull(
      z.strictObject({ last_success_at: orNull(instantSchema), last_error: orNull(textSchema) }),
    ),
    /** Undefined for a single daemon, and while the database does not answer. */
    fleet: maybe(fleetSchema),
    bookings: z.array(ofSource),
    /** Null where none are configured, and while the database does not answer. */
    backup: orNull(backup),
    /** Null until the database has answered once. */
    retention: orNull(retention),
    changes: z.array(
      z.strictObject({
        clinic: textSchema,
        sequence: countSchema,
        at: instantSchema,
        type: textSchema,
        id: textSchema,
        summary: textSchema,
      }),
    ),
    database: z.strictObject({
      ok: z.boolean(),
      problem: orNull(textSchema),
      bytes: figure,
      log_bytes: maybe(figure),
      /** A problem that will stop it unless a user acts. */
      warning: maybe(orNull(textSchema)),
    }),
  })
  .meta({ id: 'StatusReport' });
/** Everything shown by the status page, `/status.json` and `clinic-sync status`. No patient data. */
export type StatusReport = z.infer<typeof statusReport>;
