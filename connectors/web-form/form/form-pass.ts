import { createHmac, randomBytes } from 'node:crypto';
import type { Clock } from '../../../src/platform/clock.ts';
import { sameSecret } from '../../../src/platform/constant-time.ts';

/** Faster than this, only a program fills in the form. */
const SHORTEST_MS = 2_500;
/** After this time the form is shown again with what was typed. */
const LONGEST_MS = 24 * 60 * 60_000;

/** The hidden fields of a rendered form. */
export interface HiddenFields {
  submission_id: string;
  form_token: string;
}

export type Pass =
  | { state: 'good' | 'early' | 'late'; submissionId: string; clinic: string }
  /** No token, or a forged one. */
  | { state: 'none' };

export type FormPasses = ReturnType<typeof createFormPasses>;

/** Signs every rendered form with its time, clinic and id. */
export function createFormPasses(options: { key: string; connector: string; clock: Clock }) {
  const { key, connector, clock } = options;
  const sign = (...parts: string[]) =>
    createHmac('sha256', key)
      .update(['clinic-sync form', connector, ...parts].join('\n'))
      .digest('base64url');

  return {
    issue(clinic: string, submissionId = randomBytes(16).toString('base64url')): HiddenFields {
      const at = String(clock.now());
      const form_token = [at, clinic, sign(submissionId, at, clinic)].join('.');
      return { submission_id: submissionId, form_token };
    },
    read({ submission_id: submissionId, form_token }: HiddenFields): Pass {
      const [at = '', clinic = '', mac = ''] = form_token.split('.');
      if (!sameSecret(mac, sign(submissionId, at, clinic))) return { state: 'none' };
      const age = clock.now() - Number(at);
      const state = age < SHORTEST_MS ? 'early' : age > LONGEST_MS ? 'late' : 'good';
      return { state, submissionId, clinic };
    },
  };
}
