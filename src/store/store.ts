import type { Instant } from '../platform/clock.ts';
import type { ActivityVerbs } from './ports/activity.ts';
import type { AppointmentVerbs } from './ports/appointments.ts';
import type { BookingVerbs } from './ports/bookings.ts';
import type { ChangeVerbs } from './ports/changes.ts';
import type { DatabaseVerbs } from './ports/database.ts';
import type { DeliveryVerbs } from './ports/deliveries.ts';
import type { Fence, FleetVerbs } from './ports/fleet.ts';
import type { IncidentVerbs } from './ports/incidents.ts';
import type { KeyValueVerbs } from './ports/key-value.ts';
import type { MirrorVerbs } from './ports/mirror.ts';
import type { AuditVerbs, SessionVerbs } from './ports/people.ts';
import type { GuardVerbs, PollVerbs } from './ports/polls.ts';
import type { RemovalVerbs } from './ports/removal.ts';
import type { ReportVerbs } from './ports/reports.ts';

/**
 * Everything that outlives the process. Each verb is one atomic step: a short transaction, durable (fsynced) when it
 * resolves, without network calls or leaked handles, and scoped to a clinic or a connector. All verbs throw `Failure`
 * transient when the database cannot be read or written; the verb then had no effect (for a failed COMMIT see
 * `health`).
 */
export interface Store extends DatabaseVerbs, RemovalVerbs {
  /**
   * Identity of this database, and how many times a daemon has opened it for writing. `restored`: this daemon found an
   * older copy than before, and has held every booking that waited to be sent (`restored_state`).
   */
  readonly identity: {
    instance: string;
    epoch: number;
    restored: boolean;
    /** When a daemon before this one was last seen alive. */
    seen_at?: Instant | null;
  };
  readonly mirror: MirrorVerbs;
  readonly changes: ChangeVerbs;
  readonly appointments: AppointmentVerbs;
  readonly bookings: BookingVerbs;
  readonly deliveries: DeliveryVerbs;
  readonly polls: PollVerbs;
  readonly guards: GuardVerbs;
  readonly incidents: IncidentVerbs;
  readonly activity: ActivityVerbs;
  readonly keyValue: KeyValueVerbs;
  readonly sessions: SessionVerbs;
  readonly audit: AuditVerbs;
  readonly reports: ReportVerbs;
  /**
   * The same database for the owner of a unit: each write takes effect only while the unit is owned under this fence,
   * which the same transaction checks; otherwise it throws `notOurs` and notifies the fence. Undefined if one process
   * has the database to itself.
   */
  readonly under?: (fence: Fence) => Store;
  /** Undefined likewise. A command only reads it. */
  readonly fleet?: FleetVerbs;
}

/** The store for the owner of a unit. */
export const ownedStore = (store: Store, fence: Fence): Store => store.under?.(fence) ?? store;
