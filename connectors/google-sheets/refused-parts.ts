import type { Memory, Note, ProblemCode } from '../../src/connector.ts';

interface StoredProblem {
  code: ProblemCode;
  values: NonNullable<Note['said']>['values'];
}

/** What Google refuses now, for checks. */
const PREFIX = 'refused:';

export const refusedParts = async ({ memory }: { memory: Memory }): Promise<StoredProblem[]> =>
  Object.values(await memory.list(PREFIX)).map((said) => JSON.parse(said) as StoredProblem);

export async function forgetRefused({ memory }: { memory: Memory }): Promise<void> {
  const keys = Object.keys(await memory.list(PREFIX));
  if (keys.length > 0) await memory.set(Object.fromEntries(keys.map((key) => [key, undefined])));
}

/** Undefined: it is taken again. */
export const noteRefused = (memory: Memory, part: string, what: Note['said'] | undefined): Promise<void> =>
  memory.set({ [PREFIX + part]: what && JSON.stringify(what) });
