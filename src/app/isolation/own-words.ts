import { readFileSync } from 'node:fs';
import { getSystemErrorMap } from 'node:util';
import { entryOf } from '../../../connectors/registry.ts';
import type { Clock } from '../../platform/clock.ts';
import { MINUTE } from '../../platform/duration.ts';
import { Failure } from '../../platform/failure.ts';
import { type Log, type LogFields, logFields } from '../../platform/log.ts';
import { printable } from '../../platform/text/printable.ts';
import type { Handler } from './wire.ts';

const LOGGED_PER_MINUTE = 60;
const LONGEST = 200;
/** Grouped digits count as one number: phone numbers are written that way. */
const wordOf = /[\p{L}\p{M}]+|\p{N}+(?:[\s()./-]{1,3}\p{N}+)*/gu;

/** Words in messages of Node and of our own code in that process. */
const systemErrors = [...getSystemErrorMap().values()].map(([code]) => code);
const ours = `The connector failed cannot do that Its settings are not right There is no here does not load exports no
  Error TypeError RangeError SyntaxError ERR ACCESS DENIED DLOPEN DISABLED UNKNOWN BUILTIN MODULE
  is required must be one of at most least characters not empty known setting an http or https address name that
  string number boolean mapping list whole true false null undefined Correct them in the configuration Check use
  given twice which is empty file names read`;

/** A text reduced to short numbers and words that are in the connector's code; `…` replaces the rest. */
export type OwnWords = (text: string) => string;

/**
 * Our log has constant text and no patients. Words of a foreign text count as constant when they occur in the
 * connector's file or in `names`, which come from the configuration.
 */
export function ownWords(use: string, names: readonly string[]): OwnWords {
  const text = [codeOf(use), ...names, ...systemErrors, ours].join(' ');
  const known = new Set(text.match(wordOf)?.filter((word) => !/\p{N}/u.test(word)));
  const isShown = (word: string) => known.has(word) || /^\d{1,3}(?:\D+\d{1,3})?$/.test(word);
  return (text) => printable(text.slice(0, LONGEST).replace(wordOf, (word) => (isShown(word) ? word : '…')));
}

function codeOf(use: string): string {
  const file = entryOf(use);
  try {
    return file === undefined ? '' : readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/** A failure as the daemon may log it. */
export const inOwnWords = (
  { kind, message, hint, status, retryAfterMs, lasting }: Failure,
  words: OwnWords,
) =>
  new Failure({
    kind,
    message: words(message),
    hint: hint && words(hint),
    ...{ status, retryAfterMs, lasting },
  });

interface ForeignLog {
  log: Log;
  connector: string;
  clock: Clock;
  words: OwnWords;
}

/** Logs a connector's text as a field of a constant line, at a limited rate so that it cannot fill the disk. */
export function foreignLog({ log, connector, clock, words }: ForeignLog): Handler {
  let minute = 0;
  let lines = 0;
  return ([level, text, fields]: ['debug' | 'info' | 'warn' | 'error', string, LogFields]) => {
    const now = Math.floor(clock.monotonic() / MINUTE);
    if (now !== minute) lines = 0;
    minute = now;
    lines += 1;
    if (lines > LOGGED_PER_MINUTE) return;
    const shown: LogFields = {};
    for (const key of logFields) {
      const value = fields[key];
      if (typeof value === 'number' || typeof value === 'boolean') shown[key] = value;
      if (typeof value === 'string') shown[key] = words(value);
    }
    log[level]('isolated connector says', { ...shown, hint: words(text), connector });
  };
}
