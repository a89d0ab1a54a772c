import type { Clock } from '../../src/platform/clock.ts';
import { asFailure } from '../../src/platform/failure.ts';
import type { Log } from '../../src/platform/log.ts';
import type { World } from './faults/kind.ts';
import type { Gate } from './gate.ts';
import type { Practice } from './practice.ts';
import type { Tokens } from './tokens.ts';

interface Parts {
  gate: Gate;
  tokens: Tokens;
  practice: Practice;
  clock: Clock;
  scheme: 'http' | 'https';
  host: string;
  closing: AbortSignal;
  log: Log;
}

export function createWorld({ gate, tokens, practice, clock, scheme, host, closing, log }: Parts): World {
  const openAfter = async (ms: number) => {
    try {
      await clock.sleep(ms, closing);
      closing.throwIfAborted();
      await gate.open();
    } catch (error) {
      // Another process may have taken the port meanwhile; without this line the sandbox would silently stop serving.
      if (!closing.aborted)
        log.error('sandbox cannot listen again', { problem: asFailure(error, 'Listening').message });
    }
  };

  const hostInUrl = host.includes(':') ? `[${host}]` : host;
  return {
    clock,
    tokens,
    origin: (which) => `${scheme}://${which === 'same' ? hostInUrl : 'localhost'}:${gate.port}`,
    restart(ms) {
      tokens.revokeAll();
      gate.shut('all');
      void openAfter(ms);
    },
    refuse(ms) {
      gate.shut('idle');
      if (ms !== undefined) void openAfter(ms);
    },
    earlierAppointment: () => practice.appointments.ledger()[0]?.appointment_id,
  };
}
