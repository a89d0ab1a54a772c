import { describe, expect, it } from 'vitest';
import { call, type Expected, grant, proveFaults } from '../../../test/support/clinic/prove-faults.ts';
import { fakeClock } from '../../../test/support/fake-clock.ts';
import { parseAnswer } from '../../../test/support/http/raw-request.ts';
import { type Sandbox, startSandbox } from '../clinic.ts';
import { tokenFaults } from './tokens.ts';

const granted = (fields: object): Expected => ({
  at: 'granttoken',
  end: 'closed',
  committed: 0,
  check: ({ answer, json }) => {
    expect(answer?.status).toBe(200);
    expect(json()).toEqual({ access_token: expect.any(String), expires_in: 3600, ...fields });
  },
});

describe('trouble with tokens', () => {
  proveFaults(tokenFaults, {
    token_revoked: {
      end: 'closed',
      committed: 0,
      check: ({ answer, json }) => {
        expect(answer?.status).toBe(401);
        expect(json()).toMatchObject({ error_code: 'auth_failed' });
      },
    },
    token_short_lived: { ...granted({ expires_in: 5 }), parameters: { seconds: 5 } },
    token_dies_early: granted({}),
    token_missing: {
      at: 'granttoken',
      end: 'closed',
      committed: 0,
      check: ({ json }) => expect(json()).toEqual({ expires_in: 3600 }),
    },
    token_empty: granted({ access_token: '' }),
    token_lifetime_text: granted({ expires_in: '3600' }),
    token_lifetime_zero: granted({ expires_in: 0 }),
    token_lifetime_huge: granted({ expires_in: 31_557_600_000 }),
  });

  it.each(['token_short_lived', 'token_dies_early'] as const)(
    '%s kills the token when it says',
    async (kind) => {
      const clock = fakeClock();
      const sandbox = await startSandbox({ clock, faults: [{ fault: { kind, seconds: 5 } }] });
      const token = await grant(sandbox);

      await clock.advance(4_999);
      const alive = await status(sandbox, token);
      await clock.advance(1);
      const dead = await status(sandbox, token);

      expect([alive, dead]).toEqual([200, 401]);
      await sandbox.close();
    },
  );
});

async function status(sandbox: Sandbox, token: string) {
  const exchange = call(sandbox, 'organization', token);
  await exchange.ended;
  return parseAnswer(exchange.bytes)?.status;
}
