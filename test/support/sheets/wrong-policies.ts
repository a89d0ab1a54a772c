import type { SheetsClient } from '../../../connectors/google-sheets/api/client.ts';
import { createBookingsTab } from '../../../connectors/google-sheets/bookings/bookings-tab.ts';
import { createClaims } from '../../../connectors/google-sheets/bookings/claims.ts';
import { SECOND_LOOK_MS } from '../../../connectors/google-sheets/bookings/ownership.ts';
import { readRows } from '../../../connectors/google-sheets/bookings/read-row.ts';
import type { OpenSpreadsheet } from '../../../connectors/google-sheets/google-sheets.ts';
import type { TabEdits } from '../../../connectors/google-sheets/plan/requests.ts';
import type { RawRequest } from '../../../connectors/google-sheets/sheet/raw.ts';
import type { TabSnapshot } from '../../../connectors/google-sheets/sheet/snapshot.ts';

/** The connector with one safeguard taken out. The days of chaos must notice. */
export interface WrongPolicy {
  client?: (client: SheetsClient) => SheetsClient;
  parts?: (parts: OpenSpreadsheet) => OpenSpreadsheet;
}

/** Books a claim before its Ref is in the sheet. */
export const booksAtFirstSight: WrongPolicy = {
  parts(parts) {
    const { name, bookings, memory, clock, settings } = parts.context;
    const later = createBookingsTab({
      source: name,
      bookings,
      claims: createClaims(memory),
      clock: { ...clock, now: () => clock.now() + SECOND_LOOK_MS, monotonic: () => clock.monotonic() },
      random: parts.random,
      language: settings.language,
    });
    return {
      ...parts,
      bookingsTab: {
        async process(tab, view) {
          const processed = await parts.bookingsTab.process(tab, view);
          await later.process(applied(tab, processed.edits), view);
          return processed;
        },
      },
    };
  },
};

/** The tab as it will be, if nothing moves. */
function applied(tab: TabSnapshot, { writes }: TabEdits): TabSnapshot {
  const cells = tab.cells.map((row) => [...row]);
  for (const { row, column, value } of writes) {
    const there = cells[row];
    if (there === undefined) continue;
    while (there.length <= column) there.push(null);
    there[column] = value;
  }
  return { ...tab, cells };
}

/** Books the present content of the row with the Ref. */
export const trustsTheRefAlone: WrongPolicy = {
  parts(parts) {
    const claims = createClaims(parts.context.memory);
    return {
      ...parts,
      bookingsTab: {
        async process(tab, view) {
          const rows = readRows(
            tab,
            view.clinics.map(({ clinic }) => clinic),
          );
          const changed = (await claims.all()).flatMap((claim) => {
            const row = rows.find(({ ref }) => ref === claim.ref);
            const isOpen = claim.phase === 'claimed' || claim.phase === 'duplicate';
            return isOpen && row?.content !== undefined
              ? [{ ...claim, content: row.content, parts: row.parts }]
              : [];
          });
          await claims.save(changed);
          return await parts.bookingsTab.process(tab, view);
        },
      },
    };
  },
};

/** Restores nothing that it overwrote. */
export const neverRepairs: WrongPolicy = {
  parts: (parts) => ({
    ...parts,
    verification: {
      expect: async () => {},
      drop: async () => {},
      forget: async () => {},
      repair: async () => false,
      verify: async () => {},
      isUnverified: () => false,
    },
  }),
};

/** Writes the whole row as it was read, in place of the cells that differ. */
export const writesWholeRows: WrongPolicy = {
  client(client) {
    const read = new Map<number, Row[]>();
    return {
      ...client,
      async tabs(ids, options, signal) {
        const answer = await client.tabs(ids, options, signal);
        for (const { properties, data } of answer.sheets ?? [])
          read.set(properties?.sheetId ?? -1, data?.[0]?.rowData ?? []);
        return answer;
      },
      write: (requests, signal) =>
        client.write(
          requests.map((one) => widened(one, read)),
          signal,
        ),
    };
  },
};

type Row = NonNullable<NonNullable<RawRequest['updateCells']>['rows']>[number];

function widened(request: RawRequest, read: ReadonlyMap<number, readonly Row[]>): RawRequest {
  const { start, rows = [], fields } = request.updateCells ?? {};
  const known = read.get(start?.sheetId ?? -1);
  if (fields !== 'userEnteredValue' || known === undefined) return request;
  const { rowIndex = 0, columnIndex = 0 } = start ?? {};
  const from = columnIndex ?? 0;
  const whole = rows.map(({ values = [] }, at): Row => {
    const former = (known[(rowIndex ?? 0) + at]?.values ?? []).map(({ userEnteredValue }) =>
      userEnteredValue ? { userEnteredValue } : {},
    );
    while (former.length < from) former.push({});
    return { values: [...former.slice(0, from), ...values, ...former.slice(from + values.length)] };
  });
  return { updateCells: { start: { ...start, columnIndex: 0 }, rows: whole, fields } };
}
