import type { FieldFault } from '../../../src/domain/bookings/booking.ts';
import type { FormTextName } from './pages/languages.ts';
import { BROWSER_FAILED, BROWSER_INSECURE } from './proof-of-work.ts';

/** Why a submission is not taken as it came. */
export type FormDoubt =
  | 'early'
  | 'late'
  | 'no_pass'
  | 'trap'
  | 'other_site'
  | 'no_proof'
  | 'other_host'
  | 'used';

interface Answer {
  /** What the form says when it is shown again, filled in. */
  again: FormTextName;
  /** Why it is held: its visitor was asked and it is still in doubt, or a program sent it, which cannot be asked. */
  held?: FieldFault;
}

/**
 * A visitor is asked once, and then the submission is taken or held: neither a proxy, nor a browser, nor a helpful
 * program may cost a lead.
 */
export const doubts: Readonly<Record<FormDoubt, Answer>> = {
  early: { again: 'error_early' },
  late: { again: 'error_late' },
  no_pass: {
    again: 'error_review',
    held: {
      field: 'form_token',
      message:
        'Its form has no valid token of ours. Something between the visitor and clinic-sync changed it.',
    },
  },
  trap: {
    again: 'error_trap',
    held: {
      field: 'form',
      message: 'A field that people do not see was filled in. A program, or the visitor’s browser, did it.',
    },
  },
  other_site: {
    again: 'error_review',
    held: { field: 'form', message: 'It came from a website that `origins` does not list.' },
  },
  no_proof: {
    again: 'error_check',
    held: {
      field: 'captcha',
      message: 'The check for people was not passed, or could not be made. A program may have sent this.',
    },
  },
  other_host: {
    again: 'error_check',
    held: {
      field: 'captcha',
      message:
        'The check for people was passed on a website that is neither the form’s own nor in `origins`.',
    },
  },
  used: {
    again: 'error_review',
    held: {
      field: 'form',
      message: 'Another person sent the same form before. Something in front of clinic-sync keeps the page.',
    },
  },
};

/** With the true cause, as far as the browser knows it. */
export function heldFor(doubt: FormDoubt, captcha: string): FieldFault | undefined {
  const { held } = doubts[doubt];
  if (doubt !== 'no_proof' || held === undefined) return held;
  return { ...held, message: noProof[captcha] ?? held.message };
}

const noProof: Readonly<Record<string, string>> = {
  '': 'The visitor’s browser did not do the check for people: it runs no scripts, or something in front changes them.',
  [BROWSER_FAILED]: 'The visitor’s browser could not do the check for people.',
  [BROWSER_INSECURE]:
    'The page around the form came over http, where the visitor’s browser does not offer the check for people.',
};
