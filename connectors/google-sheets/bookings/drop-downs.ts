import { createHash } from 'node:crypto';
import type { MirrorView } from '../../../src/connector.ts';
import type { RawRequest } from '../api/client.ts';
import type { TabSnapshot } from '../sheet/snapshot.ts';

/** Google takes no more. */
const MOST_CHOICES = 500;

/** What people can choose from in the Bookings tab, by column. */
export type Choices = Readonly<Record<string, readonly string[]>>;

export async function choicesOf(view: MirrorView): Promise<Choices> {
  const names = async (table: 'dentists' | 'treatments', field: string) => {
    const found = new Set<string>();
    for (const { clinic } of view.clinics)
      for (const row of await view.rows(table, clinic)) {
        const name = row[field];
        if (row.removed_at === null && typeof name === 'string' && name !== '') found.add(name);
      }
    return [...found].sort((a, b) => a.localeCompare(b)).slice(0, MOST_CHOICES);
  };
  const clinics = view.clinics.map(({ clinic }) => clinic);
  return {
    dentist: await names('dentists', 'doctor_name'),
    treatment: await names('treatments', 'treatment_name'),
    ...(clinics.length > 1 && { for_clinic: clinics }),
  };
}

/** What the drop-downs should be like: when this is what was set last, nothing is set again. */
export const choicesMark = (choices: Choices, tab: Pick<TabSnapshot, 'sheetId' | 'rowCount'>): string =>
  createHash('sha256')
    .update(JSON.stringify([choices, tab.sheetId, tab.rowCount]))
    .digest('base64url')
    .slice(0, 16);

interface Place {
  sheetId: number;
  rowCount: number;
  columns: ReadonlyMap<string, number>;
}

/** Drop-downs for every row. Other names may be typed all the same: what cannot be matched is held, not lost. */
export function dropDownRequests({ sheetId, rowCount, columns }: Place, choices: Choices): RawRequest[] {
  const requests: RawRequest[] = [];
  const rule = (key: string, condition: object, more: object) => {
    const column = columns.get(key);
    if (column === undefined) return;
    requests.push({
      setDataValidation: {
        range: {
          sheetId,
          startRowIndex: 1,
          endRowIndex: rowCount,
          startColumnIndex: column,
          endColumnIndex: column + 1,
        },
        rule: { condition, ...more },
      },
    });
  };
  for (const [key, names] of Object.entries(choices))
    if (names.length > 0)
      rule(
        key,
        { type: 'ONE_OF_LIST', values: names.map((userEnteredValue) => ({ userEnteredValue })) },
        { strict: false, showCustomUi: true },
      );
  rule('send', { type: 'BOOLEAN' }, { strict: true, showCustomUi: true });
  return requests;
}
