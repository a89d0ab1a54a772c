import type { StatusOutcome } from '../../../domain/bookings/status-outcome.ts';
import type { NewChange } from '../../../domain/clinics/change.ts';
import type { Instant } from '../../../platform/clock.ts';
import type { JsonObject } from '../../../platform/json.ts';
import type { Trx } from '../database.ts';
import type { Stored } from '../schema.ts';

interface ConvertedVisit {
  clinic: string;
  ref: string | null;
  outcome: StatusOutcome;
  at: Instant;
  /** Time of the visit; undefined if the clinic gave no readable date. */
  visit_at: Instant | undefined;
}

/**
 * A completed visit converts its lead once: it stays converted unless the status turns out to have been a mistake, to
 * cancelled, missed or back to what comes before a visit. That retracts the conversion, and only then can it convert
 * again.
 */
export async function convert(trx: Trx, visit: ConvertedVisit): Promise<NewChange[]> {
  const { ref, outcome, at } = visit;
  if (ref === null || outcome === 'unknown') return [];
  const lead = await trx.selectFrom('bookings').selectAll().where('ref', '=', ref).executeTakeFirst();
  if (lead === undefined) return [];
  const isConverted = lead.completed_at !== null && lead.retracted_at === null;
  if (isConverted === (outcome === 'completed')) return [];
  const fee = outcome === 'completed' ? await feeOf(trx, lead, visit) : undefined;
  const values =
    outcome === 'completed' ? { completed_at: at, retracted_at: null, ...fee } : { retracted_at: at };
  await trx.updateTable('bookings').set(values).where('ref', '=', ref).execute();
  if (isConverted) await noteRetraction(trx, lead, visit);
  return lead.completed_at === null && outcome !== 'completed'
    ? []
    : [changeOf({ ...lead, ...values }, outcome)];
}

/** A lead may be converted and retracted repeatedly: each retraction has a row. */
async function noteRetraction(
  trx: Trx,
  lead: Stored<'bookings'>,
  { at, outcome }: ConvertedVisit,
): Promise<void> {
  const { ref, clinic, completed_at, fee, currency } = lead;
  if (completed_at === null) return;
  const { before } = await trx
    .selectFrom('retractions')
    .select(({ fn }) => fn.countAll().as('before'))
    .where('ref', '=', ref)
    .executeTakeFirstOrThrow();
  const n = Number(before) + 1;
  await trx
    .insertInto('retractions')
    .values({ ref, n, clinic, converted_at: completed_at, retracted_at: at, outcome, fee, currency })
    .execute();
}

function changeOf(lead: Stored<'bookings'>, outcome: StatusOutcome): NewChange {
  const { ref, source, channel, campaign, utm_source, utm_medium, utm_term, utm_content } = lead;
  const { click_id, click_id_kind, first_campaign, first_channel, appointment_id } = lead;
  const { treatment_id, doctor_id, received_at, booked_at, completed_at, retracted_at, fee, currency } = lead;
  const data: JsonObject = {
    ...{
      ref,
      source,
      channel,
      campaign,
      utm_source,
      utm_medium,
      utm_term,
      utm_content,
      click_id,
      click_id_kind,
    },
    ...{ first_campaign, first_channel, appointment_id, treatment_id, doctor_id, received_at, booked_at },
    ...{ completed_at, value: fee, currency, outcome },
    ...(retracted_at !== null && { retracted_at }),
  };
  const type = outcome === 'completed' ? 'lead.converted' : 'lead.conversion_retracted';
  return { type, resource: 'lead', id: ref, data, previous: null };
}

const decimal = /^-?\d+(\.\d+)?$/;

/** The treatment's fee at the time of the visit; for a visit before any known fee, the earliest one. */
async function feeOf(
  trx: Trx,
  { clinic, treatment_id }: Stored<'bookings'>,
  { visit_at, at }: ConvertedVisit,
): Promise<{ fee: string | null; currency: string | null }> {
  const when = visit_at !== undefined && visit_at < at ? visit_at : at;
  const periods =
    treatment_id === null
      ? []
      : await trx
          .selectFrom('fee_periods')
          .select(['fee', 'currency', 'valid_from', 'valid_to'])
          .where((row) => row.and({ clinic, kind: 'treatment', id: String(treatment_id) }))
          .orderBy('valid_from')
          .execute();
  const then = periods.findLast(({ valid_from }) => valid_from <= when) ?? periods[0];
  const isKnown = then?.fee != null && decimal.test(then.fee);
  return { fee: isKnown ? then.fee : null, currency: isKnown ? then.currency : null };
}
