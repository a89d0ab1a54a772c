import type { SheetsSandbox } from '../../../sandbox/google-sheets/google-sheets.ts';
import { type BookingLine, createEyes } from './eyes.ts';
import { createLeads, type Leads } from './leads.ts';

/** People at a spreadsheet: they sort, insert, move, copy, rename, correct, undo — and write notes that are theirs. */
export interface People extends Pick<Leads, 'askedAgain' | 'isMeant'> {
  /** One deed at random. `quick`: one that takes a single click. */
  act(quick?: boolean): void;
  /** Finishes a row that is half typed. */
  finish(): void;
  /** Nothing before this can be undone. */
  forget(): void;
  /** Rows that wait for a person. */
  held(): number;
  /** Ticked rows that are neither booked nor say why not. */
  silent(): number;
  /** Notes that are not exactly as often there as people left them. */
  lost(): number;
}

interface PeopleOptions {
  sandbox: SheetsSandbox;
  random: () => number;
  /** Whether there are Leads and a Price list beside the other tabs. */
  numbers?: boolean;
}

export function createPeople({ sandbox, random, numbers = false }: PeopleOptions): People {
  const { control } = sandbox;
  const { userActions } = control;
  const eyes = createEyes(sandbox);
  const { grid, column, value, lastFilled } = eyes;
  const expected = new Map<string, number>();
  let explained = new Map<string, BookingLine[]>();
  let counted = 0;
  const serial = () => {
    counted += 1;
    return counted;
  };
  const note = () => `note ${serial()}`;
  const leads = createLeads({ userActions, eyes, random, serial, note });
  const pick = <T>(list: readonly T[]): T | undefined => list[Math.floor(random() * list.length)];

  /** Texts that people wrote, wherever they stand. */
  function notes(): Map<string, number> {
    const found = new Map<string, number>();
    for (const { rows } of control.book.grids)
      for (const cells of rows)
        for (const cell of cells) {
          const text = cell?.value?.stringValue;
          if (text !== undefined && /^(note|Lead) \d/.test(text)) found.set(text, (found.get(text) ?? 0) + 1);
        }
    for (const { name, send } of eyes.bookingRows())
      if (send) found.set(`tick of ${name}`, (found.get(`tick of ${name}`) ?? 0) + 1);
    return found;
  }

  /** People account for what a deed adds or removes; everything else must stay. */
  function deed(work: () => void): void {
    settle();
    const before = notes();
    work();
    leads.remember();
    explained = answered();
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

  const saysWhy = ({ state, message }: BookingLine) => (message ?? state) !== null;

  /** Rows without a tick that say why, by name. */
  const answered = () =>
    Map.groupBy(
      eyes.bookingRows().filter((row) => !row.send && saysWhy(row)),
      ({ name }) => name,
    );

  /** Ticks that people set and that are gone, by name. */
  function ticksGone(): Map<string, number> {
    const now = notes();
    const gone = new Map<string, number>();
    for (const [text, count] of expected) {
      const name = /^tick of (.*)$/.exec(text)?.[1];
      const missing = count - (now.get(text) ?? 0);
      if (name !== undefined && missing > 0) gone.set(name, missing);
    }
    return gone;
  }

  /** People see a tick that was taken away with a reason, whatever becomes of the row afterwards. */
  function settle(): void {
    const rows = answered();
    for (const [name, gone] of ticksGone()) {
      const news = (rows.get(name)?.length ?? 0) - (explained.get(name)?.length ?? 0);
      const text = `tick of ${name}`;
      expected.set(text, (expected.get(text) ?? 0) - Math.max(0, Math.min(gone, news)));
    }
    explained = rows;
  }

  function rearrange(tab: 'treatments' | 'bookings' | 'overview' | 'leads' | 'price_list'): void {
    const there = grid(tab);
    if (!there) return;
    const { title } = there;
    const last = Math.max(1, lastFilled(tab));
    const row = 1 + Math.floor(random() * last);
    const other = 1 + Math.floor(random() * last);
    const deeds = [
      () => userActions.sort(title, Math.floor(random() * there.columns.length), random() < 0.5),
      () => userActions.insertRow(title, row),
      () => userActions.moveRow(title, row, other),
      () => userActions.copyRow(title, row, other),
      () => {
        if (there.columns.length < 22)
          userActions.insertColumn(title, Math.floor(random() * there.columns.length));
      },
      () => {
        userActions.moveColumn(
          title,
          Math.floor(random() * there.columns.length),
          Math.floor(random() * there.columns.length),
        );
      },
      () => {
        if (random() < 0.2) userActions.renameTab(title, `${tab} ${counted}`);
      },
      () => {
        const foreign = there.columns.flatMap((_, at) => (eyes.isForeign(tab, at) ? [at] : []));
        const at = pick(foreign);
        if (at !== undefined && row < there.rows.length) userActions.type(title, row, at, note());
      },
      () => {
        if (random() >= 0.5 || lost() !== 0) return;
        const before = eyes.bookingRows();
        userActions.undo();
        leads.undone(before);
      },
    ];
    pick(deeds)?.();
  }

  function ownRow(): void {
    const there = grid('treatments');
    if (!there) return;
    const at = column('treatments', random() < 0.5 ? 'fee' : 'name');
    const row = 1 + Math.floor(random() * Math.max(1, lastFilled('treatments')));
    userActions.insertRow(there.title, row);
    // A line of their own, in our columns: a heading, a sum.
    userActions.type(there.title, row, at, note());
    userActions.type(there.title, row, column('treatments', 'description'), note());
  }

  function drift(): void {
    const there = grid('treatments');
    const row = 1 + Math.floor(random() * Math.max(1, lastFilled('treatments')));
    const id = column('treatments', 'id');
    if (!there || value('treatments', row, id)?.numberValue === undefined) return;
    userActions.type(
      there.title,
      row,
      column('treatments', random() < 0.5 ? 'fee' : 'name'),
      'changed by hand',
    );
  }

  /** A day into the cell for it, a word that is none, or nothing. */
  function askForDay(): void {
    const there = grid('price_list');
    const [id, on] = [column('price_list', 'id'), column('price_list', 'on')];
    const row = there?.rows.findIndex((_, at) => value('price_list', at, id)?.stringValue === 'date') ?? -1;
    if (there === undefined || id < 0 || on < 0 || row < 0) return;
    userActions.type(
      there.title,
      row,
      on,
      pick(['2026-03-01', 46_070, '2026-02-20', 'next week', null]) ?? null,
    );
  }

  function lookAtNumbers(): void {
    if (random() < 0.3) askForDay();
    else rearrange(random() < 0.5 ? 'leads' : 'price_list');
  }

  return {
    act: (quick = false) =>
      deed(() => {
        if (numbers && random() < 0.4) {
          lookAtNumbers();
          return;
        }
        const what = random() * (quick ? 0.5 : 1);
        if (quick && random() < 0.2) leads.change();
        else if (what < 0.08) rearrange('overview');
        else if (what < 0.3) rearrange('treatments');
        else if (what < 0.5) rearrange('bookings');
        else if (what < 0.6) ownRow();
        else if (what < 0.68) drift();
        else if (what < 0.85) leads.come();
        else leads.change();
      }),
    finish: () => deed(leads.finish),
    forget() {
      userActions.forget();
      leads.forget();
    },
    askedAgain: leads.askedAgain,
    isMeant: leads.isMeant,
    held: () => eyes.bookingRows().filter(({ state }) => state === 'held').length,
    silent() {
      settle();
      const rows = eyes.bookingRows();
      let silent = rows.filter(({ send, complete, state }) => send && complete && state === null).length;
      for (const [name, gone] of ticksGone()) {
        const mute = rows.filter((row) => row.name === name && !row.send && !saysWhy(row)).length;
        silent += Math.min(gone, mute);
      }
      return silent;
    },
    lost,
  };
}
