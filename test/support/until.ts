import { setTimeout as pause } from 'node:timers/promises';

/** Quick results are seen quickly, and slow ones are not slowed down by frequent polling. */
const LOOK_AGAIN = { soonestMs: 10, share: 1 / 8, latestMs: 250 };
/** Generous: a machine that is busy with other things must not make a true promise look broken. */
const PATIENCE_MS = 60_000;

/**
 * Resolves to what `look` gives as soon as that is neither undefined nor false. For what happens in another process,
 * where we do not control the clock. A `look` that throws has not found it yet. `found`: what was seen instead, for the error.
 */
export async function until<T>(
  what: string,
  look: () => T | Promise<T>,
  { withinMs = PATIENCE_MS, found = () => '' }: { withinMs?: number; found?: () => unknown } = {},
): Promise<Exclude<T, undefined | false>> {
  const from = performance.now();
  let problem: unknown;
  for (;;) {
    try {
      const value = await look();
      if (value !== undefined && value !== false) return value as Exclude<T, undefined | false>;
      problem = undefined;
    } catch (error) {
      problem = error;
    }
    const waited = performance.now() - from;
    if (waited > withinMs) break;
    await pause(Math.min(LOOK_AGAIN.latestMs, Math.max(LOOK_AGAIN.soonestMs, waited * LOOK_AGAIN.share)));
  }
  const seen = await found();
  throw new Error(
    `${what}: not within ${withinMs} ms${seen ? `\n${typeof seen === 'string' ? seen : JSON.stringify(seen, null, 1)}` : ''}`,
    { cause: problem },
  );
}
