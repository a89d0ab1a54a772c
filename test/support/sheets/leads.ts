import type { UserActions } from '../../../sandbox/google-sheets/user-actions.ts';
import type { BookingLine, Eyes } from './eyes.ts';

/** What people do in Bookings: leads come in, are corrected, pasted over each other, exchanged, written over. */
export interface Leads {
  come(): void;
  change(): void;
  /** Finishes a row over which another patient is being typed. */
  finish(): void;
  /** Phones for which people asked for another booking: a second tick, or another name. */
  readonly askedAgain: ReadonlyMap<string, number>;
  /** Whether people meant this patient, rather than half of one and half of another. */
  isMeant(name: string, phone: string): boolean;
  /** The database is lost: the present Refs are unknown from now on. */
  forget(): void;
  /** A deed was taken back, a corrected name perhaps: to the sheet that is another patient once more. */
  undone(before: readonly BookingLine[]): void;
  /** To be called after every deed. */
  remember(): void;
}

interface LeadsOptions {
  userActions: UserActions;
  eyes: Eyes;
  random: () => number;
  serial: () => number;
  note: () => string;
}

const DATE = 46_100;
const filledIn = ['patient', 'phone', 'date', 'time', 'note'];

export function createLeads({ userActions, eyes, random, serial, note }: LeadsOptions): Leads {
  const askedAgain = new Map<string, number>();
  const meant = new Set<string>();
  /** Names that were put right in a row that may be booked already; in a row of its own such a one is one more. */
  const corrected = new Set<string>();
  /** Refs of a daemon whose database is lost. */
  let former = new Set<string | null>();
  /** Name and number to come, of the patient who is being written over another. */
  let half: { name: string; phone: string } | undefined;

  const pick = <T>(list: readonly T[]): T | undefined => list[Math.floor(random() * list.length)];
  const allow = (phone: string) => void askedAgain.set(phone, (askedAgain.get(phone) ?? 0) + 1);
  // In steps that no fill handle takes.
  const phoneOf = (number: number) => `0171${String(number * 10).padStart(7, '0')}`;
  const column = (key: string) => eyes.column('bookings', key);
  const typed = (row: number, key: string) => {
    const { stringValue, numberValue, boolValue } = eyes.value('bookings', row, column(key)) ?? {};
    return stringValue ?? numberValue ?? boolValue ?? null;
  };
  function type(row: number, key: string, content: string | number | boolean | null): void {
    const grid = eyes.grid('bookings');
    if (grid) userActions.type(grid.title, row, column(key), content);
  }

  /** Who writes over a row the daemon does not know takes away the only trace of it. */
  function overwrite({ ref, phone }: BookingLine): void {
    if (former.has(ref)) allow(phone);
  }

  /** Cells of one row over those of another, as far as they are for people; both ticks stay. */
  function paste(from: BookingLine, to: BookingLine): void {
    if (corrected.has(from.name)) allow(from.phone);
    overwrite(to);
    for (const key of filledIn) if (key !== 'note') type(to.row, key, typed(from.row, key));
  }

  function exchange(one: BookingLine, other: BookingLine): void {
    // The daemon cannot know that an unknown row was about another patient.
    for (const { name, phone, ref } of [one, other]) if (corrected.has(name) || former.has(ref)) allow(phone);
    for (const key of filledIn) {
      const kept = typed(one.row, key);
      type(one.row, key, typed(other.row, key));
      type(other.row, key, kept);
    }
  }

  function rename(lead: BookingLine): void {
    const { row, phone } = lead;
    overwrite(lead);
    // A corrected name is another patient to the sheet.
    const name = `Lead ${serial()}`;
    corrected.add(name);
    type(row, 'patient', name);
    // Another row with this phone may be booked for a relative.
    if (eyes.bookingRows().filter((one) => one.phone === phone).length > 1) allow(phone);
  }

  function toggle({ row, send, phone, state, message }: BookingLine): void {
    type(row, 'send', !send);
    if (!send && (state ?? message) !== null) allow(phone);
  }

  return {
    askedAgain,
    come() {
      const number = serial();
      const row = Math.max(1, eyes.lastFilled('bookings') + 1);
      if (row >= (eyes.grid('bookings')?.rowCount ?? 0)) return;
      type(row, 'patient', `Lead ${number}`);
      type(row, 'phone', phoneOf(number));
      type(row, 'date', DATE + (number % 20));
      type(row, 'time', 0.4375);
      type(row, 'send', true);
    },
    change() {
      const rows = eyes.bookingRows();
      // Who has just ticked a row is still looking at it.
      const fresh = rows.filter(({ send, state }) => send && (state === null || state === 'checking'));
      const lead = (random() < 0.6 ? pick(fresh) : undefined) ?? pick(rows);
      const other = pick(rows);
      if (!lead || !other) return;
      const what = random();
      if (what < 0.2) rename(lead);
      else if (what < 0.38) toggle(lead);
      else if (what < 0.44) type(lead.row, 'note', note());
      else if (what < 0.68) paste(other, lead);
      else if (what < 0.8) exchange(lead, other);
      else if (half === undefined) {
        const number = serial();
        half = { name: `Lead ${number}`, phone: phoneOf(number) };
        overwrite(lead);
        type(lead.row, 'patient', half.name);
      }
    },
    finish() {
      for (const { row, name } of eyes.bookingRows()) if (name === half?.name) type(row, 'phone', half.phone);
      half = undefined;
    },
    forget() {
      former = new Set(eyes.bookingRows().flatMap(({ ref }) => ref ?? []));
    },
    undone(before) {
      for (const { name, phone } of eyes.bookingRows()) {
        const known = before.filter((one) => one.phone === phone);
        if (known.length > 0 && known.every((one) => one.name !== name)) allow(phone);
      }
    },
    isMeant: (name, phone) => meant.has(`${name} ${phone}`),
    remember() {
      for (const { name, phone } of eyes.bookingRows())
        if (name !== half?.name) meant.add(`${name} ${phone}`);
    },
  };
}
