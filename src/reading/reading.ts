/**
 * What people and their tools send, read as a person would. A reader answers a value, *nothing* (left empty on
 * purpose), or *unclear* with the words for whoever must decide. It never guesses, never throws, and takes time linear
 * in the text. Every door uses the same readers: form tools, the served form, dropped files, rows of a sheet.
 */
export type Reading<T = string> =
  | { kind: 'value'; value: T }
  | { kind: 'nothing' }
  /** A clause that follows the field's name: `has damaged letters`. */
  | { kind: 'unclear'; why: string };

export const nothing: Reading<never> = { kind: 'nothing' };
export const readAs = <T>(value: T): Reading<T> => ({ kind: 'value', value });
export const unclear = (why: string): Reading<never> => ({ kind: 'unclear', why });
