import { fold } from '../../platform/fold.ts';
import type { Fault } from './read-fields.ts';

/** A dentist or treatment as the mirror has it. */
export interface Candidate {
  id: number;
  name: string;
  removed: boolean;
}

export type Mapped =
  | { kind: 'none' }
  | { kind: 'id'; id: number }
  /** The mirror has not been filled yet: ask again when it has. */
  | { kind: 'wait' }
  | { kind: 'fault'; fault: Fault };

const NAMED_AT_MOST = 10;
const words = { doctor: 'dentist', treatment: 'treatment' } as const;

/**
 * Which dentist or treatment is meant. A name must be the name of exactly one (form, case and spaces folded): the
 * nearest match would book somebody with the wrong dentist. An id the mirror does not know is held, not tried.
 */
export function mapChoice(
  kind: 'doctor' | 'treatment',
  asked: { id: number | null; name: string | null },
  candidates: readonly Candidate[] | undefined,
): Mapped {
  if (asked.id === null && asked.name === null) return { kind: 'none' };
  if (candidates === undefined)
    return asked.name === null && asked.id !== null ? { kind: 'id', id: asked.id } : { kind: 'wait' };

  const word = words[kind];
  const present = candidates.filter((candidate) => !candidate.removed);
  const fault = (message: string): Mapped => ({
    kind: 'fault',
    fault: { field: asked.name === null ? `${kind}_id` : kind, message, reason: 'mapping' },
  });

  if (asked.id !== null) {
    const known = candidates.find(({ id }) => id === asked.id);
    if (known === undefined) return fault(`The clinic has no ${word} with the number ${asked.id}.`);
    if (known.removed) return fault(`The ${word} with the number ${asked.id} is no longer at the clinic.`);
    if (asked.name !== null && fold(known.name) !== fold(asked.name))
      return fault(`The ${word}’s number ${asked.id} and the name given do not belong together.`);
    return { kind: 'id', id: asked.id };
  }

  const wanted = fold(asked.name ?? '');
  const matches = present.filter(({ name }) => fold(name) === wanted);
  const [only] = matches;
  if (matches.length === 1 && only !== undefined) return { kind: 'id', id: only.id };
  if (matches.length > 1)
    return fault(
      `Several ${word}s have the name given: ${matches.map(({ id, name }) => `${name} (${id})`).join(', ')}.`,
    );
  const gone = candidates.some(({ name, removed }) => removed && fold(name) === wanted);
  if (gone) return fault(`The ${word} with the name given is no longer at the clinic.`);
  return fault(`The clinic has no ${word} with the name given. ${choices(word, present)}`);
}

function choices(word: string, present: readonly Candidate[]): string {
  if (present.length === 0) return `It has no ${word}s at all.`;
  const more = present.length - NAMED_AT_MOST;
  const names = present.slice(0, NAMED_AT_MOST).map(({ id, name }) => `${name} (${id})`);
  return `It has: ${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}.`;
}
