import { describe, expect, it } from 'vitest';
import type { Content } from '../sheet/cells.ts';
import type { TabSnapshot } from '../sheet/snapshot.ts';
import { repairWrites } from './repair.ts';
import { noEdits } from './requests.ts';

const tab = (columns: Record<string, number>, cells: Content[][]): TabSnapshot => ({
  key: 'bookings',
  sheetId: 7,
  title: 'Bookings',
  frozenRowCount: 1,
  rowCount: cells.length,
  columnCount: Math.max(...cells.map((row) => row.length)),
  columns: new Map(Object.entries(columns)),
  cells,
  closed: [],
});
const places = { patient: 0, ref: 1, message: 2 };
const head = ['Patient', 'Ref', 'Message'];

describe('after a write during which rows or columns moved', () => {
  it('restores an overwritten row’s own words, not those of a similar one', () => {
    const before = tab(places, [head, ['Ann', 'A', 'held'], ['Ann', null, 'a copy'], ['Bo', null, null]]);
    const edits = { ...noEdits(before), writes: [{ row: 3, column: 2, value: 'checking' }] };
    const now = tab(places, [
      head,
      ['Ann', 'A', 'held'],
      [null, null, null],
      ['Ann', null, 'checking'],
      ['Bo', null, null],
    ]);

    expect(repairWrites(edits, now)).toEqual([{ row: 3, column: 2, value: 'a copy' }]);
  });

  it('clears a blank row that was overwritten, although another row has only that cell', () => {
    const before = tab({ id: 1, name: 0 }, [['Name', 'ID'], ['a heading'], [], ['Scaling', 4]]);
    const edits = { ...noEdits(before), writes: [{ row: 3, column: 0, value: 'Polishing' }] };
    const now = tab({ id: 1, name: 0 }, [
      ['Name', 'ID'],
      ['a heading'],
      [],
      ['Polishing', null],
      ['Scaling', 4],
    ]);

    expect(repairWrites(edits, now)).toEqual([{ row: 3, column: 0, value: null }]);
  });

  it('restores a note whose column moved because another was inserted', () => {
    const before = tab({ patient: 0, message: 2 }, [
      ['Patient', null, 'Message'],
      ['Ann', 'my note', null],
    ]);
    const edits = { ...noEdits(before), writes: [{ row: 1, column: 2, value: 'booked' }] };
    const now = tab({ patient: 0, message: 3 }, [
      ['Patient', null, null, 'Message'],
      ['Ann', null, 'booked', null],
    ]);

    expect(repairWrites(edits, now)).toEqual([
      { row: 1, column: 2, value: 'my note' },
      { row: 1, column: 3, value: 'booked' },
    ]);
  });

  it('leaves a row with its own Ref alone, whatever people pasted beside it', () => {
    const before = tab(places, [head, ['Ann', 'A', null], ['Bo', 'B', null]]);
    const edits = { ...noEdits(before), writes: [{ row: 1, column: 2, value: 'booked' }] };
    const now = tab(places, [head, ['Bo', 'A', 'booked'], ['Ann', 'B', null]]);

    expect(repairWrites(edits, now)).toEqual([]);
  });

  it('keeps the notes beside two rows with the same id apart', () => {
    const columns = { id: 0, fee: 2 };
    const before = tab(columns, [
      ['ID', null, 'Fee'],
      [4, null, 100],
      [4, 'my note', 100],
    ]);
    const writes = [1, 2].map((row) => ({ row, column: 2, value: 200 }));
    const now = tab({ id: 0, fee: 1 }, [
      ['ID', 'Fee', null],
      [4, 100, 200],
      [4, 100, 200],
    ]);

    expect(repairWrites({ ...noEdits(before), writes }, now)).toEqual([
      { row: 1, column: 2, value: null },
      { row: 1, column: 1, value: 200 },
      { row: 2, column: 2, value: 'my note' },
      { row: 2, column: 1, value: 200 },
    ]);
  });

  it('restores the clinic, the header and people’s input that a figure overwrote in one of our rows', () => {
    const before = tab({ id: 0, clinic: 1, fee: 2, on: 3, fresh: 4 }, [
      ['ID', 'Clinic', 'Fee', 'Day', 'As of'],
      [4, 'main', 100, null, null],
      ['date', 'main', null, 'last monday', null],
    ]);
    const writes = [
      { row: 0, column: 4, value: 'As of today' },
      { row: 1, column: 2, value: 120 },
      { row: 2, column: 2, value: 7 },
    ];
    const now = tab({ id: 0, fee: 1, clinic: 2, fresh: 3, on: 4 }, [
      ['ID', 'Fee', 'Clinic', 'As of', 'As of today'],
      [4, 100, 120, null, null],
      ['date', null, 7, null, 'last monday'],
    ]);

    expect(repairWrites({ ...noEdits(before), writes }, now)).toEqual([
      { row: 0, column: 4, value: 'Day' },
      { row: 0, column: 3, value: 'As of today' },
      { row: 1, column: 2, value: 'main' },
      { row: 1, column: 1, value: 120 },
      { row: 2, column: 2, value: 'main' },
      { row: 2, column: 1, value: 7 },
    ]);
  });

  it.each([
    ['stayed', [4, 5], 0, [{ row: 1, column: 0, value: 300 }]],
    ['were sorted as well', [5, 4], 1, []],
  ])('puts back the IDs that figures hit, where the rows %s', (_, order, first, completed) => {
    const fees = new Map([
      [4, [100, 'Scaling']],
      [5, [200, 'Whitening']],
    ]);
    const before = tab({ id: 0, fee: 1, name: 2 }, [
      ['ID', 'Fee', 'Treatment'],
      [4, ...(fees.get(4) ?? [])],
      [5, ...(fees.get(5) ?? [])],
    ]);
    const writes = [{ row: 1 + first, column: 1, value: 300 }];
    const now = tab({ fee: 0, id: 1, name: 2 }, [
      ['Fee', 'ID', 'Treatment'],
      ...order.map((id, at) => {
        const [fee = null, name = null] = fees.get(id) ?? [];
        return [fee, at === first ? 300 : id, name];
      }),
    ]);

    expect(repairWrites({ ...noEdits(before), writes }, now)).toEqual([
      { row: 1 + first, column: 1, value: order[first] },
      ...completed,
    ]);
  });

  it('restores the ID that we overwrote, if removed rows look the same', () => {
    const before = tab({ id: 0, fee: 1 }, [
      ['ID', 'Fee'],
      [4, 100],
      [5, 100],
      [6, 100],
    ]);
    const now = tab({ fee: 0, id: 1 }, [
      ['Fee', 'ID'],
      [100, 300],
    ]);

    const writes = [{ row: 1, column: 1, value: 300 }];
    const found = repairWrites({ ...noEdits(before), writes }, now);

    expect(found[0]).toEqual({ row: 1, column: 1, value: 4 });
  });

  it('completes a row of which a write reached only some cells', () => {
    const before = tab({ send: 0, ref: 1, message: 2 }, [
      ['Send', 'Ref', 'Message', null],
      [true, 'A', null, 'Ann'],
    ]);
    const writes = [false, null, 'A copy is not booked'].map((value, column) => ({ row: 1, column, value }));
    const now = tab({ send: 0, ref: 1, message: 3 }, [
      ['Send', 'Ref', null, 'Message', null],
      [false, null, 'A copy is not booked', null, 'Ann'],
    ]);

    expect(repairWrites({ ...noEdits(before), writes }, now)).toEqual([
      { row: 1, column: 2, value: null },
      { row: 1, column: 3, value: 'A copy is not booked' },
    ]);
  });

  it('brings a new row into its columns, although they moved twice and other rows came above it', () => {
    const before = tab({ id: 0, clinic: 1, fee: 2 }, [
      ['ID', 'Clinic', 'Fee'],
      [4, 'main', 100],
    ]);
    const rows = [
      new Map<number, Content>([
        [0, 5],
        [1, 'main'],
        [2, 200],
      ]),
    ];
    const now = tab({ fee: 0, clinic: 3, id: 4 }, [
      ['Fee', null, null, 'Clinic', 'ID'],
      [],
      [100, null, null, 'main', 4],
      [5, 'main', null, 200, null],
    ]);

    const found = repairWrites({ ...noEdits(before), insertion: { at: 2, rows } }, now);

    expect(found).toEqual([
      { row: 3, column: 0, value: 200 },
      { row: 3, column: 1, value: null },
      { row: 3, column: 3, value: 'main' },
      { row: 3, column: 4, value: 5 },
    ]);
  });
});

