import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import type { Clock } from '../../../src/platform/clock.ts';
import { sameSecret } from '../../../src/platform/constant-time.ts';
import { DAY } from '../../../src/platform/duration.ts';

/** Only bots fill in a form faster than this. */
const SHORTEST_MS = 2_500;
/** After this, the form is shown again with what was typed. */
const LONGEST_MS = DAY;

const IV_BYTES = 12;
const TAG_BYTES = 16;
const LONGEST_SEALED = 200;

/** The hidden fields of a rendered form. */
export interface HiddenFields {
  submission_id: string;
  form_token: string;
}

export type Pass =
  | {
      state: 'good' | 'early' | 'late';
      submissionId: string;
      clinic: string;
      ageMs: number;
      /** True for a form that was shown again to be checked by the visitor. */
      asked: boolean;
      /**
       * True for a form that no window of a browser asked for, as far as the browser said: perhaps another site did.
       */
      fetched: boolean;
    }
  /** No token, or a forged one. */
  | { state: 'none' };

interface Issue {
  /** Default: a new one. */
  submissionId?: string | undefined;
  ageMs?: number;
  asked?: boolean;
  fetched?: boolean;
}

const ASKED = 'asked';
const FETCHED = 'fetched';
const newId = (): string => randomBytes(16).toString('base64url');

export type FormPasses = ReturnType<typeof createFormPasses>;

/** Signs every rendered form with its time, clinic and id. */
export function createFormPasses(options: { key: string; connector: string; clock: Clock }) {
  const { key, connector, clock } = options;
  const sign = (...parts: string[]) =>
    createHmac('sha256', key)
      .update(['clinic-sync form', connector, ...parts].join('\n'))
      .digest('base64url');

  const seal = createHmac('sha256', key).update(['clinic-sync visit', connector].join('\n')).digest();

  return {
    /** Encrypts text for an address, so that nobody else can read or change it (AES-256-GCM). */
    sealed(text: string): string {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv('aes-256-gcm', seal, iv);
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url');
    },
    /** Undefined for text that was not sealed here. */
    unsealed(given: string): string | undefined {
      const bytes = Buffer.from(given, 'base64url');
      if (bytes.length <= IV_BYTES + TAG_BYTES || bytes.length > LONGEST_SEALED) return undefined;
      const decipher = createDecipheriv('aes-256-gcm', seal, bytes.subarray(0, IV_BYTES));
      decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
      try {
        const text = decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES));
        return Buffer.concat([text, decipher.final()]).toString('utf8');
      } catch {
        return undefined;
      }
    },
    /** `ageMs`: issued as if the form had been rendered this long ago. */
    issue(
      clinic: string,
      { submissionId = newId(), ageMs = 0, asked = false, fetched = false }: Issue = {},
    ): HiddenFields {
      const at = String(clock.now() - ageMs);
      // Who was asked has seen the form in a window, whoever fetched it first.
      const how = asked ? [ASKED] : fetched ? [FETCHED] : [];
      const form_token = [at, clinic, sign(submissionId, at, clinic, ...how)].join('.');
      return { submission_id: submissionId, form_token };
    },
    read({ submission_id: submissionId, form_token }: HiddenFields): Pass {
      const [at = '', clinic = '', mac = ''] = form_token.split('.');
      const isSigned = (...how: string[]) => sameSecret(mac, sign(submissionId, at, clinic, ...how));
      const [asked, fetched] = [isSigned(ASKED), isSigned(FETCHED)];
      if (!asked && !fetched && !isSigned()) return { state: 'none' };
      const ageMs = clock.now() - Number(at);
      const state = ageMs < SHORTEST_MS ? 'early' : ageMs > LONGEST_MS ? 'late' : 'good';
      return { state, submissionId, clinic, ageMs, asked, fetched };
    },
  };
}
