import { z } from 'zod';
import { type Target, targets } from '../../src/domain/bookings/field-labels.ts';
import { type CampaignField, campaignFields } from '../../src/domain/campaign.ts';
import {
  SECRET_LEAST,
  secret,
  secretHint,
  weaknessOf,
  wholeNumber,
} from '../../src/domain/clinics/setting.ts';
import { networkOf } from '../../src/platform/network/networks.ts';
import { bearer, pathToken } from './authentication/proof.ts';
import { FormSettings } from './form/form-settings.ts';
import { Rule } from './mapping/rule.ts';
import { type PresetName, presetNames, presets } from './presets/presets.ts';

/** What Cal.com sends without a secret, which must not be used as one. */
const notASecret = 'no-secret-provided';

const Origin = z
  .string()
  .refine((text) => originOf(text) !== undefined, 'is not a site such as https://www.clinic.example')
  .describe('Scheme and host of a website, without a path.');

/** An object with known keys rather than a record, so that a misspelt key gets a suggestion. */
type RuleShape = Record<Target | CampaignField, z.ZodExactOptional<typeof Rule>>;

export const WebFormSettings = z
  .strictObject({
    preset: z.enum(presetNames).default('native').describe('The form tool that sends.'),
    token: secret
      .optional()
      .describe(
        'At least 16 characters; make one with: `openssl rand -hex 16`. Senders give it as `Authorization: ' +
          'Bearer TOKEN` or in the address; for `html-form` it signs the form. Changing it invalidates ' +
          'addresses that have it.',
      ),
    secret: secret
      .refine((given) => given !== notASecret, 'is what Cal.com sends when no secret is set; set one there')
      .optional()
      .describe(
        'The tool’s signing secret, at least 16 characters; for `html-form` the secret key of `form.captcha`.',
      ),
    origins: z
      .array(Origin)
      .default([])
      .describe(
        '`html-form`: websites with their own forms, such as `https://www.clinic.example`. The form served ' +
          'here is always accepted.',
      ),
    thanks: z
      .url({ protocol: /^https?$/ })
      .optional()
      .describe(
        'Where browsers go afterwards; `{ref}` is replaced by the reference. Never taken from a request.',
      ),
    limits: z
      .strictObject({
        visitor_10_minutes: wholeNumber(1)
          .default(10)
          .describe('Submissions from one visitor in ten minutes.'),
        visitor_day: wholeNumber(1).default(30).describe('Submissions from one visitor in a day.'),
        shared: z
          .array(z.string().refine((text) => networkOf(text) !== undefined, 'is not an address or network'))
          .default([])
          .describe(
            'Addresses or networks that many visitors share, such as an office’s or the tablet’s at the ' +
              'desk: `[203.0.113.7, 10.0.0.0/8]`. Only `form_hour` limits them.',
          ),
        form_hour: wholeNumber(1)
          .default(100)
          .describe(
            'Full submissions from all visitors together in an hour; up to 300 more are shortened and held.',
          ),
      })
      .prefault({})
      .describe('`html-form`: limits for submissions.'),
    fields: z
      .strictObject(
        Object.fromEntries(
          [...targets, ...campaignFields].map((name) => [name, Rule.exactOptional()]),
        ) as RuleShape,
      )
      .default({})
      .describe(
        'How each field of a booking is filled from the tool’s fields, where the defaults do not fit.',
      ),
    form: FormSettings.prefault({}).describe('`html-form`: the form served at `/in/CONNECTOR/form`.'),
  })
  .superRefine(({ preset, token, secret, form }, context) => {
    if (form.captcha !== undefined && form.captcha.use !== 'altcha' && form.captcha.site_key === undefined)
      context.addIssue({
        code: 'custom',
        path: ['form', 'captcha', 'site_key'],
        message: 'is required: the provider gives it',
      });
    if (form.captcha !== undefined && form.captcha.use !== 'altcha' && secret === undefined)
      context.addIssue({
        code: 'custom',
        path: ['secret'],
        message: 'is required: it is the secret key of `form.captcha`',
      });
    const { proofs } = presets[preset];
    // Where a header will do, the token need not fit into an address.
    const inAddress = proofs.includes(pathToken) && !proofs.includes(bearer);
    if (inAddress && token !== undefined && !/^[\w.~-]*$/.test(token))
      context.addIssue({
        code: 'custom',
        path: ['token'],
        message: 'is part of the address here, so it may have letters, digits, - . _ and ~ only',
      });
    const weakness = token === undefined || token.length < SECRET_LEAST ? undefined : weaknessOf(token);
    if (weakness !== undefined)
      context.addIssue({ code: 'custom', path: ['token'], message: `${weakness}. ${secretHint}` });
    const needed = neededFor(preset);
    if (needed.some((name) => ({ token, secret })[name] !== undefined)) return;
    const [path = 'token'] = needed;
    context.addIssue({
      code: 'custom',
      path: [path],
      message: `is required: the preset ${preset} authenticates senders by ${needed.join(' or ')}`,
    });
  });
export type WebFormSettings = z.infer<typeof WebFormSettings>;

/** Settings of which at least one is required to authenticate senders. */
export function neededFor(preset: PresetName): ('token' | 'secret')[] {
  const { proofs } = presets[preset];
  return proofs.length === 0 ? ['token'] : [...new Set(proofs.map(({ needs }) => needs))];
}

/** `https://www.clinic.example`, as browsers send it; undefined for other text. */
function originOf(text: string): string | undefined {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined;
  return url.pathname === '/' && url.search === '' && url.hash === '' && url.username === ''
    ? url.origin
    : undefined;
}