describe('what is ours without its mark or ID', () => {
  const fees = { id: 0, name: 1, fee: 2 };
  const headers = ['ID', 'Name', 'Fee'];
  const before = tab(fees, [headers, [1, 'Scaling', 100], [2, 'Filling', 200]]);
  const edits = {
    ...noEdits(before),
    writes: [{ row: 1, column: 2, value: 110 }],
    insertion: {
      at: 2,
      rows: [
        new Map<number, Content>([
          [0, 3],
          [1, 'Crown'],
          [2, 300],
        ]),
      ],
    },
  };
  const after: Content[][] = [headers, [1, 'Scaling', 110], [3, 'Crown', 300], [2, 'Filling', 200]];

  it('is not emptied when a column lost its mark after the write', () => {
    const now = tab({ id: 0, name: 1 }, after);

    expect(repairWrites(edits, now)).toEqual([]);
  });

  it('is not emptied when it came back without its mark in another place', () => {
    const now = tab(
      { id: 1, name: 2 },
      after.map(([id = null, name = null, fee = null]) => [fee, id, name]),
    );

    expect(repairWrites(edits, now)).toEqual([]);
  });

  it.each([1, 2, 3])('is not emptied when people emptied the ID of row %i after the write', (row) => {
    const now = tab(
      fees,
      after.map((cells, at) => (at === row ? [null, ...cells.slice(1)] : cells)),
    );

    expect(repairWrites(edits, now)).toEqual([]);
  });
});
