import type { Instant } from '../../platform/clock.ts';
import type { Said } from '../../texts/texts.ts';

export interface CheckLine {
  level: 'ok' | 'warn' | 'fail';
  what: string;
  /** The remedy, for warn and fail. */
  hint?: string;
  /** Both for other languages, of our own connectors. */
  said?: Said | undefined;
}

/** A line as the daemon shows it. */
export interface CheckedLine extends CheckLine {
  /** Set for what the last run left undone, which the check did not see: when that was; null when unknown. */
  ran?: Instant | null;
}

/** A sentence, or what `stated` makes; a failure is the same. */
interface Stated {
  message: string;
  hint?: string | undefined;
  said?: Said | undefined;
}

function line(level: CheckLine['level'], what: string | Stated, remedy?: string): CheckLine {
  const { message, hint = remedy, said }: Stated = typeof what === 'string' ? { message: what } : what;
  return { level, what: message, ...(hint !== undefined && { hint }), ...(said !== undefined && { said }) };
}

export const ok = (what: string | Stated): CheckLine => line('ok', what);
export const warn = (what: string | Stated, hint?: string): CheckLine => line('warn', what, hint);
export const fail = (what: Stated): CheckLine => line('fail', what);
