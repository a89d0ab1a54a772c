import type { Change } from '../../../domain/clinics/change.ts';
import type { Json } from '../../../platform/json.ts';
import type { Stored } from '../schema.ts';

export type StoredFeePeriod = { -readonly [C in keyof Stored<'fee_periods'>]: Stored<'fee_periods'>[C] };
export type Kind = 'treatment' | 'dentist';

const fieldsOf = {
  treatment: { fee: 'base_fee', name: 'treatment_name' },
  dentist: { fee: 'consultation_fee', name: 'doctor_name' },
} as const;

const kindOf = ({ resource }: Pick<Change, 'resource'>): Kind | undefined =>
  resource === 'treatment' || resource === 'dentist' ? resource : undefined;

/** Whether a change begins or ends a fee period, or may. */
export function concernsFees(change: Pick<Change, 'resource' | 'previous'>): boolean {
  const { resource, previous } = change;
  if (resource === 'organization') return previous === null || 'currency' in previous;
  const kind = kindOf(change);
  if (kind === undefined) return false;
  const { fee, name } = fieldsOf[kind];
  return previous === null || fee in previous || name in previous;
}

const text = (value: Json | undefined): string | null => (typeof value === 'string' ? value : null);

/** An ISO 4217 code; the clinic's staff typed it. */
export const currencyCode = (value: Json | undefined): string | null =>
  text(value)?.trim().toUpperCase() || null;

/**
 * The fee periods of one clinic while changes are applied to them. `periods`: the current ones, and any without a
 * currency; modified in place. New ones are added.
 */
export function feeBook(periods: readonly StoredFeePeriod[]) {
  const all = new Set(periods);
  const open = new Map<string, StoredFeePeriod>();
  for (const period of periods) if (period.valid_to === null) open.set(`${period.kind} ${period.id}`, period);

  const begin = (period: StoredFeePeriod) => {
    all.add(period);
    open.set(`${period.kind} ${period.id}`, period);
  };

  const end = (period: StoredFeePeriod, { at, sequence, type }: Change) => {
    period.valid_to = at;
    if (type.endsWith('.removed')) period.removed_by = sequence;
  };

  /** Begins a new period for every current fee. Periods from before any currency was known get this one, too. */
  const changeCurrency = ({ at, sequence }: Change, currency: string) => {
    for (const period of all) period.currency ??= currency;
    for (const period of [...open.values()]) {
      if (period.currency === currency) continue;
      period.valid_to = at;
      begin({ ...period, currency, sequence, valid_from: at, valid_to: null });
    }
  };

  return {
    all,

    /** `currency`: the clinic's at that time. A new name begins no new period, since the fee is the same. */
    apply(change: Change, currency: string | null): void {
      const { clinic, id, at, sequence, type, data } = change;
      if (change.resource === 'organization') {
        const given = currencyCode(data.currency);
        if (given !== null) changeCurrency(change, given);
        return;
      }
      const kind = kindOf(change);
      if (kind === undefined) return;
      const former = open.get(`${kind} ${id}`);
      const isGone = type.endsWith('.removed');
      const name = text(data[fieldsOf[kind].name]);
      const fee = text(data[fieldsOf[kind].fee]);
      if (!isGone && former?.fee === fee) {
        former.name = name;
        return;
      }
      if (former !== undefined) end(former, change);
      open.delete(`${kind} ${id}`);
      const period = { clinic, kind, id, sequence, name, fee, currency };
      if (!isGone) begin({ ...period, valid_from: at, valid_to: null, removed_by: null });
    },
  };
}
