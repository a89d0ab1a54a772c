import { afterAll } from 'vitest';
import { type SandboxOptions, startSandbox } from '../../../sandbox/clinic/clinic.ts';
import { describeClinicApi } from './describe-clinic-api.ts';

/** Where the specification leaves a choice, every choice must still be the specification. */
const variants: Record<string, SandboxOptions> = {
  'the sandbox': {},
  'the sandbox with gaps between ids, 400 for unknown ones': { ids: 'gaps', unknownId: '400' },
  'the sandbox with random ids, 200 for unknown ones': { ids: 'random', unknownId: '200' },
  'the sandbox while staff books beside us, under a limit, with short tokens': {
    ids: 'staff_beside',
    limiter: { kind: 'token_bucket', limit: 10_000 },
    tokenLifetimeSeconds: 600,
  },
};

for (const [title, options] of Object.entries(variants)) {
  const sandbox = await startSandbox(options);
  afterAll(() => sandbox.close());
  const { app_key, secret_key } = sandbox.credentials;
  describeClinicApi({ title, baseUrl: sandbox.url, appKey: app_key, secretKey: secret_key, mayBook: true });
}

/** A real server only when asked for by name, and appointments in its book only when asked for that too. */
const { CLINIC_CONFORMANCE, CLINIC_BASE_URL, CLINIC_APP_KEY, CLINIC_SECRET_KEY } = process.env;
if (CLINIC_CONFORMANCE === 'read' || CLINIC_CONFORMANCE === 'book') {
  if (!CLINIC_BASE_URL || !CLINIC_APP_KEY || !CLINIC_SECRET_KEY)
    throw new Error('CLINIC_CONFORMANCE needs CLINIC_BASE_URL, CLINIC_APP_KEY and CLINIC_SECRET_KEY');
  describeClinicApi({
    title: 'the server at CLINIC_BASE_URL',
    baseUrl: CLINIC_BASE_URL,
    appKey: CLINIC_APP_KEY,
    secretKey: CLINIC_SECRET_KEY,
    mayBook: CLINIC_CONFORMANCE === 'book',
  });
}
