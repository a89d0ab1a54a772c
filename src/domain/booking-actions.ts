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
  /** Required with it: the fields that an edit must correct, `appointment_id`, `confirm`. */
  needs: string[];
}

/** The clinic's names for the dentist and the treatment of a booking; null where it has no such number. */
export interface ChosenNames {
  doctor: string | null;
  treatment: string | null;
}

/** A dentist or a treatment of the clinic. */
export interface NamedNumber {
  id: number;
  name: string;
}

/** What people choose from for a booking; empty while the clinic's lists are not known. */
export interface Choices {
  all: NamedNumber[];
  /** Whom the name that was sent may mean, the nearest first; empty when it is one of the clinic's. */
  near: NamedNumber[];
}

/** A choice as shown to people: as submitted, with the clinic's name where that differs; the number without a name. */
export function choiceWords(asked: string | null, name: string | null, id: number | null): string | null {
  if (asked === null && name === null) return id === null ? null : `number ${id}`;
  const same = asked === null || name === null || fold(asked) === fold(name);
  return same ? (name ?? asked) : `${asked} → ${name}`;
}
