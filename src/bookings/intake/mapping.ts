import { namesThere } from '../../domain/clinics/clinic-names.ts';
import { fold, foldName } from '../../platform/text/fold.ts';
import { choiceKey } from '../../reading/choice.ts';
import type { Fault } from './read-fields.ts';

/** A dentist or treatment as the mirror has it. */
export interface Candidate {
  id: number;
  name: string;
  removed: boolean;
  /** A guard asks about it: the clinic's latest answer has this name, the mirror another. */
  renamed?: boolean;
}

export type Mapped =
  | { kind: 'none' }
  | { kind: 'id'; id: number }
  /** The mirror is still empty: retry later. */
  | { kind: 'wait' }
  | { kind: 'fault'; fault: Fault };

const NAMED_AT_MOST = 10;
const words = { doctor: 'dentist', treatment: 'treatment' } as const;

/**
 * The dentist or treatment meant. A name must match exactly one, ignoring Unicode form, case, spaces, apostrophes and
 * dashes, and then accents: taking the nearest match would book the wrong dentist. An id that the mirror does not have
 * is held, not tried.
 */
export function mapChoice(
  kind: 'doctor' | 'treatment',
  { id, name }: { id: number | null; name: string | null },
  candidates: readonly Candidate[] | undefined,
): Mapped {
  if (id === null && name === null) return { kind: 'none' };
  if (candidates === undefined) return id === null || name !== null ? { kind: 'wait' } : { kind: 'id', id };
  const found =
    id === null ? byName(words[kind], name ?? '', candidates) : byId(words[kind], id, name, candidates);
  if (typeof found === 'number') return { kind: 'id', id: found };
  const field = name === null ? (`${kind}_id` as const) : kind;
  return { kind: 'fault', fault: { field, message: found, reason: 'mapping' } };
}

/** The id, or a sentence saying why it cannot be booked. */
function byId(
  word: string,
  id: number,
  name: string | null,
  candidates: readonly Candidate[],
): number | string {
  const known = candidates.find((candidate) => candidate.id === id);
  if (known === undefined) return `The clinic has no ${word} with the number ${id}.`;
  if (known.removed) return `The ${word} with the number ${id} is no longer at the clinic.`;
  if (name === null && known.renamed)
    return `The clinic’s latest answer has another name for the ${word} with the number ${id}.`;
  if (name !== null && !namedSo(name, candidates).includes(known))
    return `The ${word}’s number ${id} and the given name do not match.`;
  return id;
}

/** Candidates with this name; if none, those whose name differs only in accents, then in titles and stops, too. */
function namedSo(name: string, candidates: readonly Candidate[]): Candidate[] {
  const exactly = candidates.filter((candidate) => fold(candidate.name) === fold(name));
  if (exactly.length > 0) return exactly;
  const plain = candidates.filter((candidate) => foldName(candidate.name) === foldName(name));
  if (plain.length > 0) return plain;
  const key = choiceKey(name);
  return key === '' ? [] : candidates.filter((candidate) => choiceKey(candidate.name) === key);
}

/** The id of the only candidate with this name, or a sentence saying why there is none. */
function byName(word: string, name: string, candidates: readonly Candidate[]): number | string {
  const named = namedSo(name, candidates);
  const present = named.filter(({ removed }) => !removed);
  const [only] = present;
  if (present.length > 1) return `Several ${word}s have the given name: ${list(present)}.`;
  const isOne = named.every((one) => fold(one.name) === fold(only?.name ?? ''));
  if (only !== undefined && (isOne || fold(only.name) === fold(name))) return only.id;
  // Accents ignored, the name may also mean someone who has left.
  if (only !== undefined) return `Several ${word}s have or had the given name: ${list(named)}.`;
  if (named.length > 0) return `The ${word} with the given name is no longer at the clinic.`;
  const choices = candidates.filter(({ removed }) => !removed);
  const shown = choices.slice(0, NAMED_AT_MOST).map(withNumber);
  const has =
    choices.length === 0 ? `It has no ${word}s at all.` : namesThere(shown, choices.length - shown.length);
  return `The clinic has no ${word} with the given name. ${has}`;
}

const withNumber = ({ id, name }: Candidate): string => `${name} (${id})`;
const list = (candidates: readonly Candidate[]): string => candidates.map(withNumber).join(', ');
