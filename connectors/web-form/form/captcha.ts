import got from 'got';
import { z } from 'zod';
import type { PageSources } from '../../../src/connector.ts';
import { webAddress } from '../../../src/domain/clinics/setting.ts';
import type { Clock } from '../../../src/platform/clock.ts';
import { MINUTE, SECOND } from '../../../src/platform/duration.ts';
import { type Html, html } from '../../../src/platform/text/html.ts';
import { ALTCHA_FIELD } from './proof-of-work.ts';

interface Provider {
  /** The provider's script, and everything else that it may load. */
  script: string;
  sources: readonly string[];
  /** The class of the element that the script fills, and the field that it adds. */
  element: string;
  field: string;
  /**
   * Where tokens are checked, by a form of `secret` and `response` that is answered `{"success": true, "hostname":
   * "…"}`.
   */
  verify: string;
}

/**
 * https://developers.cloudflare.com/turnstile/get-started/server-side-validation/ and
 * https://docs.hcaptcha.com/#verify-the-user-response-server-side
 */
const providers = {
  turnstile: {
    script: 'https://challenges.cloudflare.com/turnstile/v0/api.js',
    sources: ['https://challenges.cloudflare.com'],
    element: 'cf-turnstile',
    field: 'cf-turnstile-response',
    verify: 'https://challenges.cloudflare.com/turnstile/v0/siteverify',
  },
  hcaptcha: {
    script: 'https://js.hcaptcha.com/1/api.js',
    sources: ['https://hcaptcha.com', 'https://*.hcaptcha.com'],
    element: 'h-captcha',
    field: 'h-captcha-response',
    verify: 'https://api.hcaptcha.com/siteverify',
  },
} as const satisfies Record<string, Provider>;

export const Captcha = z.strictObject({
  use: z
    .enum(['altcha', 'turnstile', 'hcaptcha'])
    .describe('ALTCHA’s proof of work, which needs no third party; Cloudflare Turnstile or hCaptcha.'),
  site_key: z
    .string()
    .regex(/^[\w-]{8,100}$/, 'is not a site key')
    .optional()
    .describe('The public key of Turnstile or hCaptcha; the secret key is the connector’s `secret`.'),
  verify_url: webAddress()
    .optional()
    .describe('Where answers are checked; default: the provider’s own address.'),
});
export type Captcha = z.infer<typeof Captcha>;

/** A captcha served by another company. */
type ProviderCaptcha = Captcha & { use: keyof typeof providers };
export const isProvider = (captcha: Captcha): captcha is ProviderCaptcha => captcha.use !== 'altcha';

export const scriptHostsOf = (captcha: Captcha): string[] =>
  isProvider(captcha) ? [new URL(providers[captcha.use].script).host] : [];

export const captchaSources = (captcha: Captcha): PageSources => {
  if (!isProvider(captcha)) return {};
  const { use } = captcha;
  const sources = [...providers[use].sources];
  return { 'script-src': sources, 'frame-src': sources, 'connect-src': sources };
};

/** Without scripts, only the sentence for that case is shown. */
export const captchaElement = ({ use, site_key }: ProviderCaptcha, lang: string, help: string): Html => {
  const { script, element } = providers[use];
  return html`<div class="captcha">
<div class="${element}" data-sitekey="${site_key}" data-language="${lang}" data-size="flexible"></div>
<p class="hint">${help}</p><script src="${script}" async defer></script></div>`;
};

export const captchaField = (captcha: Captcha): string =>
  isProvider(captcha) ? providers[captcha.use].field : ALTCHA_FIELD;

/** Kept short, because the visitor waits for it. */
const LONGEST_MS = 3 * SECOND;
const LONGEST_TOKEN = 10_000;
const REMEMBERED = 1_000;
/** For as long a provider's token is good. */
const REMEMBERED_MS = 5 * MINUTE;

/** What hCaptcha gives instead of the host while it is busy. */
const NO_HOST = 'not-provided';

/** A visitor proved to be a person, on the website that the provider names, if it does. */
export interface PersonProof {
  host?: string;
}

const provenOn = (host: unknown): PersonProof =>
  typeof host === 'string' && host !== NO_HOST ? { host } : {};

/** The proof that the visitor who sent this form is a person, by the token that the provider gave. */
type CaptchaCheck = (formId: string, token: string) => Promise<PersonProof | undefined>;

/**
 * Asks the provider whether a token is from a person. Undefined also without an answer: a person at the clinic then
 * decides. A token is good for one form, whatever the provider says of it again; its answer is remembered for that
 * form, which may be sent twice. Does not throw.
 */
export function captchaCheck(
  { use, site_key, verify_url }: ProviderCaptcha,
  secret: string,
  clock: Clock,
): CaptchaCheck {
  interface Asked {
    formId: string;
    answer: Promise<PersonProof | 'none' | undefined>;
    until: number;
  }
  const known = new Map<string, Asked>();
  /** Undefined without an answer. */
  const ask = async (response: string): Promise<PersonProof | 'none' | undefined> => {
    try {
      const { success, hostname } = await got
        .post(verify_url ?? providers[use].verify, {
          form: { secret, response, ...(site_key !== undefined && { sitekey: site_key }) },
          timeout: { request: LONGEST_MS },
          retry: { limit: 0 },
          followRedirect: false,
        })
        .json<{ success?: unknown; hostname?: unknown }>();
      if (success !== true) return success === false ? 'none' : undefined;
      return provenOn(hostname);
    } catch {
      return undefined;
    }
  };
  const forgetOld = (now: number) => {
    for (const [old, { until }] of known) {
      if (until > now && known.size <= REMEMBERED) break;
      known.delete(old);
    }
  };
  return async (formId, token) => {
    if (token === '' || token.length > LONGEST_TOKEN) return undefined;
    const now = clock.monotonic();
    forgetOld(now);
    const asked = known.get(token) ?? { formId, answer: ask(token), until: now + REMEMBERED_MS };
    if (asked.formId !== formId) return undefined;
    known.set(token, asked);
    const proof = await asked.answer;
    if (proof === undefined) known.delete(token);
    return proof === 'none' ? undefined : proof;
  };
}
