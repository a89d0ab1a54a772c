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

/** Signs every rendered form with its time, clinic and id. */
export interface FormPasses {
  issue(clinic: string, submissionId?: string): HiddenFields;
  read(given: { submission_id: string; form_token: string }): Pass;
}

export function createFormPasses(options: { key: string; connector: string; clock: Clock }): FormPasses {
  const { key, connector, clock } = options;
  const sign = (...parts: string[]) =>
    createHmac('sha256', key)
      .update(['clinic-sync form', connector, ...parts].join('\n'))
      .digest('base64url');

  return {
    issue(clinic, submissionId = randomBytes(16).toString('base64url')) {
      const at = String(clock.now());
      const form_token = [at, clinic, sign(submissionId, at, clinic)].join('.');
      return { submission_id: submissionId, form_token };
    },
    read({ submission_id: submissionId, form_token }) {
      const [at = '', clinic = '', mac = ''] = form_token.split('.');
      if (!sameSecret(mac, sign(submissionId, at, clinic))) return { state: 'none' };
      const age = clock.now() - Number(at);
      const state = age < SHORTEST_MS ? 'early' : age > LONGEST_MS ? 'late' : 'good';
      return { state, submissionId, clinic };
    },
  };
}
