import type { Failure } from '../failure.ts';

/**
 * Joins sentences, with or without full stop, so that each ends with exactly one: `sentences('It is full', 'Make
 * room.')` is `It is full. Make room.` Skips empty and missing parts.
 */
export const sentences = (...parts: readonly (string | null | undefined | false)[]): string =>
  parts
    .filter((part) => typeof part === 'string')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => (ENDED.test(part) ? part : `${part}.`))
    .join(' ');

/** What went wrong and what to do about it. */
export const failureSentence = ({ message, hint }: Pick<Failure, 'message' | 'hint'>): string =>
  sentences(message, hint);

/** A part without its full stop, to put in brackets or before more text. */
export const clause = (part: string): string => part.trim().replace(/(?<!\.)\.$/, '');

/** The text up to the first full stop followed by a space. */
export const firstSentence = (text: string): string =>
  /^.*?[.!?…](?=\s|$)/s.exec(text.trim())?.[0] ?? text.trim();

const ENDED = /[.!?…:।؟](?:["”’)`»“]*)$/;
