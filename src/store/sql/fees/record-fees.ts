import type { Change } from '../../../domain/clinics/change.ts';
import { type Db, slices, type Trx } from '../database.ts';
import { insertMany } from '../insert-many.ts';
import { concernsFees, currencyCode, feeBook, type StoredFeePeriod } from './fee-book.ts';

const IDS_PER_STATEMENT = 500;

const columns = [
  'clinic',
  'kind',
  'id',
  'sequence',
  'name',
  'fee',
  'currency',
  'valid_from',
  'valid_to',
] as const;

/** Writing a period again updates it. */
const writePeriods = insertMany<StoredFeePeriod>([...columns, 'removed_by'], (trx, rows) =>
  trx
    .insertInto('fee_periods')
    .values(rows as unknown as StoredFeePeriod[])
    .onConflict((conflict) =>
      conflict.columns(['clinic', 'kind', 'id', 'sequence']).doUpdateSet((row) => ({
        name: row.ref('excluded.name'),
        currency: row.ref('excluded.currency'),
        valid_to: row.ref('excluded.valid_to'),
        removed_by: row.ref('excluded.removed_by'),
      })),
    ),
);

/** For the step that makes the table, which has no numbers of removals yet. */
export const firstPeriods = insertMany<StoredFeePeriod>(columns, (trx, rows) =>
  trx.insertInto('fee_periods').values(rows as unknown as StoredFeePeriod[]),
);

/** Writes ended periods first, because a fee may have only one open period. */
async function savePeriods(trx: Trx, periods: Iterable<StoredFeePeriod>): Promise<void> {
  const { ended = [], open = [] } = Object.groupBy(periods, ({ valid_to }) =>
    valid_to === null ? 'open' : 'ended',
  );
  await writePeriods(trx, ended);
  await writePeriods(trx, open);
}

/** Ends and begins fee periods according to a poll's changes, in the transaction that logs them. */
export async function recordFees(trx: Trx, clinic: string, changes: readonly Change[]): Promise<void> {
  const relevant = changes.filter(concernsFees);
  if (relevant.length === 0) return;
  const book = feeBook(await concerned(trx, clinic, relevant));
  const before = new Map([...book.all].map((period) => [period, JSON.stringify(period)]));
  const currency = await currencyOf(trx, clinic);
  for (const change of relevant) book.apply(change, currency);
  await savePeriods(
    trx,
    [...book.all].filter((period) => before.get(period) !== JSON.stringify(period)),
  );
}

/** The periods to update: all of the clinic's if its currency may have changed. */
async function concerned(trx: Trx, clinic: string, changes: readonly Change[]): Promise<StoredFeePeriod[]> {
  const ofClinic = trx.selectFrom('fee_periods').selectAll().where('clinic', '=', clinic);
  if (changes.some(({ resource }) => resource === 'organization'))
    return ofClinic
      .where((row) => row.or([row('valid_to', 'is', null), row('currency', 'is', null)]))
      .execute();
  const found: StoredFeePeriod[] = [];
  for (const kind of ['treatment', 'dentist'] as const) {
    const ids = changes.flatMap(({ resource, id }) => (resource === kind ? [id] : []));
    for (const some of slices(ids, IDS_PER_STATEMENT))
      found.push(
        ...(await ofClinic
          .where('kind', '=', kind)
          .where('id', 'in', some)
          .where('valid_to', 'is', null)
          .execute()),
      );
  }
  return found;
}

/** The clinic's currency; if it gives none, the one its fees were last in. */
export async function currencyOf(trx: Db, clinic: string): Promise<string | null> {
  const now = await trx
    .selectFrom('organization_things')
    .select('currency')
    .where('clinic', '=', clinic)
    .where('removed_at', 'is', null)
    .executeTakeFirst();
  const given = currencyCode(now?.currency);
  if (given !== null) return given;
  const last = await trx
    .selectFrom('fee_periods')
    .select('currency')
    .where('clinic', '=', clinic)
    .where('valid_to', 'is', null)
    .where('currency', 'is not', null)
    .limit(1)
    .executeTakeFirst();
  return last?.currency ?? null;
}
