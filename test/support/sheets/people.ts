import type { SheetsSandbox } from '../../../src/sheets-sandbox/sheets-sandbox.ts';

interface BookingLine {
  name: string;
  complete: boolean;
  send: boolean;
  state: string | null;
  message: string | null;
}

/** People at a spreadsheet: they sort, insert, move, copy, rename, correct, undo — and write notes that are theirs. */
export interface People {
  /** One deed at random. `quick`: one that takes a single click. */
  act(quick?: boolean): void;
  /** Nobody can undo what was before this. */
  forget(): void;
  /** Phones with which somebody asked for one more: ticked again after the sheet had said no, or another name. */
  readonly askedAgain: ReadonlyMap<string, number>;
  bookingRows(): BookingLine[];
  /** Rows somebody ticked that are neither booked nor say why not. */
  silent(): number;
  /** Notes that are not exactly as often there as people left them. */
  lost(): number;
}

const DATE = 46_100;

export function createPeople({ sandbox, random }: { sandbox: SheetsSandbox; random: () => number }): People {
  const { control } = sandbox;
  const { hands } = control;
  const expected = new Map<string, number>();
  const askedAgain = new Map<string, number>();
  let serial = 0;

  const pick = <T>(list: readonly T[]): T | undefined => list[Math.floor(random() * list.length)];
  const grid = (tab: string) =>
    control.book.grids.find(({ metadata }) => metadata.some((one) => one.metadataValue === `tab:${tab}`));
  const column = (tab: string, key: string): number =>
    grid(tab)?.columns.findIndex(({ metadata }) =>
      metadata.some((one) => one.metadataValue === `tab:${tab}/col:${key}`),
    ) ?? -1;
  const value = (tab: string, row: number, at: number) => grid(tab)?.rows[row]?.[at]?.value;
  const isForeign = (tab: string, at: number) => grid(tab)?.columns[at]?.metadata.length === 0;

  /** Texts that people wrote, wherever they stand. */
  function notes(): Map<string, number> {
    const found = new Map<string, number>();
    for (const { rows } of control.book.grids)
      for (const cells of rows)
        for (const cell of cells) {
          const text = cell?.value?.stringValue;
          if (text !== undefined && /^(note|Lead) \d/.test(text)) found.set(text, (found.get(text) ?? 0) + 1);
        }
    for (const { name, send } of bookingRows())
      if (send) found.set(`tick of ${name}`, (found.get(`tick of ${name}`) ?? 0) + 1);
    return found;
  }

  function bookingRows(): BookingLine[] {
    const at = (row: number, key: string) => value('bookings', row, column('bookings', key));
    return (grid('bookings')?.rows ?? []).flatMap((_, row) => {
      const name = at(row, 'patient')?.stringValue ?? '';
      if (!/^Lead \d/.test(name)) return [];
      return [
        {
          name,
          complete: ['phone', 'date', 'time'].every((key) => at(row, key) !== undefined),
          send: at(row, 'send')?.boolValue === true,
          state: at(row, 'state')?.stringValue ?? null,
          message: at(row, 'message')?.stringValue ?? null,
        },
      ];
    });
  }

  /** Whatever a deed adds or takes away, people answer for; everything else must stay. */
  function deed(work: () => void): void {
    const before = notes();
    work();
    const after = notes();
    for (const text of new Set([...before.keys(), ...after.keys()])) {
      const change = (after.get(text) ?? 0) - (before.get(text) ?? 0);
      if (change !== 0) expected.set(text, (expected.get(text) ?? 0) + change);
    }
  }

  function lost(): number {
    const now = notes();
    let count = 0;
    for (const text of new Set([...expected.keys(), ...now.keys()]))
      if (!text.startsWith('tick')) count += Math.abs((now.get(text) ?? 0) - (expected.get(text) ?? 0));
    return count;
  }

  const allow = (phone: string) => void askedAgain.set(phone, (askedAgain.get(phone) ?? 0) + 1);
  const rowsOf = (tab: string) => grid(tab)?.rows.length ?? 0;
  const note = () => {
    serial += 1;
    return `note ${serial}`;
  };

  function lastFilled(tab: string): number {
    const rows = grid(tab)?.rows ?? [];
    return rows.findLastIndex((cells) => cells.some((cell) => cell?.value !== undefined));
  }

  function tidyHands(tab: 'treatments' | 'bookings'): void {
    const there = grid(tab);
    if (!there) return;
    const { title } = there;
    const last = Math.max(1, lastFilled(tab));
    const row = 1 + Math.floor(random() * last);
    const other = 1 + Math.floor(random() * last);
    const deeds = [
      () => hands.sort(title, Math.floor(random() * there.columns.length), random() < 0.5),
      () => hands.insertRow(title, row),
      () => hands.moveRow(title, row, other),
      () => hands.copyRow(title, row, other),
      () => {
        if (there.columns.length < 22) hands.insertColumn(title, Math.floor(random() * there.columns.length));
      },
      () => {
        hands.moveColumn(
          title,
          Math.floor(random() * there.columns.length),
          Math.floor(random() * there.columns.length),
        );
      },
      () => {
        if (random() < 0.2) hands.renameTab(title, `${tab} ${serial}`);
      },
      () => {
        const foreign = there.columns.flatMap((_, at) => (isForeign(tab, at) ? [at] : []));
        const at = pick(foreign);
        if (at !== undefined && row < rowsOf(tab)) hands.type(title, row, at, note());
      },
      () => {
        if (random() < 0.5 && lost() === 0) hands.undo();
      },
    ];
    pick(deeds)?.();
  }

  function ownRow(): void {
    const there = grid('treatments');
    if (!there) return;
    const at = column('treatments', random() < 0.5 ? 'fee' : 'name');
    const row = 1 + Math.floor(random() * Math.max(1, lastFilled('treatments')));
    hands.insertRow(there.title, row);
    // A line of their own, in our columns: a heading, a sum.
    hands.type(there.title, row, at, note());
    hands.type(there.title, row, column('treatments', 'description'), note());
  }

  function drift(): void {
    const there = grid('treatments');
    const row = 1 + Math.floor(random() * Math.max(1, lastFilled('treatments')));
    const id = column('treatments', 'id');
    if (!there || value('treatments', row, id)?.numberValue === undefined) return;
    hands.type(there.title, row, column('treatments', random() < 0.5 ? 'fee' : 'name'), 'changed by hand');
  }

  function newLead(): void {
    const there = grid('bookings');
    if (!there) return;
    serial += 1;
    const name = `Lead ${serial}`;
    const row = Math.max(1, lastFilled('bookings') + 1);
    if (row >= there.rowCount) return;
    const cells: [string, string | number | boolean][] = [
      ['patient', name],
      ['phone', `0171${String(serial).padStart(7, '0')}`],
      ['date', DATE + (serial % 20)],
      ['time', 0.4375],
      ['send', true],
    ];
    for (const [key, content] of cells) hands.type(there.title, row, column('bookings', key), content);
  }

  function changeLead(): void {
    const there = grid('bookings');
    if (!there) return;
    const patient = column('bookings', 'patient');
    const row = pick(
      there.rows.flatMap((cells, at) =>
        /^Lead \d/.test(cells[patient]?.value?.stringValue ?? '') ? [at] : [],
      ),
    );
    if (row === undefined) return;
    const send = column('bookings', 'send');
    const ticked = value('bookings', row, send)?.boolValue === true;
    const what = random();
    if (what < 0.4) {
      // A slip in the name is put right; whoever was meant is somebody else for the sheet now.
      serial += 1;
      hands.type(there.title, row, patient, `Lead ${serial}`);
      // Another row with this phone may be booked for somebody else of the family.
      const phone = value('bookings', row, column('bookings', 'phone'))?.stringValue ?? '';
      const alike = there.rows.filter(
        (cells) => cells[column('bookings', 'phone')]?.value?.stringValue === phone,
      );
      if (alike.length > 1) allow(phone);
    } else if (what < 0.7) {
      hands.type(there.title, row, send, !ticked);
      const answered =
        value('bookings', row, column('bookings', 'state')) ??
        value('bookings', row, column('bookings', 'message'));
      if (!ticked && answered !== undefined)
        allow(value('bookings', row, column('bookings', 'phone'))?.stringValue ?? '');
    } else hands.type(there.title, row, column('bookings', 'note'), note());
  }

  return {
    act: (quick = false) =>
      deed(() => {
        const what = random() * (quick ? 0.5 : 1);
        if (what < 0.3) tidyHands('treatments');
        else if (what < 0.5) tidyHands('bookings');
        else if (what < 0.6) ownRow();
        else if (what < 0.68) drift();
        else if (what < 0.88) newLead();
        else changeLead();
      }),
    forget() {
      hands.forget();
    },
    askedAgain,
    bookingRows,
    silent() {
      const rows = bookingRows();
      const now = notes();
      let silent = rows.filter(({ send, complete, state }) => send && complete && state === null).length;
      for (const [text, count] of expected) {
        const name = /^tick of (.*)$/.exec(text)?.[1];
        if (name === undefined) continue;
        const gone = count - (now.get(text) ?? 0);
        const mute = rows.filter(
          (row) => row.name === name && !row.send && (row.message ?? row.state) === null,
        ).length;
        silent += Math.max(0, Math.min(gone, mute));
      }
      return silent;
    },
    lost,
  };
}
