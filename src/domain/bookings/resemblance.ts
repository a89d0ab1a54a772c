import { toMs } from '../../platform/clock.ts';
import { DAY, MINUTE } from '../../platform/duration.ts';
import { fold } from '../../platform/text/fold.ts';
import { isSamePhone } from '../phone.ts';
import type { Booking } from './booking.ts';

/**
 * How two leads of one clinic may be one wish: `slot`: same phone, date and time. `other_phone`: same name, date and
 * time within a day, as when somebody corrects a mistyped number. `other_slot`: same name and phone within some
 * minutes, for another time.
 */
export const resemblances = ['slot', 'other_phone', 'other_slot'] as const;
export type Resemblance = (typeof resemblances)[number];

export type LeadIdentity = Pick<
  Booking,
  'clinic' | 'patient_name' | 'phone_e164' | 'appointment_date' | 'appointment_time' | 'received_at'
>;

export const SAME_NAME_MS = DAY;
export const CORRECTION_MS = 15 * MINUTE;

export const sameName = (one: Pick<Booking, 'patient_name'>, other: Pick<Booking, 'patient_name'>): boolean =>
  one.patient_name !== null && fold(one.patient_name) === fold(other.patient_name ?? '');

/** `isAtSlot`: asks for the same date and time, or its visit was moved there. */
function resemblance(one: LeadIdentity, other: LeadIdentity, isAtSlot: boolean): Resemblance | undefined {
  if (one.phone_e164 === null || other.phone_e164 === null) return undefined;
  const isPhone = isSamePhone(one.phone_e164, other.phone_e164);
  if (isPhone && isAtSlot) return 'slot';
  if (isPhone === isAtSlot || !sameName(one, other)) return undefined;
  const apartMs = Math.abs(toMs(one.received_at) - toMs(other.received_at));
  if (isAtSlot) return apartMs <= SAME_NAME_MS ? 'other_phone' : undefined;
  return hasSlot(one) && hasSlot(other) && apartMs <= CORRECTION_MS ? 'other_slot' : undefined;
}

const hasSlot = ({ appointment_date, appointment_time }: LeadIdentity): boolean =>
  appointment_date !== null && appointment_time !== null;

export const resemblanceSentence = (refs: readonly string[], resembles: Resemblance): string =>
  `${refs.join(' and ')} ${refs.length === 1 ? 'has' : 'have'} ${words[resembles]}.`;

const words: Record<Resemblance, string> = {
  slot: 'the same phone number, date and time',
  other_phone: 'the same name, date and time, and another phone number',
  other_slot: 'the same name and phone number, and another date or time',
};

export interface Resembling {
  booking: Booking;
  resembles: Resemblance;
}

/** Those of `bookings` that are or may become an appointment and resemble the lead, earliest first. */
export const resembling = (
  lead: LeadIdentity,
  bookings: readonly Booking[],
  isAtSlot: (booking: Booking) => boolean,
): Resembling[] =>
  bookings
    .flatMap((booking) => {
      const resembles = mayBeThere(booking) ? resemblance(lead, booking, isAtSlot(booking)) : undefined;
      return resembles === undefined ? [] : [{ booking, resembles }];
    })
    .sort(({ booking: a }, { booking: b }) =>
      a.received_at < b.received_at ? -1 : a.received_at > b.received_at ? 1 : 0,
    );

/** Dropping a booking of unknown outcome, or one from an older copy, does not state that it is absent. */
export function mayBeThere({ state, evidence }: Pick<Booking, 'state' | 'evidence'>): boolean {
  if (state === 'rejected' || state === 'expired') return false;
  if (state !== 'dropped') return true;
  const { sent_at, restored, absent } = evidence ?? {};
  return (sent_at !== undefined || restored === true) && absent !== true;
}
