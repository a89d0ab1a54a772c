import { z } from 'zod';
import { type Answer, jsonOf, withJson } from '../answer.ts';
import { after, beside, type FaultContext, only } from './kind.ts';

const grants = ['granttoken'] as const;
const tokenIn = (answer: Answer) => String(jsonOf(answer)?.access_token);
const seconds = { seconds: z.number().int().min(1).default(1) };

const changed = (description: string, change: Record<string, unknown>) =>
  only(
    grants,
    after(description, (_context: FaultContext, answer) =>
      withJson(answer, { ...jsonOf(answer), ...change }),
    ),
  );

/** What goes wrong with tokens. */
export const tokenFaults = {
  token_revoked: beside(
    'Every token given out so far dies now; the request goes on as usual.',
    ({ world }) => {
      world.tokens.revokeAll();
    },
  ),
  token_short_lived: only(
    grants,
    after(
      { description: 'The token lives `seconds`, as expires_in says.', parameters: seconds },
      ({ world }, answer, given) => {
        world.tokens.shorten(tokenIn(answer), given.seconds);
        return withJson(answer, { ...jsonOf(answer), expires_in: given.seconds });
      },
    ),
  ),
  token_dies_early: only(
    grants,
    after(
      {
        description: 'The token lives `seconds`, but expires_in says what it always says.',
        parameters: seconds,
      },
      ({ world }, answer, given) => {
        world.tokens.shorten(tokenIn(answer), given.seconds);
        return answer;
      },
    ),
  ),
  token_missing: changed('No access_token in the answer.', { access_token: undefined }),
  token_empty: changed('access_token is an empty text.', { access_token: '' }),
  token_lifetime_text: changed('expires_in is a text.', { expires_in: '3600' }),
  token_lifetime_zero: changed('expires_in is 0.', { expires_in: 0 }),
  token_lifetime_huge: changed('expires_in is a thousand years.', { expires_in: 31_557_600_000 }),
};
