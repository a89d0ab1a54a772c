import { fold } from '../../platform/text/fold.ts';

/** What a user can do with a booking, the usual action first. */
export const actionNames = [
  'take',
  'approve',
  'edit',
  'acknowledge',
  'reconcile',
  'booked',
  'booked_no_id',
  'send_again',
  'reopen',
  'drop',
] as const;
export type ActionName = (typeof actionNames)[number];

export interface AvailableAction {
  action: ActionName;
  /** What the action requires: the fields that an edit must correct, `appointment_id`, `confirm`. */
  needs: string[];
}

/** The clinic's names for a booking's dentist and treatment; null where it has no such number. */
export interface ChosenNames {
  doctor: string | null;
  treatment: string | null;
}

/** A dentist or a treatment of the clinic. */
export interface NamedNumber {
  id: number;
  name: string;
}

/** The choices for a booking; empty until the clinic's lists are known. */
export interface Choices {
  all: NamedNumber[];
  /** Suggestions for the submitted name, nearest first; empty if the clinic has that name. */
  near: NamedNumber[];
}

/** A choice for display: as submitted, followed by the clinic's name if different; without a name, the number. */
export function choiceWords(asked: string | null, name: string | null, id: number | null): string | null {
  if (asked === null && name === null) return id === null ? null : `number ${id}`;
  const same = asked === null || name === null || fold(asked) === fold(name);
  return same ? (name ?? asked) : `${asked} → ${name}`;
}
