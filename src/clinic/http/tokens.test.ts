import { describe, expect, it } from 'vitest';
import { fakeClock, settle } from '../../../test/support/fake-clock.ts';
import { Failure } from '../../platform/failure.ts';
import { createTokens, type Token } from './tokens.ts';

const never = new AbortController().signal;

function setup({ expires_in = 3_600 } = {}) {
  const clock = fakeClock();
  const grants: PromiseWithResolvers<void>[] = [];
  let held = false;
  let fault: Failure | undefined;
  const tokens = createTokens({
    clock,
    onGranted() {},
    async grant() {
      const grant = Promise.withResolvers<void>();
      grants.push(grant);
      if (!held) grant.resolve();
      await grant.promise;
      if (fault !== undefined) throw fault;
      return { access_token: `token-${grants.length}`, expires_in };
    },
  });
  return {
    clock,
    tokens,
    granted: () => grants.length,
    hold: () => {
      held = true;
    },
    release: () => grants.at(-1)?.resolve(),
    fail: (failure: Failure | undefined) => {
      fault = failure;
    },
  };
}

const surely = { endpoint: 'GET /treatments', surely: true };
const wrongKeys = new Failure({ kind: 'refused', message: 'refused', status: 401 });
const down = new Failure({ kind: 'transient', message: 'down' });
const hundred = <T>(each: () => Promise<T>) => Promise.all(Array.from({ length: 100 }, each));

describe('the token', () => {
  it('is granted once for a hundred waiters', async () => {
    const { tokens, granted } = setup();

    const had = await hundred(() => tokens.get(never));

    expect(granted()).toBe(1);
    expect(new Set(had.map((token) => token.value))).toEqual(new Set(['token-1']));
  });

  it('is granted once more for a hundred callers who find it expired', async () => {
    const { clock, tokens, granted } = setup();
    await tokens.get(never);

    await clock.advance(3_600_000);
    await hundred(() => tokens.get(never));

    expect(granted()).toBe(2);
  });

  it('is granted once more for a hundred callers who saw it refused', async () => {
    const { tokens, granted } = setup();
    const revoked = await hundred(() => tokens.get(never));

    const renewed = await Promise.all(
      revoked.map(async (token: Token) => tokens.refused(token, surely) && (await tokens.get(never)).value),
    );

    expect(granted()).toBe(2);
    expect(new Set(renewed)).toEqual(new Set(['token-2']));
  });

  it.each([
    [3_600, 3_539_000, 3_541_000],
    [60, 53_000, 55_000],
    [1, 850, 950],
  ])('of %i s is still used after %i ms and renewed after %i ms', async (expires_in, kept, renewed) => {
    const { clock, tokens, granted } = setup({ expires_in });
    await tokens.get(never);

    await clock.advance(kept);
    await tokens.get(never);
    const before = granted();
    await clock.advance(renewed - kept);
    await tokens.get(never);

    expect([before, granted()]).toEqual([1, 2]);
  });

  it('expires by the monotonic clock: setting the wall clock changes nothing', async () => {
    const { clock, tokens, granted } = setup();
    await tokens.get(never);

    clock.jump(86_400_000);
    await tokens.get(never);

    expect(granted()).toBe(1);
  });

  it('is used until it expires when renewing it early fails', async () => {
    const { clock, tokens, fail } = setup();
    await tokens.get(never);
    fail(down);

    await clock.advance(3_550_000);
    const old = await tokens.get(never);
    await clock.advance(50_000);

    expect(old.value).toBe('token-1');
    await expect(tokens.get(never)).rejects.toBe(down);
  });

  it('lets one waiter give up without disturbing the others', async () => {
    const { tokens, granted, hold, release } = setup();
    hold();
    const giveUp = new AbortController();
    const impatient = tokens.get(giveUp.signal);
    const patient = tokens.get(never);

    giveUp.abort(new Error('enough'));
    await expect(impatient).rejects.toThrow('enough');
    release();

    expect((await patient).value).toBe('token-1');
    expect(granted()).toBe(1);
  });

  it('is not requested again and again with rejected keys', async () => {
    const { clock, tokens, granted, fail } = setup();
    fail(wrongKeys);

    for (let i = 0; i < 50; i += 1) await tokens.get(never).catch(() => {});
    const first = granted();
    await expect(tokens.get(never)).rejects.toMatchObject({
      kind: 'refused',
      status: 401,
      retryAfterMs: 30_000,
    });
    for (let i = 0; i < 3_600; i += 1) {
      await clock.advance(1_000);
      await tokens.get(never).catch(() => {});
    }

    expect(first).toBe(1);
    expect(granted()).toBeLessThanOrEqual(9);
  });

  it('is granted again as soon as the keys are accepted and the pause is over', async () => {
    const { clock, tokens, fail } = setup();
    fail(wrongKeys);
    await tokens.get(never).catch(() => {});

    fail(undefined);
    await clock.advance(30_000);

    expect((await tokens.get(never)).value).toBe('token-2');
  });

  it('is not renewed for every call when a fresh one is refused as well', async () => {
    const { clock, tokens, granted } = setup();
    const call = async () => {
      const token = await tokens.get(never);
      if (!tokens.refused(token, surely)) return;
      await tokens.get(never);
      tokens.refusedAgain();
    };

    for (let i = 0; i < 20; i += 1) await call();
    const soon = granted();
    await clock.advance(30_000);
    await call();
    await settle();

    expect(soon).toBe(2);
    expect(granted()).toBe(3);
  });
});
