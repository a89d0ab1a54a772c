import type { Instant } from '../platform/clock.ts';

/** What a connector left undone until a user acts. */
export interface Ask {
  /** What was left undone and what to do. No patient data. */
  sentence: string;
  /** `need`: everything else continues · `trouble`: something is out of date, or takes no bookings, until then. */
  weight: 'need' | 'trouble';
}

/** A plain sentence is only shown with the connector; an `Ask` also requires a user. */
export type Problem = string | Ask;

export const need = (sentence: string): Ask => ({ sentence, weight: 'need' });
export const trouble = (sentence: string): Ask => ({ sentence, weight: 'trouble' });

export const sentenceOf = (problem: Problem): string =>
  typeof problem === 'string' ? problem : problem.sentence;

const heavy = (problem: Problem): number =>
  typeof problem === 'string' ? 2 : problem.weight === 'need' ? 1 : 0;

/** The gravest first, otherwise in the given order. */
export const byWeight = <P extends Problem>(problems: readonly P[]): P[] =>
  problems.toSorted((a, b) => heavy(a) - heavy(b));

/** An ask of a run, and since when it is asked. */
export interface StandingAsk extends Ask {
  since: Instant;
}

export interface Told {
  problems: string[];
  /** Those of the problems that require a user. */
  asks: StandingAsk[];
}

/** What several workers reported, the gravest first. */
export function toldTogether(all: readonly Told[]): Told {
  const asks = all.flatMap((one) => one.asks);
  const weighed = all.flatMap((one) =>
    one.problems.map((sentence) => one.asks.find((ask) => ask.sentence === sentence) ?? sentence),
  );
  return { problems: byWeight(weighed).map(sentenceOf), asks: byWeight(asks) };
}

/** The report of a run: every sentence, and the asks among them. */
export function told(problems: readonly Problem[], since: Instant): Told {
  const ordered = byWeight(problems);
  return {
    problems: ordered.map(sentenceOf),
    asks: ordered.flatMap((problem) => (typeof problem === 'string' ? [] : [{ ...problem, since }])),
  };
}
