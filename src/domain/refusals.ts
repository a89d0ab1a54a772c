/** Why something was refused, as the catalogue of the pages knows it; each text may name a booking. */
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
  'too_late',
  'same_slot',
  'nothing_changed',
  'gone',
  'link_unknown',
  'link_used',
  'link_old',
  'link_changed',
] as const;

/** Of a `Failure`: which refusal it is, and about which booking. */
export interface RefusalCode {
  name: (typeof refusals)[number];
  ref: string;
}
