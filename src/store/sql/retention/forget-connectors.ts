import type { Keep } from '../../ports/removal.ts';
import { type Db, deletedBy, type Trx } from '../database.ts';
import { stateCursor, UNCONFIGURED, unconfiguredNames } from '../deliveries/left-behind.ts';
import { deleteMemory, writeMemory } from '../installation/key-value.ts';
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
  const portions = { deliveries: deleteDeliveries, notes: deleteNotes };
  for (const connector of gone) {
    for (const what of ['deliveries', 'notes'] as const)
      for (let count = PORTION; count === PORTION; removed[what] += count) {
        signal?.throwIfAborted();
        count = await write('prune', (trx) => portions[what](trx, connector));
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
  for (const { key } of notes.filter((note) => !names.includes(note.key)))
    await deleteMemory(trx, UNCONFIGURED, key);
  const since = new Map(notes.map(({ key, value }) => [key, value]));
  for (const name of names.filter((one) => !since.has(one)))
    await writeMemory(trx, UNCONFIGURED, name, keep.now);
  return names.filter((name) => (since.get(name) ?? keep.now) < keep.deliveries);
}

function deleteDeliveries(trx: Trx, connector: string): Promise<number> {
  const some = trx.selectFrom('deliveries').select('n').where('connector', '=', connector).limit(PORTION);
  return deletedBy(trx.deleteFrom('deliveries').where('n', 'in', some));
}

function deleteNotes(trx: Trx, connector: string): Promise<number> {
  const scope = NOTES + connector;
  const some = trx.selectFrom('memory').select('key').where('scope', '=', scope).limit(PORTION);
  return deletedBy(trx.deleteFrom('memory').where('scope', '=', scope).where('key', 'in', some));
}

async function deleteState(trx: Trx, connector: string): Promise<void> {
  await trx
    .deleteFrom('cursors')
    .where('connector', 'in', [connector, stateCursor(connector)])
    .execute();
  await trx.deleteFrom('connectors').where('connector', '=', connector).execute();
  await deleteMemory(trx, UNCONFIGURED, connector);
}
