/** Reasons for refusals that the page catalogue translates; each text may name a booking. */
export const refusals = [
  'changed',
  'moved_on',
  'cannot_be_sent',
  'lists_unknown',
  'still_working',
  'number_taken',
  'number_unread',
  'number_unknown',
  'number_differs',
  'number_beside',
  'clinic_unknown',
  'not_taken',
  'too_late',
  'same_slot',
  'nothing_changed',
  'gone',
  'day_unread',
  'link_unknown',
  'link_used',
  'link_old',
  'link_changed',
] as const;

/** Part of a `Failure`: the refusal, and the booking it is about. */
export interface RefusalCode {
  name: (typeof refusals)[number];
  ref: string;
}
