import type { Memory } from '../../connector.ts';
import { need, noteOfFailure, type Problem, trouble } from '../../domain/texts/problem.ts';
import type { Failure } from '../../platform/failure.ts';
import type { Said } from '../../texts/texts.ts';

/** What is wrong at a target beside single messages; each until it is known to be over. */
type Subject = 'refusal' | 'content' | 'moved' | `recipient ${number}`;

/**
 * The problems of a target. Kept in its memory, from which the notifier reports them: another process may deliver.
 */
export interface TargetStanding {
  /** Nothing arrives until a person changes something. */
  refused(failure: Failure): Promise<void>;
  /** Everything else continues. */
  note(subject: Subject, failure: Failure | undefined): Promise<void>;
  /** A message arrived. */
  worked(): Promise<void>;
}

const KEY = 'problems';
interface Found {
  weight: 'need' | 'trouble';
  sentence: string;
  said?: Said | undefined;
}
type Stored = Partial<Record<string, Found>>;

const read = (stored: string | undefined): Stored =>
  stored === undefined ? {} : (JSON.parse(stored) as Stored);

export function standingOf({ memory }: { memory: Memory }): TargetStanding {
  const set = async (subject: Subject, found: Found | undefined): Promise<void> => {
    const problems = read(await memory.get(KEY));
    if (JSON.stringify(problems[subject]) === JSON.stringify(found)) return;
    if (found === undefined) delete problems[subject];
    else problems[subject] = found;
    const isEmpty = Object.keys(problems).length === 0;
    await memory.set({ [KEY]: isEmpty ? undefined : JSON.stringify(problems) });
  };
  const stored = (weight: 'need' | 'trouble', failure: Failure) => ({
    weight,
    ...noteOfFailure(failure),
  });
  return {
    refused: (failure) => set('refusal', stored('trouble', failure)),
    note: (subject, failure) =>
      set(subject, failure && stored(subject.startsWith('recipient') ? 'trouble' : 'need', failure)),
    worked: () => set('refusal', undefined),
  };
}

/** What the notifier reports of a target. */
export const problemsIn = (stored: string | undefined): Problem[] =>
  Object.values(read(stored) as Record<string, Found>).map(({ weight, ...note }) =>
    weight === 'trouble' ? trouble(note) : need(note),
  );
