import type { MirrorView } from '../../../src/connector.ts';
import type { Change } from '../../../src/domain/change.ts';
import { type Content, instantSerial, money, text } from '../sheet/cells.ts';
import { KEPT_ROWS } from './mirror-tabs.ts';
import type { DesiredRow } from './tab-spec.ts';

const PAGE = 1_000;
const fees = [
  { resource: 'treatment', field: 'base_fee', name: 'treatment_name', kind: 'Treatment', label: 'Fee' },
  {
    resource: 'dentist',
    field: 'consultation_fee',
    name: 'doctor_name',
    kind: 'Dentist',
    label: 'Consultation fee',
  },
] as const;

/** Every fee there ever was, from the change log; keyed by its sequence, so a row is written once and never moves on. */
export interface FeeHistory {
  rows(view: MirrorView, clinic: string, zone: string): Promise<DesiredRow[]>;
}

/** The log only grows, so what was read of it is kept. */
export function createFeeHistory(): FeeHistory {
  const read = new Map<string, { sequence: number; rows: DesiredRow[] }>();
  return {
    async rows(view, clinic, zone) {
      const known = read.get(clinic) ?? { sequence: 0, rows: [] };
      read.set(clinic, known);
      for (;;) {
        const changes = await view.changes(clinic, known.sequence, PAGE);
        for (const change of changes) {
          const row = feeRow(change, zone);
          if (row) known.rows.push(row);
          known.sequence = change.sequence;
        }
        if (changes.length < PAGE) break;
      }
      known.rows = known.rows.slice(-KEPT_ROWS);
      return known.rows;
    },
  };
}

function feeRow({ clinic, sequence, at, type, resource, id, data, previous }: Change, zone: string) {
  const fee = fees.find((one) => one.resource === resource);
  if (!fee || type.endsWith('.removed')) return undefined;
  const now = decimal(data[fee.field]);
  const before = previous === null ? null : decimal(previous[fee.field]);
  const moved = previous === null || Object.hasOwn(previous, fee.field);
  if (!moved || now === null) return undefined;
  const row: DesiredRow = {
    clinic,
    id: sequence,
    cells: {
      at: instantSerial(at, zone),
      kind: fee.kind,
      thing: id,
      name: text(data[fee.name] as string),
      field: fee.label,
      old: money(before),
      new: money(now),
      difference: difference(before, now),
    },
  };
  return row;
}

const decimal = (value: unknown): string | null =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : null;

function difference(before: string | null, now: string): Content {
  const [from, to] = [money(before), money(now)];
  if (typeof from !== 'number' || typeof to !== 'number') return null;
  const decimals = Math.max(...[before, now].map((value) => value?.split('.')[1]?.length ?? 0));
  return Number((to - from).toFixed(decimals));
}
