import type { Keep } from '../../ports/removal.ts';
import type { Db, Trx } from '../database.ts';
import { stateCursor, UNCONFIGURED, unconfiguredNames } from '../deliveries/left-behind.ts';
import { writeMemory } from '../installation/key-value.ts';
import type { PruneParts } from './prune-changes.ts';

const PORTION = 500;
const NOTES = 'connector:';

/**
 * Deletes what is left of connectors unconfigured since `keep.deliveries`: deliveries, notes, cursors and state. One
 * that comes back later starts as new. Resolves to the deleted deliveries and notes.
 */
export async function forgetConnectors({
  db,
  write,
  keep,
  signal,
}: PruneParts): Promise<{ deliveries: number; notes: number }> {
  const removed = { deliveries: 0, notes: 0 };
  const names = await namesLeft(db, keep.connectors);
  const gone = await write('prune', (trx) => noteUnconfigured(trx, names, keep));
  for (const connector of gone) {
    for (let count = PORTION; count === PORTION; removed.deliveries += count) {
      signal?.throwIfAborted();
      count = await write('prune', (trx) => deleteDeliveries(trx, connector));
    }
    for (let count = PORTION; count === PORTION; removed.notes += count) {
      signal?.throwIfAborted();
      count = await write('prune', (trx) => deleteNotes(trx, connector));
    }
    await write('prune', (trx) => deleteState(trx, connector));
  }
  return removed;
}

/** Some connectors, such as web forms, have only notes. */
async function namesLeft(db: Db, configured: readonly string[]): Promise<string[]> {
  const scopes = await db
    .selectFrom('memory')
    .select('scope')
    .distinct()
    .where('scope', '>=', NOTES)
    .where('scope', '<=', `${NOTES}\u{10ffff}`)
    .execute();
  const noted = scopes.map(({ scope }) => scope.slice(NOTES.length));
  const others = await unconfiguredNames(db, configured);
  return [...new Set([...others, ...noted.filter((name) => !configured.includes(name))])];
}

/** Records since when each one is missing. Resolves to those missing for too long. */
async function noteUnconfigured(trx: Trx, names: readonly string[], keep: Keep): Promise<string[]> {
  const notes = await trx
    .selectFrom('memory')
    .select(['key', 'value'])
    .where('scope', '=', UNCONFIGURED)
    .execute();
  for (const { key } of notes.filter((note) => !names.includes(note.key))) await deleteMark(trx, key);
  const since = new Map(notes.map(({ key, value }) => [key, value]));
  for (const name of names.filter((one) => !since.has(one)))
    await writeMemory(trx, UNCONFIGURED, name, keep.now);
  return names.filter((name) => (since.get(name) ?? keep.now) < keep.deliveries);
}

const deleteMark = (trx: Trx, connector: string) =>
  trx.deleteFrom('memory').where('scope', '=', UNCONFIGURED).where('key', '=', connector).execute();

async function deleteDeliveries(trx: Trx, connector: string): Promise<number> {
  const some = trx.selectFrom('deliveries').select('n').where('connector', '=', connector).limit(PORTION);
  const { numDeletedRows } = await trx
    .deleteFrom('deliveries')
    .where('n', 'in', some)
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

async function deleteNotes(trx: Trx, connector: string): Promise<number> {
  const scope = NOTES + connector;
  const some = trx.selectFrom('memory').select('key').where('scope', '=', scope).limit(PORTION);
  const { numDeletedRows } = await trx
    .deleteFrom('memory')
    .where('scope', '=', scope)
    .where('key', 'in', some)
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

async function deleteState(trx: Trx, connector: string): Promise<void> {
  await trx
    .deleteFrom('cursors')
    .where('connector', 'in', [connector, stateCursor(connector)])
    .execute();
  await trx.deleteFrom('connectors').where('connector', '=', connector).execute();
  await deleteMark(trx, connector);
}
