import { createHmac } from 'node:crypto';
import type { Challenge, Solution } from 'altcha-lib/types';
import { type Html, html } from '../../../src/platform/text/html.ts';

/** Milliseconds-long tries, 256 on average: a second on a desktop, a few on a phone, while the visitor types. */
const COST = 5_000;
const PREFIX = '00';
const LONGEST_PAYLOAD = 4_000;

export const ALTCHA_FIELD = 'altcha';
/** Instead of a solution: why a browser could not find one. */
export const BROWSER_FAILED = '!failed';
export const BROWSER_INSECURE = '!insecure';

export interface ProofOfWork {
  /** The task of one rendered form, as base64 of JSON. */
  challenge(formId: string): Promise<string>;
  /** Whether this solves a task that was given to this form. Does not throw. */
  isSolved(formId: string, payload: string): Promise<boolean>;
}

/**
 * ALTCHA's proof of work (https://altcha.org/docs/v2/proof-of-work/): unnoticed by a visitor, expensive for a program
 * that sends thousands. No third party learns who opens the form. A task names its form, whose id is its booking's: an
 * answer sent again is the same booking or is held, also after a restart.
 */
export function proofOfWork({ key, connector }: { key: string; connector: string }): ProofOfWork {
  const hmacSignatureSecret = createHmac('sha256', key)
    .update(['clinic-sync altcha', connector].join('\n'))
    .digest('hex');
  return {
    async challenge(formId) {
      const { createChallenge, deriveKey } = await library();
      const challenge = await createChallenge({
        algorithm: 'PBKDF2/SHA-256',
        cost: COST,
        keyPrefix: PREFIX,
        deriveKey,
        hmacSignatureSecret,
        data: { form: formId },
      });
      return Buffer.from(JSON.stringify(challenge)).toString('base64');
    },
    async isSolved(formId, payload) {
      if (payload === '' || payload.length > LONGEST_PAYLOAD) return false;
      try {
        const { challenge, solution } = JSON.parse(Buffer.from(payload, 'base64').toString('utf8')) as {
          challenge: Challenge;
          solution: Solution;
        };
        if (challenge.parameters.data?.form !== formId) return false;
        const { verifySolution, deriveKey } = await library();
        const { verified } = await verifySolution({ challenge, solution, deriveKey, hmacSignatureSecret });
        return verified;
      } catch {
        return false;
      }
    },
  };
}

/** Loaded only by forms that need it. */
async function library() {
  const [{ createChallenge, verifySolution }, { deriveKey }] = await Promise.all([
    import('altcha-lib'),
    import('altcha-lib/algorithms/pbkdf2'),
  ]);
  return { createChallenge, verifySolution, deriveKey };
}

/** What the script of the page works on. */
export const proofElement = (challenge: string, { wait, without }: { wait: string; without: string }): Html =>
  html`<div class="captcha" data-challenge="${challenge}"><input type="hidden" name="${ALTCHA_FIELD}" value="">
<p class="hint" role="status" hidden>${wait}</p><noscript><p class="hint">${without}</p></noscript></div>`;
