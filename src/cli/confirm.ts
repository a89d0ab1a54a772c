import type { Preview } from '../http/admin.ts';
import { flagArgument } from './command.ts';
import { answer, Exit, exit, type Io, type OutputOptions } from './io.ts';

/** Options of a command that asks before it acts. */
export const askedArguments = {
  'dry-run': flagArgument('Show what would be done; change nothing'),
  yes: flagArgument('Do it without asking'),
} as const;

interface Asked extends OutputOptions {
  dryRun?: unknown;
  yes?: unknown;
}

/**
 * Shows what would be done and asks for `yes` on a terminal. False: it was only to be shown. `isFinal`: it cannot be
 * undone, so without a terminal `--yes` has to be given.
 */
export async function isWanted(
  io: Io,
  { dryRun, yes, json }: Asked,
  { lines, data }: Preview,
  isFinal = true,
): Promise<boolean> {
  if (dryRun === true) {
    answer(io, { json }, data, ...lines, 'Nothing was changed.');
    return false;
  }
  if (yes === true || (!io.asks && !isFinal)) return true;
  io.err(lines.map((line) => `${line}\n`).join(''));
  if (!io.asks)
    throw new Exit(exit.usage, 'Nothing was changed: it could not be undone. To do it, add --yes.');
  io.err(isFinal ? 'This cannot be undone. Type yes to do it: ' : 'Type yes to do it: ');
  for await (const line of io.typed()) {
    if (line.trim().toLowerCase() === 'yes') return true;
    break;
  }
  throw new Exit(exit.needsPerson, 'Nothing was changed.');
}

const MOST_NAMED = 20;

/** The first of `count`, and how many more there are. */
export const firstOf = (lines: readonly string[], count = lines.length): string[] => {
  const shown = lines.slice(0, MOST_NAMED);
  return [...shown, ...(count > shown.length ? [`  and ${count - shown.length} more`] : [])];
};
