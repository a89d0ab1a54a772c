import { z } from 'zod';
import { parseBytes } from '../../platform/bytes.ts';
import { validateCron } from '../../platform/cron.ts';
import { DAY, parseDuration } from '../../platform/duration.ts';
import { networkOf } from '../../platform/network/networks.ts';
import { closest } from '../../platform/text/closest.ts';
import { isTimeZone } from '../date-time.ts';

/**
 * The types of setting values, for the daemon and connectors: one rule and one message each. A setting is described
 * where it is declared; READMEs, the example file and the JSON Schema repeat that description.
 */
export const textSetting = z.string().min(1);

export const wholeNumber = (least: number, most = Number.MAX_SAFE_INTEGER) => {
  const whole = z.number().int().min(least);
  return most === Number.MAX_SAFE_INTEGER ? whole : whole.max(most);
};

/** Minimum length of a token or secret. */
export const SECRET_LEAST = 16;
const FEWEST_DIFFERENT = 8;
/** Beside the words that are guessed first. */
const FEWEST_LETTERS = 4;
/** What people put together instead of making a secret. */
const guessed =
  /admin(istrator)?|pass(word|wort)?|dental|dentist|smile|tooth|teeth|secret|token|change-?me|let-?me-?in|welcome|default|example|clinic|sync|test|demo|user|qwert[yz](uiop)?|asdf(gh)?|abcdef(gh)?|0?123456(789)?0?/gi;

/** How to make a good one. */
export const secretHint = 'Make one with: openssl rand -hex 16';

/** `P4ssw0rd` is one of the words, too. */
const letters = new Map([...'013457$@'].map((sign, index) => [sign, 'oieastsa'.charAt(index)]));
const unleet = (text: string): string => text.replace(/[013457$@]/g, (sign) => letters.get(sign) ?? sign);

/** Why a token can be guessed; undefined if it cannot. */
export function weaknessOf(text: string): string | undefined {
  if (text.length < SECRET_LEAST) return `must be at least ${SECRET_LEAST} characters`;
  const isGuessed = [text, unleet(text)].some((one) => {
    const rest = one.replace(guessed, '').replace(/\P{L}/gu, '');
    return rest.length < FEWEST_LETTERS && one.search(guessed) >= 0;
  });
  const isWeak = isGuessed || new Set(text).size < FEWEST_DIFFERENT || unforeseen(text) < FEWEST_UNFORESEEN;
  return isWeak ? 'is easy to guess' : undefined;
}

const FEWEST_UNFORESEEN = 6;
const rows = 'abcdefghijklmnopqrstuvwxyz 01234567890 qwertyuiop asdfghjkl zxcvbnm';
const runs = rows + [...rows].reverse().join('');

/** Characters that neither repeat a beginning to the end nor go on a run such as `fedcba`, `asdfgh` or `a1b2c3`. */
function unforeseen(text: string): number {
  const signs = [...text.toLowerCase()];
  const isRepeated = [2, 3, 4, 5, 6, 7, 8, 9, 10].some((length) =>
    signs.every((sign, at) => at < length || sign === signs[at - length]),
  );
  if (isRepeated) return 0;
  const goesOn = (sign: string, at: number) =>
    runs.includes(`${signs[at - 1]}${sign}`) || rows.includes(`${signs[at - 2]}${sign}`);
  return signs.filter((sign, at) => !goesOn(sign, at)).length;
}

export const secret = z.string().min(SECRET_LEAST);

export const secretFile = (what: string) => textSetting.optional().describe(`File that holds the ${what}.`);

export const approval = z.enum(['none', 'required']).default('none');

export const network = z
  .string()
  .refine((given) => networkOf(given) !== undefined, 'must be an address or a network such as 10.0.0.0/8');

/** An http or https URL without credentials, because URLs are shown. */
export const webAddress = (instead = '') =>
  z.url({ protocol: /^https?$/ }).refine((address) => {
    const { username, password } = URL.parse(address) ?? {};
    return !username && !password;
  }, `must not contain a user name or a password${instead}`);

export const timeZone = z.string().refine(isTimeZone, { error: ({ input }) => notAZone(String(input)) });

const cityOf = (zone: string): string => zone.slice(zone.lastIndexOf('/') + 1);

/** Suggests the zone probably meant, by its full name or its city. */
function notAZone(given: string): string {
  const zones = Intl.supportedValuesOf('timeZone');
  const city = closest(cityOf(given), zones.map(cityOf));
  const near = closest(given, zones) ?? zones.find((zone) => cityOf(zone) === city);
  return near
    ? `is not an IANA time zone; did you mean ${near}?`
    : 'is not an IANA time zone such as Europe/London';
}

/** A retention time of at least `days`. */
export const keptFor = (days: number) =>
  z
    .string()
    .refine(
      (given) => (parseDuration(given) ?? 0) >= days * DAY,
      `must be at least ${days}d, such as 90d, 6mo or 3y`,
    );

/** A duration of at least `least`. */
export const longerThan = (least: string) =>
  z
    .string()
    .refine(
      (given) => (parseDuration(given) ?? 0) >= (parseDuration(least) ?? 0),
      `must be a duration of at least ${least}, such as 12h or 1d`,
    );

export const byteSize = z
  .string()
  .refine((given) => parseBytes(given) !== undefined, 'must be an amount such as 200MB or 1GB');

export const cronExpression = z
  .string()
  .refine((given) => validateCron(given) === undefined, {
    error: ({ input }) =>
      `is not a cron expression such as "*/15 * * * *": ${validateCron(String(input)) ?? ''}`,
  })
  .meta({ format: 'cron' });

/** The key of a clinic or connector, which appears in URLs, file names and rows. */
export const keyName = (longest: number) =>
  z
    .string()
    .regex(
      new RegExp(`^[a-z0-9][a-z0-9_-]{0,${longest - 1}}$`),
      'must be lower-case letters, digits, - and _',
    );
