/** Ends a sentence for senders, who have no list of the clinic's names to choose from. */
export const namesThere = (names: readonly string[], more: number): string =>
  `It has: ${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}.`;

/** For pages, where the names are in a list: each ends with its number in brackets. */
export function withoutNames(text: string): string {
  const last = /\(\d+\)(?: and \d+ more)?\.(?= |$)/g;
  let kept = '';
  let from = 0;
  for (let at = text.indexOf(BEFORE_NAMES); at >= 0; at = text.indexOf(BEFORE_NAMES, from)) {
    last.lastIndex = at;
    if (!last.test(text)) break;
    kept += text.slice(from, at);
    from = last.lastIndex;
  }
  return kept + text.slice(from);
}

const BEFORE_NAMES = ' It has: ';
