import type { NamedNumber } from '../../domain/bookings/booking-actions.ts';
import { editDistance } from '../../platform/text/closest.ts';
import { foldName } from '../../platform/text/fold.ts';
import type { Candidate } from './mapping.ts';

const MOST = 3;
/** Shorter words (`Dr`, `de`) are ignored; words from the second length on may contain a typing error. */
const SHORTEST_WORD = 3;
const SHORTEST_MISSPELT = 4;

/**
 * Candidates that an unknown name may mean, nearest first: few letters differ, or they share a word that is not in most
 * names. Only suggestions: a user chooses.
 */
export function nearNames(name: string, candidates: readonly Candidate[]): NamedNumber[] {
  const present = candidates.filter(({ removed }) => !removed);
  const asked = foldName(name);
  const common = commonWords(present);
  const words = wordsOf(asked).filter((word) => !common.has(word));
  return present
    .map(({ id, name: known }) => {
      const own = wordsOf(foldName(known));
      const shared = words.filter((word) => own.some((other) => isSameWord(word, other))).length;
      return { id, name: known, shared, distance: editDistance(asked, foldName(known)) };
    })
    .filter(({ shared, distance }) => shared > 0 || distance <= Math.max(2, Math.floor(asked.length / 3)))
    .sort((one, other) => other.shared - one.shared || one.distance - other.distance)
    .slice(0, MOST)
    .map(({ id, name: known }) => ({ id, name: known }));
}

const wordsOf = (folded: string): string[] =>
  folded.split(/[^\p{L}\p{M}\p{N}]+/u).filter((word) => word.length >= SHORTEST_WORD);

const isSameWord = (one: string, other: string): boolean =>
  one === other || (Math.min(one.length, other.length) >= SHORTEST_MISSPELT && editDistance(one, other) <= 1);

/** Words in more than half of the names: `whitening` tells nothing if every treatment is one. */
function commonWords(candidates: readonly Candidate[]): Set<string> {
  const counts = new Map<string, number>();
  for (const { name } of candidates)
    for (const word of new Set(wordsOf(foldName(name)))) counts.set(word, (counts.get(word) ?? 0) + 1);
  return new Set([...counts].flatMap(([word, count]) => (count > candidates.length / 2 ? [word] : [])));
}
