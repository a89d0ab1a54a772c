import type { Booking } from '../domain/booking.ts';
import type { OneTap } from '../domain/one-tap.ts';
import type { Done } from './admin.ts';

/** A link of a message that still works, and what it is about. */
export interface OpenOneTap extends OneTap {
  booking: Booking;
  /** What the booking waits for, without patient data. */
  sentence: string;
  /** The message with the link named the patient, too. */
  includePatient: boolean;
}

/** Links in messages that act without signing in. Each throws `Failure` refused for a link that does not work any more. */
export interface OneTaps {
  /** What it would do. Changes nothing, however often it is called. */
  look(token: string): Promise<OpenOneTap>;
  /** Does it, once. `appointmentId`: the number of what `booked` found, where a person knows it. */
  act(opened: OpenOneTap, token: string, appointmentId: number | undefined): Promise<Done>;
}
