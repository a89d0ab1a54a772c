import { statedFrom } from '../../domain/texts/problem.ts';
import { targetTexts } from '../../domain/texts/target-texts.ts';

export type Remedy = keyof typeof targetTexts;

/** Why a target does not take messages: what it says itself, and what to do. */
export const remedyOf = (
  name: Remedy,
  { answer = '', ...more }: Readonly<Record<string, string>>,
): ReturnType<typeof statedFrom> =>
  targetTexts[name].includes('\n')
    ? statedFrom(name, { answer, ...more })
    : statedFrom('target_answered', { ...more, answer, remedy: { code: name, values: {} } });
