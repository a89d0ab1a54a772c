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

    expect(repairWrites(edits, now)).toEqual([{ row: 1, column: 2, value: 'my note' }]);
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
      { row: 2, column: 2, value: 'my note' },
    ]);
  });
});
