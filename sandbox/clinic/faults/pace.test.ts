import { describe, expect, it } from 'vitest';
import { call, grant, proveFaults, type Seen } from '../../../test/support/clinic/prove-faults.ts';
import { fakeClock } from '../../../test/support/fake-clock.ts';
import { startSandbox } from '../clinic.ts';
import { paceFaults } from './pace.ts';

const whole = ({ json }: Seen) => expect(json()).toMatchObject({ success: true });

describe('a correct answer that is slow', () => {
  proveFaults(paceFaults, {
    late_answer: { parameters: { ms: 1 }, end: 'closed', committed: 1, check: whole },
    late_commit: {
      parameters: { ms: 1 },
      end: 'closed',
      committed: 0,
      check: ({ answer }) => expect(answer?.status).toBe(504),
    },
    slow_bytes: { parameters: { ms: 1, size: 64 }, end: 'closed', committed: 1, check: whole },
    slow_headers: {
      parameters: { ms: 5 },
      end: 'open',
      committed: 1,
      check: ({ text, answer }) => {
        expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\nx-padding: 0\r\n/);
        expect(answer).toBeUndefined();
      },
    },
    silence_after_head: {
      end: 'open',
      committed: 1,
      check: ({ text }) => expect(text).toMatch(/^HTTP\/1\.1 200 [\s\S]*\r\n\r\n$/),
    },
    silence_mid_body: {
      end: 'open',
      committed: 1,
      check: ({ text, answer }) => {
        expect(text).toMatch(/\r\n\r\n\{"success":true/);
        expect(answer).toBeUndefined();
      },
    },
  });
});

describe('the pace', () => {
  it('waits exactly as long as scripted before it answers', async () => {
    const clock = fakeClock();
    await using sandbox = closing(await startSandbox({ clock }));
    const token = await grant(sandbox.it);
    sandbox.it.control.script({ match: { endpoint: 'book' }, fault: { kind: 'late_answer', ms: 30_000 } });
    const late = call(sandbox.it, 'book', token);
    await expect.poll(() => clock.sleeping, { interval: 1 }).toBe(1);

    await clock.advance(29_999);
    expect(late.bytes).toHaveLength(0);
    await clock.advance(1);

    await late.ended;
    expect(late.bytes.toString()).toContain('"appointment_id"');
  });

  it('sends one piece per pause', async () => {
    const clock = fakeClock();
    await using sandbox = closing(await startSandbox({ clock }));
    const token = await grant(sandbox.it);
    sandbox.it.control.script({
      match: { endpoint: 'book' },
      fault: { kind: 'slow_bytes', ms: 1_000, size: 5 },
    });
    const slow = call(sandbox.it, 'book', token);
    await expect.poll(() => slow.bytes.toString(), { interval: 1 }).toBe('HTTP/');

    await clock.advance(1_000);

    await expect.poll(() => slow.bytes.toString(), { interval: 1 }).toBe('HTTP/1.1 2');
    expect(clock.sleeping).toBe(1);
  });

  it('stops dripping when the client leaves', async () => {
    const clock = fakeClock();
    await using sandbox = closing(await startSandbox({ clock }));
    sandbox.it.control.script({ fault: { kind: 'slow_bytes', ms: 1_000 } });
    const slow = call(sandbox.it, 'granttoken');
    await expect.poll(() => clock.sleeping, { interval: 1 }).toBe(1);

    slow.destroy();

    await expect.poll(() => clock.sleeping, { interval: 1 }).toBe(0);
  });
});

const closing = <T extends { close(): Promise<void> }>(it: T) => ({
  it,
  [Symbol.asyncDispose]: () => it.close(),
});
