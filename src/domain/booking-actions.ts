import { fold } from '../platform/fold.ts';

/** What a person can do with a booking, the usual way first. */
export const actionNames = [
  'take',
  'approve',
  'edit',
  'acknowledge',
  'reconcile',
  'booked',
  'booked_no_id',
  'send_again',
  'drop',
] as const;
export type ActionName = (typeof actionNames)[number];

export interface AvailableAction {
  action: ActionName;
  /** What has to be given with it: the fields that an edit must correct, `appointment_id`, `confirm`. */
  needs: string[];
}

/** What the clinic calls the dentist and the treatment that a booking names by number; null where it has no such number. */
export interface ChosenNames {
  doctor: string | null;
  treatment: string | null;
}

/** A choice for people: as it was asked for, and what the clinic calls it where that differs; its number where no name is known. */
export function choiceWords(asked: string | null, name: string | null, id: number | null): string | null {
  if (asked === null && name === null) return id === null ? null : `number ${id}`;
  const same = asked === null || name === null || fold(asked) === fold(name);
  return same ? (name ?? asked) : `${asked} → ${name}`;
}
