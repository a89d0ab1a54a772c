import type { Change } from '../../../domain/clinics/change.ts';
import type { JsonObject } from '../../../platform/json.ts';
import { type Db, slices, type Trx } from '../database.ts';
import { concernsFees, currencyCode, feeBook, type Kind, type StoredFeePeriod } from '../fees/fee-book.ts';
import { currencyOf, firstPeriods } from '../fees/record-fees.ts';
import { toChange } from './log-changes.ts';

const ROWS_PER_STATEMENT = 1_000;
const things = { treatment: 'treatments_things', dentist: 'dentists_things' } as const;
const kinds: readonly Kind[] = ['treatment', 'dentist'];

/** Derives fee periods from the change log, and from the mirror where the log no longer reaches back. */
export async function recordFeesOfBefore(trx: Trx): Promise<void> {
  const clinics = await trx.selectFrom('polls').select('clinic').distinct().execute();
  for (const { clinic } of clinics) await firstPeriods(trx, await feesOfLog(trx, clinic));
}

/** The periods that follow from a clinic's change log. Those of before it have the number 0. */
export async function feesOfLog(trx: Db, clinic: string): Promise<StoredFeePeriod[]> {
  const book = feeBook([]);
  const first = new Map<string, Change>();
  const logged: Change[] = [];
  for await (const change of changesOf(trx, clinic)) {
    const key = `${change.resource} ${change.id}`;
    if (!first.has(key)) first.set(key, change);
    if (concernsFees(change)) logged.push(change);
  }
  for (const kind of kinds) {
    const rows = await trx.selectFrom(things[kind]).selectAll().where('clinic', '=', clinic).execute();
    for (const change of rows.flatMap((row) => unlogged(clinic, kind, row, first.get(`${kind} ${row.id}`))))
      book.apply(change, null);
  }

  // Each fee gets the currency of its time.
  let currency = currencyBefore(logged);
  for (const period of book.all) period.currency ??= currency;
  for (const change of logged) {
    if (change.resource === 'organization') currency = currencyCode(change.data.currency) ?? currency;
    book.apply(change, currency);
  }
  const now = await currencyOf(trx, clinic);
  for (const period of book.all) period.currency ??= now;
  return [...book.all];
}

function currencyBefore(logged: readonly Change[]): string | null {
  const { data, previous } = logged.find(({ resource }) => resource === 'organization') ?? {};
  return previous == null ? null : currencyCode({ ...data, ...previous }.currency);
}

/** What happened before the oldest change in the log: the creation, with the fee before that change. */
function unlogged(
  clinic: string,
  kind: Kind,
  row: { id: string; first_seen_at: string; removed_at: string | null },
  first: Change | undefined,
): Change[] {
  if (first?.type === `${kind}.created`) return [];
  const data: JsonObject = { ...(row as JsonObject), ...first?.data, ...first?.previous };
  const of = { clinic, sequence: 0, resource: kind, id: row.id, data, previous: null };
  const created: Change = { ...of, type: `${kind}.created`, at: row.first_seen_at };
  if (first !== undefined || row.removed_at === null) return [created];
  return [created, { ...of, type: `${kind}.removed`, at: row.removed_at }];
}

/** Reads the numbers by index first, because most of the log is bookings. */
async function* changesOf(trx: Db, clinic: string): AsyncGenerator<Change> {
  const numbers: number[] = [];
  for (const resource of ['organization', ...kinds])
    for (const { sequence } of await trx
      .selectFrom('changes')
      .select('sequence')
      .where('clinic', '=', clinic)
      .where('resource', '=', resource)
      .execute())
      numbers.push(sequence);
  numbers.sort((a, b) => a - b);
  for (const some of slices(numbers, ROWS_PER_STATEMENT)) {
    const rows = await trx
      .selectFrom('changes')
      .selectAll()
      .where('clinic', '=', clinic)
      .where('sequence', 'in', some)
      .orderBy('sequence')
      .execute();
    yield* rows.map(toChange);
  }
}
