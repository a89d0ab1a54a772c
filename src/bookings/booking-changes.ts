import type { Booking } from '../domain/bookings/booking.ts';

type Listener = (booking: Booking) => void;

/** Announces every stored or moved booking to its subscribers, in subscription order. */
export interface Changes {
  onBookingChanged: Listener;
  /** The listener must not throw. Returns a function that unsubscribes it. */
  subscribe(listener: Listener): () => void;
}

export function createChanges(): Changes {
  const listeners = new Set<Listener>();
  return {
    onBookingChanged(booking) {
      for (const listener of listeners) listener(booking);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
