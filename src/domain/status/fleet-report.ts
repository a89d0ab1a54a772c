import * as z from 'zod';
import { alsoInside, countSchema, instantSchema, maybe, orNull, textSchema } from '../outward.ts';

/** The host, with the beginning of the id if several of these daemons share it. */
export function memberName(
  { id, host }: Pick<MemberStatus, 'id' | 'host'>,
  among: readonly Pick<MemberStatus, 'id' | 'host'>[],
): string {
  const isAlone = among.every((other) => other.host !== host || other.id === id);
  return isAlone ? host : `${host} (${id.slice(0, 4)})`;
}

const memberStatus = z.strictObject({
  id: textSchema,
  /** By `memberName`. */
  name: textSchema,
  host: textSchema,
  version: textSchema,
  config_hash: textSchema,
  since: instantSchema,
  /** Its last heartbeat. */
  beat_at: instantSchema,
  /** Milliseconds by which its clock is ahead of the database's, at least. */
  skew_ms: z.number(),
  clinics: countSchema,
  connectors: countSchema,
  /** Names of the units it owns; the first twenty. */
  units: z.array(textSchema),
});
/** One of several daemons sharing the database. */
export type MemberStatus = z.infer<typeof memberStatus>;

const fleetAlarm = alsoInside<{
  /** The host it is about. */
  what?: string;
}>()(
  z.strictObject({
    kind: z.enum(['configuration', 'version', 'gone', 'clock']),
    /** Distinguishes alarms of the same kind. */
    subject: textSchema,
    sentence: textSchema,
    action: textSchema,
    since: instantSchema,
  }),
);
export type FleetAlarm = z.infer<typeof fleetAlarm>;

export const fleetSchema = z
  .strictObject({
    members: z.array(memberStatus),
    alarms: z.array(fleetAlarm),
    /** Configured units that no daemon runs. */
    free: z.array(
      z.strictObject({
        unit: textSchema,
        since: instantSchema,
        on: maybe(textSchema.meta({ description: 'The only host whose daemons may run it.' })),
        failed: maybe(
          z
            .strictObject({ host: textSchema, problem: textSchema })
            .meta({ description: 'Where it last failed to start, and why.' }),
        ),
      }),
    ),
    /** When a unit last changed its owner; null before the first time. */
    handed_over_at: orNull(instantSchema),
  })
  .meta({ id: 'Fleet' });
/** The daemons that share the work on one database server. */
export type FleetStatus = z.infer<typeof fleetSchema>;
