import { labelWords } from '../../../src/domain/bookings/field-labels.ts';

/** Words that occur in labels of booking forms, besides those of the labels that are mapped without a rule. */
const moreWords =
  'wish wished desired requested request choose select hour hours slot month year from to at or and if is are ' +
  'the a an you we do can have how what when which where who why ' +
  'email e mail subject age birth birthday dob gender title member id number no code zip postal postcode ' +
  'city state country region area branch location clinic office company website url page link source referrer ' +
  'heard about us hear campaign utm medium term content gclid fbclid consent agree accept terms privacy policy ' +
  'newsletter marketing reason visit first new existing returning ' +
  'field fields input text textarea checkbox radio dropdown file upload hidden form entry question answer option ' +
  'q ip user agent browser device remote created updated submitted timestamp submission status token nonce post';

const words = new Set([...labelWords(), ...moreWords.split(' ')]);

const LONGEST = 60;
/** Enough for the fields `12.3` and `input_12`; too few for a phone number or a date. */
const MOST_DIGITS = 3;

/**
 * Whether a field's name may be stored and shown: only words that forms use, and few digits. Any other may contain what
 * a visitor wrote, such as a line of a message with a colon, or a key that a script made up.
 */
export function isFormLabel(name: string): boolean {
  if (name.length > LONGEST || !/^[\w .,:?*()/[\]-]+$/.test(name)) return false;
  if (name.replace(/\D/g, '').length > MOST_DIGITS) return false;
  return wordsOf(name).every((word) => words.has(word));
}

/** `g-recaptchaResponse` gives g, recaptcha and response. */
const wordsOf = (name: string): string[] =>
  name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter(Boolean);

const machineWords = new Set('nonce wpnonce token secret altcha gotcha ip cvc cvv iban'.split(' '));
const machineNames = /captcha|turnstile|honeypot|csrf|xsrf|passw|form_?key|api_?key|user[_ -]?agent/i;

/** Whether a field is meant for programs, by its name: a proof, a trap, a password. The clinic has no use for it. */
export const isMachineName = (name: string): boolean =>
  machineNames.test(name) || wordsOf(name).some((word) => machineWords.has(word));
