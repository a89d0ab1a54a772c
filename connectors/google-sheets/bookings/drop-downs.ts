import { hash } from 'node:crypto';
import type { Memory, MirrorView } from '../../../src/connector.ts';
import type { SheetsClient } from '../api/client.ts';
import { formatRequest } from '../plan/create-tab.ts';
import type { RawRequest, RawRule as Rule } from '../sheet/raw.ts';
import type { TabSnapshot } from '../sheet/snapshot.ts';
import { inputs } from '../tabs/columns.ts';

/** Google's limit. */
const MOST_CHOICES = 500;

/** Choices in the Bookings tab, by column. */
type DropDownChoices = Readonly<Record<string, readonly string[]>>;

export async function choicesOf(view: MirrorView): Promise<DropDownChoices> {
  const names = async (table: 'dentists' | 'treatments', field: string) => {
    const found = new Set<string>();
    for (const { clinic } of view.clinics)
      for (const row of await view.rows(table, clinic)) {
        const name = row[field];
        if (row.removed_at === null && typeof name === 'string' && name !== '') found.add(name);
      }
    return [...found]
      .filter(isText)
      .sort((a, b) => a.localeCompare(b))
      .slice(0, MOST_CHOICES);
  };
  const clinics = view.clinics.map(({ clinic }) => clinic);
  return {
    dentist: await names('dentists', 'doctor_name'),
    treatment: await names('treatments', 'treatment_name'),
    ...(clinics.length > 1 && { for_clinic: clinics }),
  };
}

/**
 * Google reads a choice as if typed into a cell, and refuses formulas (BooleanCondition, ConditionValue). Names that
 * would become a formula, a number, a date or a checkbox are therefore left out; people can still type them.
 */
const isText = (name: string): boolean =>
  !/^[=+]|^(true|false)$/i.test(name) &&
  /\p{L}/u.test(
    name.replaceAll(/\b(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b|\b[ap]m\b/gi, ''),
  );

/** The rules sent last. */
interface Sent {
  sheetId: number;
  rowCount: number;
  /** Column index at the time of sending, and a hash of the rule, by column key. */
  places: Record<string, [column: number, rule: string]>;
}

interface DropDowns {
  /** Sets the choices of every row; empty while they are current. */
  requests: RawRequest[];
  /** Call it once the requests were sent. */
  done(): Promise<void>;
}

interface DropDownOptions {
  client: Pick<SheetsClient, 'rules'>;
  memory: Memory;
  choices: DropDownChoices;
}

const KEY = 'drop-downs';

/**
 * Drop-downs and checkboxes for every row. Other names may be typed; a name without a match is held, not lost. A rule
 * is sent to a position and lands a column off when a column is inserted at that moment. So positions are stored: when
 * our columns are found elsewhere, the rules are sent again, and the former position is cleared if it still has ours.
 */
export async function dropDowns(
  tab: Pick<TabSnapshot, 'sheetId' | 'rowCount' | 'columns'>,
  { client, memory, choices }: DropDownOptions,
  signal: AbortSignal,
): Promise<DropDowns> {
  const { sheetId, rowCount, columns } = tab;
  const placed = [...rulesOf(choices)].flatMap(([key, rule]) => {
    const column = columns.get(key);
    return column === undefined ? [] : [{ key, column, rule }];
  });
  const places: Sent['places'] = Object.fromEntries(
    placed.map(({ key, column, rule }) => [key, [column, digest(rule)]]),
  );
  const next = JSON.stringify({ sheetId, rowCount, places } satisfies Sent);
  const done = () => memory.set({ [KEY]: next });
  const stored = await memory.get(KEY);
  if (stored === next) return { requests: [], done };

  const strays = strayRules(tab, places, stored);
  const present = strays.length === 0 ? [] : await client.rules(sheetId, signal);
  const stillOurs = strays.filter(([column, rule]) => digest(present[column]) === rule);
  const requests = [
    ...stillOurs.map(([column]) => ruleRequest(tab, column)),
    ...placed.map(({ column, rule }) => ruleRequest(tab, column, rule)),
    ...formatsOfNewRows(tab, stored),
  ];
  return { requests, done };
}

/** Rows that people added below the last one have no formats: a phone typed there would lose its zero. */
function formatsOfNewRows(
  { sheetId, rowCount, columns }: Pick<TabSnapshot, 'sheetId' | 'rowCount' | 'columns'>,
  stored: string | undefined,
): RawRequest[] {
  const last = stored === undefined ? undefined : (JSON.parse(stored) as Sent);
  if (last?.sheetId !== sheetId || last.rowCount >= rowCount) return [];
  return Object.entries(inputs).flatMap(([key, { kind }]) => {
    const column = columns.get(key);
    return column === undefined
      ? []
      : formatRequest({ sheetId, column, from: last.rowCount, to: rowCount }, { kind, input: true });
  });
}

/** Rules that were sent to positions where none of our columns is now. */
function strayRules(
  { sheetId, columns }: Pick<TabSnapshot, 'sheetId' | 'columns'>,
  places: Sent['places'],
  stored: string | undefined,
): [column: number, rule: string][] {
  const last = stored === undefined ? undefined : (JSON.parse(stored) as Sent);
  if (last?.sheetId !== sheetId) return [];
  const ours = new Set(Object.values(places).map(([column]) => column));
  return Object.entries(last.places).flatMap(([key, [column, rule]]) =>
    columns.get(key) !== column && !ours.has(column) ? [[column, rule]] : [],
  );
}

/** Sets or clears the rule of a column below its header, including rows hidden by a filter. */
const ruleRequest = (
  { sheetId, rowCount }: Pick<TabSnapshot, 'sheetId' | 'rowCount'>,
  column: number,
  rule?: Rule,
): RawRequest => ({
  setDataValidation: {
    range: {
      sheetId,
      startRowIndex: 1,
      endRowIndex: rowCount,
      startColumnIndex: column,
      endColumnIndex: column + 1,
    },
    ...(rule && { rule }),
    filteredRowsIncluded: true,
  },
});

function rulesOf(choices: DropDownChoices): Map<string, Rule> {
  const rules = new Map<string, Rule>();
  for (const [key, names] of Object.entries(choices)) {
    const values = names.map((userEnteredValue) => ({ userEnteredValue }));
    if (names.length > 0)
      rules.set(key, { condition: { type: 'ONE_OF_LIST', values }, strict: false, showCustomUi: true });
  }
  return rules.set('send', { condition: { type: 'BOOLEAN' }, strict: true, showCustomUi: true });
}

/** Equal for rules that look the same to people. */
function digest(rule: Rule | undefined): string {
  const { type, values } = rule?.condition ?? {};
  const names = (values ?? []).map(({ userEnteredValue }) => userEnteredValue);
  return hash('sha256', JSON.stringify([type, names]), 'base64url').slice(0, 16);
}
