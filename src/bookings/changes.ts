import type { Booking } from '../domain/booking.ts';

type Listener = (booking: Booking) => void;

/** Announces every booking that was stored or moved to the parts that subscribed, in that order. */
export interface Changes {
  onBookingChanged: Listener;
  /** The listener must not throw. Returns what ends the subscription. */
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
