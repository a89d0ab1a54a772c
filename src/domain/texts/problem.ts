import type { Instant } from '../../platform/clock.ts';
import type { Failure } from '../../platform/failure.ts';
import { type Locale, localeOf } from '../../platform/text/locale.ts';
import { failureSentence } from '../../platform/text/sentences.ts';
import { PLACEHOLDER, type Said, type TextName, textsOf, type ValuesOf } from '../../texts/texts.ts';

export type ProblemCode = TextName;

/** By their English sentence. */
export type SaidBySentence = Readonly<Record<string, Said>>;

/** Shown with the connector. */
export interface Note {
  /** In English: what was left undone and what to do. No patient data. */
  sentence: string;
  /** The same for other languages. */
  said?: Said | undefined;
}

/** What a connector left undone until a user acts. */
export interface Ask extends Note {
  /** `need`: everything else continues · `trouble`: something is out of date, or takes no bookings, until then. */
  weight: 'need' | 'trouble';
}

/** A plain sentence or a note is only shown with the connector; an `Ask` also requires a user. */
export type Problem = string | Note | Ask;

/** A problem that the catalogue has in every language. */
export function said<Code extends TextName>(code: Code, values: ValuesOf<Code, string | Note>): Note {
  const given = Object.entries(values as Record<string, string | number | Note>).map(([name, value]) => [
    name,
    typeof value === 'object' ? (value.said ?? value.sentence) : value,
  ]);
  const one = { code, values: Object.fromEntries(given) };
  return { sentence: onOneLine(inWords(one, localeOf('en'))), said: one };
}

/** The same as the message and the hint of a failure, or of a line of a check. */
export const stated = <Code extends TextName>(code: Code, values: ValuesOf<Code, string | Note>): Stated =>
  statedFrom(code, values as Record<string, string | number>);

/** The same for a code that comes from a table, with the values of all that are in it. */
export function statedFrom(code: TextName, values: Said['values']): Stated {
  const [message = '', hint] = inWords({ code, values }, localeOf('en')).split('\n');
  return { message, ...(hint !== undefined && { hint }), said: { code, values } };
}

/** In the reader’s language; undefined for what only its English sentence says. */
export const problemWords = (one: Said | undefined, locale: Locale): string | undefined =>
  one && isComplete(one) ? onOneLine(inWords(one, locale)) : undefined;

/** What to do about it, in the reader’s language; undefined where its text does not say. */
export const remedyWords = (one: Said | undefined, locale: Locale): string | undefined =>
  one && isComplete(one) ? inWords(one, locale).split('\n')[1] : undefined;

interface Stated {
  message: string;
  hint?: string;
  said: Said;
}

const onOneLine = (text: string): string => text.replaceAll('\n', ' ');

/** What a failure says, for people. */
export const noteOfFailure = (failure: Pick<Failure, 'message' | 'hint' | 'said'>): Note => ({
  sentence: failureSentence(failure),
  said: failure.said,
});

function inWords({ code, values }: Said, locale: Locale): string {
  const worded = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === 'object'
      ? onOneLine(inWords(value, locale))
      : typeof value === 'string'
        ? own(value, locale)
        : value,
  ]);
  // The values of all texts are checked together, in every language.
  return locale.t(code as 'file_unread', Object.fromEntries(worded) as { place: string });
}

/** Names and addresses keep their own direction within a text that runs from right to left. */
const own = (value: string, { dir }: Locale): string => (dir === 'rtl' ? `\u200e${value}\u200e` : value);

/**
 * Whether it has a value for each placeholder: another version of clinic-sync, or another program, may have made it.
 */
export function isComplete({ code, values }: Said): boolean {
  const texts = textsOf('en');
  const text = Object.hasOwn(texts, code) ? texts[code as TextName] : undefined;
  if (text === undefined) return false;
  const names = [...(typeof text === 'string' ? text : text.other).matchAll(PLACEHOLDER)].map(
    ([, name]) => name ?? '',
  );
  return (
    (typeof text === 'string' || typeof values.count === 'number') &&
    names.every((name) => values[name] !== undefined) &&
    Object.values(values).every((value) => typeof value !== 'object' || isComplete(value))
  );
}

/** What it is about. The rest may change while it stays the same problem. */
const keyOf = ({ code, values: { place, range, ref } }: Said): string =>
  JSON.stringify([code, place, range, ref]);

export const isSameProblem = (one: Note, other: Note): boolean =>
  one.sentence === other.sentence ||
  (one.said !== undefined && other.said !== undefined && keyOf(one.said) === keyOf(other.said));

const noteOf = (problem: Problem): Note => (typeof problem === 'string' ? { sentence: problem } : problem);
const asking = (problem: Problem): problem is Ask =>
  typeof problem === 'object' && 'weight' in problem && problem.weight !== undefined;

export const need = (what: string | Note): Ask => ({ ...noteOf(what), weight: 'need' });
export const trouble = (what: string | Note): Ask => ({ ...noteOf(what), weight: 'trouble' });

export const sentenceOf = (problem: Problem): string => noteOf(problem).sentence;
export const weightOf = (problem: Problem): Ask['weight'] | 'note' =>
  asking(problem) ? problem.weight : 'note';

const order = { trouble: 0, need: 1, note: 2 };

/** The gravest first, otherwise in the given order. */
export const byWeight = <P extends Problem>(problems: readonly P[]): P[] =>
  problems.toSorted((a, b) => order[weightOf(a)] - order[weightOf(b)]);

/** An ask of a run, and since when it is asked. */
export interface StandingAsk {
  sentence: string;
  weight: Ask['weight'];
  since: Instant;
}

export interface RunReport {
  problems: string[];
  /** Those of the problems that require a user. */
  asks: StandingAsk[];
  /** Absent in reports of earlier versions. */
  said?: SaidBySentence;
}

/** What several workers reported, the gravest first. */
export function combinedReport(all: readonly RunReport[]): Required<RunReport> {
  const asks = all.flatMap((one) => one.asks);
  const weighed = all.flatMap((one) =>
    one.problems.map((sentence) => one.asks.find((ask) => ask.sentence === sentence) ?? sentence),
  );
  return {
    problems: byWeight(weighed).map(sentenceOf),
    asks: byWeight(asks),
    said: Object.assign({}, ...all.map((one) => one.said)),
  };
}

/** The report of a run: every sentence, the asks among them, and what other languages make of them. */
export function runReport(problems: readonly Problem[], since: Instant): Required<RunReport> {
  const ordered = byWeight(problems);
  return {
    problems: ordered.map(sentenceOf),
    asks: ordered.filter(asking).map(({ sentence, weight }) => ({ sentence, weight, since })),
    said: saidOf(ordered),
  };
}

export const saidOf = (problems: readonly Problem[]): SaidBySentence =>
  Object.fromEntries(
    problems.map(noteOf).flatMap((note) => (note.said === undefined ? [] : [[note.sentence, note.said]])),
  );
