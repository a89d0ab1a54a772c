import { wholeNumber } from '../../../src/domain/clinics/setting.ts';
import { jsonOf, type SandboxAnswer, withJson } from '../answer.ts';
import { type AnswerEdit, edited } from './edits.ts';
import { afterCommit, beside, only } from './kind.ts';

const grants = ['granttoken'] as const;
const tokenIn = (answer: SandboxAnswer) => String(jsonOf(answer)?.access_token);
const seconds = { seconds: wholeNumber(1).default(1) };

const granted = (description: string, edit: AnswerEdit) => edited(grants, description, edit);

/** Faults of access tokens. */
export const tokenFaults = {
  token_revoked: beside(
    'Every token granted so far expires now; the request proceeds as usual.',
    ({ world }) => {
      world.tokens.revokeAll();
    },
  ),
  token_short_lived: only(
    grants,
    afterCommit(
      { description: 'The token lives `seconds`, as expires_in says.', parameters: seconds },
      ({ world }, answer, given) => {
        world.tokens.shorten(tokenIn(answer), given.seconds);
        return withJson(answer, { ...jsonOf(answer), expires_in: given.seconds });
      },
    ),
  ),
  token_dies_early: only(
    grants,
    afterCommit(
      {
        description: 'The token lives `seconds`, but expires_in is unchanged.',
        parameters: seconds,
      },
      ({ world }, answer, given) => {
        world.tokens.shorten(tokenIn(answer), given.seconds);
        return answer;
      },
    ),
  ),
  token_missing: granted('No access_token in the answer.', { path: 'access_token', as: 'missing' }),
  token_empty: granted('access_token is an empty text.', { path: 'access_token', value: '' }),
  token_lifetime_text: granted('expires_in is a text.', { path: 'expires_in', value: '3600' }),
  token_lifetime_zero: granted('expires_in is 0.', { path: 'expires_in', value: 0 }),
  token_lifetime_huge: granted('expires_in is a thousand years.', {
    path: 'expires_in',
    value: 31_557_600_000,
  }),
};
