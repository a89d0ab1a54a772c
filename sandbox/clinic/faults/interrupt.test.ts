import { describe, expect } from 'vitest';
import { proveFaults, type Seen } from '../../../test/support/clinic/prove-faults.ts';
import { interruptFaults } from './interrupt.ts';

const nothing = ({ text }: Seen) => expect(text).toBe('');
const noTokenLeft = ({ text, sandbox }: Seen) => {
  expect(text).toBe('');
  expect(sandbox.control.revokeTokens()).toBe(0);
};

describe('a connection that ends or stays silent', () => {
  proveFaults(interruptFaults, {
    refuse_connections: { end: 'refused', committed: 0, check: nothing },
    reset_on_accept: { end: 'reset', committed: 0, check: nothing },
    close_on_accept: { end: 'closed', committed: 0, check: nothing },
    silence_on_accept: { end: 'open', committed: 0, check: nothing },
    garbage_on_accept: { end: 'closed', committed: 0, check: ({ text }) => expect(text).toHaveLength(512) },
    reset_before_reading: { end: 'reset', committed: 0, check: nothing },
    reset_after_headers: { end: 'reset', committed: 0, check: nothing },
    silence_after_headers: { end: 'open', committed: 0, check: nothing },
    reset_after_body: { end: 'reset', committed: 0, check: nothing },
    close_after_body: { end: 'closed', committed: 0, check: nothing },
    silence_before_commit: { end: 'open', committed: 0, check: nothing },
    reset_after_commit: { end: 'reset', committed: 1, check: nothing },
    close_after_commit: { end: 'closed', committed: 1, check: nothing },
    silence_after_commit: { end: 'open', committed: 1, check: nothing },
    restart_before_commit: { end: 'closed', committed: 0, check: noTokenLeft },
    restart_after_commit: { end: 'closed', committed: 1, check: noTokenLeft },
  });
});
