/** Ends a sentence for senders, who have no list of the clinic's names to choose from. */
export const namesThere = (names: readonly string[], more: number): string =>
  `It has: ${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}.`;

/** For pages, where the names are in a list: each ends with its number in brackets. */
export const withoutNames = (text: string): string =>
  text.replaceAll(/ It has: .*?\(\d+\)(?: and \d+ more)?\.(?= |$)/g, '');
