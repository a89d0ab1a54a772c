import { describe, expect, it } from 'vitest';
import { type Actor, type BookingState, bookingStates, mayMove } from './booking.ts';

const movesOf = (actor: Actor, from: BookingState) =>
  bookingStates.filter((to) => mayMove(from, to, actor)).sort();

describe('the legal moves of a booking', () => {
  it('let the daemon send only what is queued, and a user send nothing past the queue', () => {
    const senders = bookingStates.filter((from) => mayMove(from, 'sending', 'daemon'));

    expect(senders).toEqual(['queued']);
    expect(bookingStates.filter((from) => mayMove(from, 'sending', 'person'))).toEqual([]);
  });

  it('let only a user requeue what may exist at the clinic', () => {
    expect(movesOf('daemon', 'unknown')).toEqual(['booked']);
    expect(movesOf('daemon', 'booked_no_id')).toEqual(['booked']);
    expect(movesOf('person', 'sending')).toEqual([]);
    expect(movesOf('person', 'unknown')).toEqual(['booked', 'booked_no_id', 'dropped', 'queued']);
  });

  it('let the daemon end a held booking only by its time', () => {
    expect(movesOf('daemon', 'held')).toEqual(['expired', 'held']);
  });

  it.each([
    ['rejected', []],
    ['expired', ['held']],
  ] as const)('leave what is %s to a person, whom the daemon may ask again', (state, byDaemon) => {
    expect(movesOf('daemon', state)).toEqual(byDaemon);
    expect(movesOf('person', state)).toEqual(['dropped', 'held', 'queued']);
  });

  it('end with booked, whose number a user may correct, and let a user undo a drop', () => {
    expect(movesOf('daemon', 'booked')).toEqual([]);
    expect(movesOf('person', 'booked')).toEqual(['booked', 'booked_no_id']);
    expect([...movesOf('daemon', 'dropped'), ...movesOf('person', 'dropped')]).toEqual(['held']);
  });
});
