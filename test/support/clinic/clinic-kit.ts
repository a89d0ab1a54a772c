import { type ClinicOptions, createClinic } from '../../../src/clinic/client.ts';
import type { Clinic } from '../../../src/clinic/clinic.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import { silentLog } from '../../../src/platform/log.ts';

/** A limit as if learned long ago, so high that a test on the real clock never waits for its turn. */
export const noLimit = JSON.stringify({
  version: 1,
  ceiling_per_minute: 100_000,
  window_ms: 60_000,
  blocked_until: null,
});

export const testClinic = (
  options: Partial<ClinicOptions> & Pick<ClinicOptions, 'base_url'>,
): Promise<Clinic> =>
  createClinic({
    key: 'main',
    app_key: 'planted-app-key',
    secret_key: 'planted-secret-key',
    clock: systemClock,
    log: silentLog,
    memory: { load: async () => noLimit, save: async () => {} },
    version: 'test',
    ...options,
  });
