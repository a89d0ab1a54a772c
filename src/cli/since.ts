import { type Instant, instant, systemClock } from '../platform/clock.ts';
import { parseDuration } from '../platform/duration.ts';
import { Exit, exit } from './io.ts';

/** An age (`1h`, `2d`), a day or a moment (UTC); undefined for any other text. */
export function momentOf(text: string): Instant | undefined {
  const age = parseDuration(text);
  const ms = age === undefined ? Date.parse(text) : systemClock.now() - age;
  // `Date.parse` takes bare numbers for years and months.
  return Number.isNaN(ms) || (age === undefined && !/^\d{4}-\d\d/.test(text)) ? undefined : instant(ms);
}

/** The option `--since` of a list. */
export const sinceArgument = {
  type: 'string',
  requiresArg: true,
  describe: 'Only those since then: an age (1h, 2d), a day or a moment (UTC), such as 2026-03-01',
  coerce(text: string): Instant {
    const at = momentOf(text);
    if (at === undefined)
      throw new Exit(
        exit.usage,
        `${text} is not an age, day or moment; write 1h, 2d, 2026-03-01 or 2026-03-01T09:00Z.`,
      );
    return at;
  },
} as const;

/** Rows of a list, newest first, that are not before `since`. */
export async function* untilBefore<Row>(
  rows: AsyncIterable<Row>,
  since: Instant | undefined,
  at: (row: Row) => Instant,
): AsyncGenerator<Row> {
  for await (const row of rows) {
    if (since !== undefined && at(row) < since) return;
    yield row;
  }
}
