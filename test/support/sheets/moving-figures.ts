import type { SheetsSandbox } from '../../../sandbox/google-sheets/google-sheets.ts';
import type { Row } from '../../../src/connector.ts';
import { createEyes, type Eyes } from './eyes.ts';
import { appointmentChange, type SheetsMirror } from './kit.ts';

/** Leads that arrive and progress, and fees that change, in the mirror of a clinic in Dhaka; and what the tabs must show of them. */
export interface MovingFigures {
  move(): void;
  /** Cells of Leads and Price list that are not what they should be. */
  wrong(sandbox: SheetsSandbox): number;
}

interface Options {
  mirror: SheetsMirror;
  random: () => number;
  now: () => string;
}

const outcomes = ['booked', 'completed', 'cancelled', 'no_show', 'unknown'];

export function movingFigures({ mirror, random, now }: Options): MovingFigures {
  const leads: Row[] = [];
  const fees: Row[] = [1, 2, 3].map((id) => period(id, `${id}00.00`, '2026-02-01T00:00:00.000Z'));
  Object.assign(mirror.rows, { leads, fees, consultation_fees: [], dentists: [] });

  function logged(ref: unknown): void {
    const change = appointmentChange(mirror.changes.length + 1, 0);
    mirror.changes.push({ ...change, resource: 'lead', id: String(ref) });
  }

  function leadComes(): void {
    const ref = `CS-N${String(leads.length).padStart(5, '0')}`;
    leads.push({
      ...{ clinic: 'main', ref, source: 'website', campaign: `=campaign ${leads.length}`, channel: null },
      ...{ click_id: null, state: 'booked', outcome: 'booked', status: 'Pending', received_at: now() },
      ...{
        booked_at: now(),
        completed_at: null,
        treatment_id: 1,
        doctor_id: 1,
        fee_as_sent: null,
        currency: null,
      },
    });
    logged(ref);
  }

  function leadMoves(): void {
    const lead = leads[Math.floor(random() * leads.length)];
    if (lead === undefined) return;
    Object.assign(lead, { outcome: outcomes[Math.floor(random() * outcomes.length)], fee_as_sent: '120.50' });
    logged(lead.ref);
  }

  function feeChanges(): void {
    const id = 1 + Math.floor(random() * 3);
    const last = fees.findLast(({ treatment_id }) => treatment_id === id);
    Object.assign(last ?? {}, { valid_to: now() });
    fees.push(period(id, `${100 + Math.floor(random() * 900)}.50`, now()));
  }

  return {
    move() {
      if (random() < 0.4) leadComes();
      if (random() < 0.3) leadMoves();
      if (random() < 0.2) feeChanges();
    },
    wrong(sandbox) {
      const eyes = createEyes(sandbox);
      return wrongLeads(eyes, leads) + wrongPrices(eyes, fees, now());
    },
  };
}

const period = (id: number, fee: string, from: string): Row => ({
  ...{ clinic: 'main', treatment_id: id, treatment_name: `Treatment ${id}`, fee, currency: 'BDT' },
  ...{ valid_from: from, valid_to: null },
});

type Line = (key: string) => string | number | null;

/** The rows of a tab by the content of their id column; undefined when people took that column away. */
function linesOf({ grid, column, value }: Eyes, tab: string): Map<string, Line[]> | undefined {
  const id = column(tab, 'id');
  if (id < 0) return undefined;
  const lines = (grid(tab)?.rows ?? []).map(
    (_, row): Line =>
      (key) => {
        const at = column(tab, key);
        const { stringValue, numberValue } = (at < 0 ? undefined : value(tab, row, at)) ?? {};
        return stringValue ?? numberValue ?? null;
      },
  );
  return Map.groupBy(lines, (line) => String(line('id')));
}

function wrongLeads(eyes: Eyes, leads: readonly Row[]): number {
  const lines = linesOf(eyes, 'leads');
  if (lines === undefined) return 0;
  return leads.reduce((wrong, lead) => {
    const found = lines.get(String(lead.ref)) ?? [];
    const differ = found.filter(
      (line) =>
        isOther(eyes, 'leads', 'outcome', line, lead.outcome) ||
        isOther(eyes, 'leads', 'campaign', line, lead.campaign),
    );
    return wrong + (found.length === 0 ? 1 : differ.length);
  }, 0);
}

const isOther = ({ column }: Eyes, tab: string, key: string, line: Line, should: unknown): boolean =>
  column(tab, key) >= 0 && line(key) !== should;

/** By the day that people left in the cell: the end of it in Dhaka, six hours ahead. */
function wrongPrices(eyes: Eyes, fees: readonly Row[], now: string): number {
  const lines = linesOf(eyes, 'price_list');
  if (lines === undefined || eyes.column('price_list', 'on') < 0) return 0;
  const end = endOf(lines.get('date')?.[0]?.('on') ?? null, now);
  return [1, 2, 3].reduce((wrong, id) => {
    const holds = fees.find(
      ({ treatment_id, valid_from, valid_to }) =>
        treatment_id === id && String(valid_from) < end && (valid_to === null || String(valid_to) >= end),
    );
    const found = lines.get(`treatment ${id}`) ?? [];
    const should = holds === undefined ? null : Number(holds.fee);
    const differ = found.filter((line) => isOther(eyes, 'price_list', 'fee', line, should));
    return wrong + (found.length === 0 ? 1 : differ.length);
  }, 0);
}

const AHEAD_MS = 6 * 3_600_000;
const DAY_MS = 24 * 3_600_000;

function endOf(written: string | number | null, now: string): string {
  const today = new Date(Date.parse(now) + AHEAD_MS).toISOString().slice(0, 10);
  const asked =
    typeof written === 'number'
      ? new Date(Date.UTC(1899, 11, 30) + Math.floor(written) * DAY_MS).toISOString().slice(0, 10)
      : /^\d{4}-\d\d-\d\d$/.test(written ?? '')
        ? String(written)
        : today;
  const day = asked > today ? today : asked;
  return new Date(Date.parse(`${day}T00:00:00Z`) + DAY_MS - AHEAD_MS).toISOString();
}
