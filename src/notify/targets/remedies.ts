import { statedFrom } from '../../domain/texts/problem.ts';
import { type TextName, textsOf } from '../../texts/texts.ts';

/** Why a target does not take messages: what it says itself, and what to do. */
export const remedyOf = (
  name: TextName,
  { answer = '', ...more }: Readonly<Record<string, string>>,
): ReturnType<typeof statedFrom> =>
  String(textsOf('en')[name]).includes('\n')
    ? statedFrom(name, { answer, ...more })
    : statedFrom('target_answered', { ...more, answer, remedy: { code: name, values: {} } });
