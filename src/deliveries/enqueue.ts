import { createHash } from 'node:crypto';
import type { EventDelivery } from '../connector.ts';
import type { Change, ChangeType, NewChange } from '../domain/clinics/change.ts';
import { type ListPoll, resourceOf } from '../domain/clinics/resource.ts';
import type { Row } from '../domain/clinics/tables.ts';
import type { NewDelivery } from '../domain/delivery.ts';
import { isAboutPatients } from '../domain/patient.ts';
import { type Clock, type Instant, instant } from '../platform/clock.ts';
import { failpoint } from '../platform/failpoint.ts';
import { asFailure, Failure } from '../platform/failure.ts';
import type { JsonObject } from '../platform/json.ts';
import type { Store } from '../store/store.ts';
import { coalesce } from './coalesce.ts';
import { namesOf, strippedChange } from './strip.ts';

const BATCH = 500;

interface Taker {
  connector: string;
  events: EventDelivery;
  includePatient: boolean;
  store: Store;
  clock: Clock;
}

/**
 * Stores the next changes of one clinic as deliveries and moves the cursor, in one transaction: after a crash, either
 * all of them are taken again or none. Resolves to the number of changes.
 */
export async function enqueue(taker: Taker, clinic: string): Promise<number> {
  const { connector, store, clock } = taker;
  // Read first: a command may replay meanwhile, and this batch must not move the cursor forward again.
  const replays = await store.deliveries.replays(connector, clinic);
  const cursor = await store.deliveries.cursor(connector, clinic);
  if (cursor === undefined) return takeFirst(taker, clinic);

  const changes = await store.changes.after(clinic, cursor, BATCH);
  const last = changes.at(-1);
  if (last === undefined) return 0;
  failpoint('deliveries.read');
  const deliveries = await encoded(taker, await shownTo(taker, clinic, changes), replays, false);
  const at = instant(clock.now());
  await store.deliveries.enqueue(connector, clinic, last.sequence, deliveries, at, replays);
  failpoint('deliveries.enqueued');
  return changes.length;
}

/** The start of a new connector, with a snapshot if it wants one. */
async function takeFirst(taker: Taker, clinic: string): Promise<number> {
  const { connector, store, clock, events } = taker;
  // Read before the snapshot: a change in between is delivered twice rather than never.
  const sequence = await store.changes.latest(clinic);
  const at = instant(clock.now());
  const replays = await store.deliveries.replays(connector, clinic);
  let count = 0;
  if (events.snapshot)
    for await (const changes of snapshot(store, { clinic, sequence, at })) {
      const deliveries = await encoded(taker, await shownTo(taker, clinic, changes), replays, true);
      await store.deliveries.enqueue(connector, clinic, null, deliveries, at);
      count += changes.length;
    }
  failpoint('deliveries.snapshot');
  // Last, so that after a crash the snapshot starts again and is delivered twice rather than never.
  await store.deliveries.enqueue(connector, clinic, sequence, [], at);
  return count;
}

/** Changes as this connector may see them. */
async function shownTo(
  { includePatient, store }: Taker,
  clinic: string,
  changes: readonly Change[],
): Promise<readonly Change[]> {
  if (includePatient || !changes.some(({ resource }) => isAboutPatients(resource))) return changes;
  const isName = await namesOf(store)(clinic);
  return changes.map((change) => strippedChange(change, isName));
}

async function encoded(
  taker: Taker,
  shown: readonly Change[],
  replays: number,
  isSnapshot: boolean,
): Promise<NewDelivery[]> {
  const { connector, events } = taker;
  const wanted: Change[] = [];
  for (const change of shown)
    if (await asked(connector, change, () => events.wants(change))) wanted.push(change);
  const deliveries: NewDelivery[] = [];
  for (const change of events.coalesce ? coalesce(wanted) : wanted) {
    const { sequence, type, resource, id, at } = change;
    deliveries.push({
      id: eventId(taker, change, replays, isSnapshot ? 'snapshot' : at),
      sequence,
      type,
      thing: `${resource}:${id}`,
      body: await asked(connector, change, () => events.encode(change)),
    });
  }
  return deliveries;
}

/**
 * The id by which a receiver deduplicates. Depends only on the content and the destination: the same after any crash,
 * but different per connector, installation and replay, whose events would otherwise be dropped as duplicates. `at`:
 * the time of the change, or `snapshot`; a database restored from a backup reuses sequence numbers.
 */
function eventId({ store, connector }: Taker, change: Change, replays: number, at: string): string {
  const { instance } = store.identity;
  const { clinic, sequence, type, resource, id } = change;
  const named = JSON.stringify([instance, connector, replays, clinic, sequence, at, type, resource, id]);
  return `evt_${createHash('sha256').update(named).digest('base64url').slice(0, 27)}`;
}

/**
 * A change that a connector cannot encode stops that connector visibly: skipping it would lose it without a trace, and
 * later changes of the same record must not overtake it.
 */
async function asked<T>(
  connector: string,
  { sequence, type }: Change,
  question: () => T | Promise<T>,
): Promise<T> {
  try {
    return await question();
  } catch (cause) {
    // The connector's process is down, which says nothing about the change.
    if (cause instanceof Failure && cause.kind === 'transient') throw cause;
    throw new Failure({
      kind: 'refused',
      message: `${connector} fails on change ${sequence} (${type}): ${asFailure(cause, 'encoding').message}`,
      hint: 'This is a fault in the connector. Its changes wait until it is repaired or removed.',
      cause,
    });
  }
}

const types: Record<ListPoll, ChangeType> = {
  organization: 'organization.updated',
  website: 'website.updated',
  treatments: 'treatment.created',
  dentists: 'dentist.created',
};

const PORTION = 500;

/**
 * All of the clinic's present records as changes of one sequence, in portions, because many years of appointments do
 * not fit in memory. Without bookings: a receiver might act on them again, for example write to the patient.
 */
async function* snapshot(
  store: Store,
  { clinic, sequence, at }: { clinic: string; sequence: number; at: Instant },
): AsyncGenerator<Change[]> {
  const placed = (changes: readonly NewChange[]) =>
    changes.map((change): Change => ({ ...change, clinic, sequence, at, snapshot: true }));
  for (const poll of Object.keys(types) as ListPoll[]) {
    const ids = [...(await store.mirror.hashes(clinic, poll)).keys()];
    const things = await store.mirror.records(clinic, poll, ids);
    yield placed(
      [...things.values()].map(({ id, fields }) => ({
        ...{ type: types[poll], resource: resourceOf[poll] },
        ...{ id, data: fields, previous: null },
      })),
    );
  }
  for (let last: Row | undefined; ; ) {
    const rows = await store.mirror.page('appointments', clinic, PORTION, last);
    yield placed(rows.map(followed));
    last = rows.at(-1);
    if (rows.length < PORTION) return;
  }
}

function followed(row: Row): NewChange {
  const { appointment_id = null, status = null, name = null, date = null, time = null, ref = null } = row;
  const data: JsonObject = { appointment_id, status, name, date, time, ref };
  const id = String(appointment_id);
  return { type: 'appointment.tracked', resource: 'appointment', id, data, previous: null };
}
