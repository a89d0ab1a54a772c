import { hash as digest, randomFillSync } from 'node:crypto';
import { sql } from 'kysely';
import type { ChangedResource, NewChange } from '../../../domain/clinics/change.ts';
import type { JsonObject } from '../../../platform/json.ts';
import { type Db, parseJson, type Trx } from '../database.ts';
import { tableIn } from '../dialects.ts';
import { insertMany } from '../insert-many.ts';
import { lookUp } from '../look-up.ts';
import type { Stored } from '../schema.ts';
import { atOnce } from '../transaction.ts';
import { isPersonal, type Personal, staysErased } from './erased-fields.ts';

/**
 * Each change's hash covers the previous hash, so that altering, removing or adding a change requires recalculating all
 * that follow. Personal data enters as a salted hash: erasing removes both, the rest stays provable. See decision 56.
 */
export interface Link {
  clinic: string;
  sequence: number;
  at: string;
  type: string;
  resource: string;
  id: string;
  /** As stored; without the person, the same text before and after an erasure. */
  data: string;
  previous: string | null;
}

export interface ChainHead {
  sequence: number;
  hash: string;
  /** 1 while changes of an older version wait for their hash; new ones queue behind them. */
  pending: number;
}

/** The hash before the first change. */
export const BEGINNING = '';

const sha256 = (text: string): string => digest('sha256', text, 'base64url');

export const personalHash = (salt: string, personal: string): string => sha256(`${salt}\n${personal}`);

/** Includes the lengths, so that the boundaries between texts cannot shift. */
export function linkHash(
  before: string,
  { data, previous, ...change }: Link,
  personal: string | null,
): string {
  const { clinic, sequence, at, type, resource, id } = change;
  const lengths = [data.length, previous?.length ?? null];
  const head = JSON.stringify([before, clinic, sequence, at, type, resource, id, personal, ...lengths]);
  return sha256(`${head}\n${data}\n${previous ?? ''}`);
}

const NOTHING: readonly string[] = ['[{},{}]', '[{},null]'];

/** The parsed texts of a change, if the caller has them. */
type Values = Pick<NewChange, 'data' | 'previous'>;

const valuesOf = ({ data, previous }: Link): Values => ({
  data: parseJson(data),
  previous: previous === null ? null : parseJson(previous),
});

/** The change without the person, and what was taken out of it; `personal` null: nothing. */
export function withoutPerson(link: Link, known?: Values): { link: Link; personal: string | null } {
  const resource = link.resource as ChangedResource;
  if (!isPersonal(resource)) return { link, personal: null };
  const values = known ?? valuesOf(link);
  const data = parted(resource, values.data);
  const previous = values.previous === null ? null : parted(resource, values.previous);
  const personal = JSON.stringify([data.personal, previous === null ? null : previous.personal]);
  return {
    link: {
      ...link,
      data: JSON.stringify(data.rest),
      previous: previous === null ? null : JSON.stringify(previous.rest),
    },
    personal: NOTHING.includes(personal) ? null : personal,
  };
}

function parted(resource: Personal, fields: JsonObject): { rest: JsonObject; personal: JsonObject } {
  const parts: { rest: JsonObject; personal: JsonObject } = { rest: {}, personal: {} };
  for (const [name, value] of Object.entries(fields))
    parts[staysErased(resource, name, value) ? 'rest' : 'personal'][name] = value;
  return parts;
}

type HashRow = Stored<'change_hashes'>;

const insertHashes = insertMany<HashRow>(['clinic', 'sequence', 'hash', 'salt', 'personal'], (trx, rows) =>
  trx.insertInto('change_hashes').values(rows as unknown as HashRow[]),
);

const insertHeads = insertMany<Stored<'chain_heads'>>(
  ['clinic', 'sequence', 'hash', 'pending'],
  (trx, rows) =>
    trx
      .insertInto('chain_heads')
      .values(rows as unknown as Stored<'chain_heads'>[])
      .onConflict((conflict) =>
        conflict.column('clinic').doUpdateSet((row) => ({
          sequence: row.ref('excluded.sequence'),
          hash: row.ref('excluded.hash'),
          pending: row.ref('excluded.pending'),
        })),
      ),
);

const heads = lookUp<{ clinic: string }, Stored<'chain_heads'>>(
  ['clinic'],
  (db) => sql`select heads.* from wanted cross join ${tableIn(db, 'chain_heads')} as heads
    where heads.clinic = wanted.clinic`,
);

/** By clinic; no entry for one without changes. */
export async function chainHeads(db: Db, clinics: readonly string[]): Promise<Map<string, ChainHead>> {
  const rows = await heads(
    db,
    clinics.map((clinic) => ({ clinic })),
  );
  return new Map(rows.map((row) => [row.clinic, row]));
}

/** Undefined for a clinic without changes. */
export const chainHead = async (db: Db, clinic: string): Promise<ChainHead | undefined> =>
  (await chainHeads(db, [clinic])).get(clinic);

/** Appends consecutive changes of each clinic to its chain, after the given heads, and moves the heads. */
export async function appendToChain(
  trx: Trx,
  links: readonly (Link & { values?: Values })[],
  before: ReadonlyMap<string, Pick<ChainHead, 'hash' | 'pending'>>,
): Promise<void> {
  const salts = randomSalts(links.length);
  const moved = new Map<string, Stored<'chain_heads'>>();
  const rows = links.map(({ values, ...one }, i): HashRow => {
    const { clinic, sequence } = one;
    const head = moved.get(clinic) ?? before.get(clinic);
    const { link, personal } = withoutPerson(one, values);
    const salt = personal === null ? null : (salts[i] ?? '');
    const committed = salt === null || personal === null ? null : personalHash(salt, personal);
    const hash = linkHash(head?.hash ?? BEGINNING, link, committed);
    moved.set(clinic, { clinic, sequence, hash, pending: head?.pending ?? 0 });
    return { clinic, sequence, hash, salt, personal: committed };
  });
  await atOnce(insertHashes(trx, rows), insertHeads(trx, [...moved.values()]));
}

const SALT_BYTES = 16;

function randomSalts(count: number): string[] {
  const bytes = randomFillSync(Buffer.allocUnsafe(count * SALT_BYTES));
  return Array.from({ length: count }, (_, i) =>
    bytes.toString('base64url', i * SALT_BYTES, (i + 1) * SALT_BYTES),
  );
}
