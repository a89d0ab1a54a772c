import { asFailure, type Failure } from '../../platform/failure.ts';

export interface Each<T> {
  done: T[];
  /** Refused bookings with the reason; those not tried because the database fails have its failure. */
  refused: { ref: string; failure: Failure }[];
}

/**
 * Decides about several bookings, one after another; a refused one does not stop the others. `decide` writes the audit
 * entry of each.
 */
export async function decideEach<One extends { ref: string }, T>(
  wanted: readonly One[],
  decide: (one: One) => Promise<T>,
): Promise<Each<T>> {
  const each: Each<T> = { done: [], refused: [] };
  let broken: Failure | undefined;
  for (const one of wanted) {
    try {
      if (broken !== undefined) throw broken;
      each.done.push(await decide(one));
    } catch (error) {
      const failure = asFailure(error, 'The decision');
      if (failure.kind === 'transient') broken = failure;
      each.refused.push({ ref: one.ref, failure });
    }
  }
  return each;
}
