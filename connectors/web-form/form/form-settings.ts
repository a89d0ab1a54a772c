import { z } from 'zod';
import { text, wholeNumber } from '../../../src/domain/setting.ts';
import { Captcha } from './captcha.ts';
import { shippedLanguages } from './languages.ts';
import { Look } from './look.ts';
import { type TextName, textNames } from './texts.ts';

type TextShape = Record<TextName, z.ZodExactOptional<z.ZodString>>;

const LanguageTag = z
  .string()
  .refine((tag) => isLanguage(tag), 'is not a language tag such as en, bn or pt-BR');

const LocalText = z.union([text, z.record(LanguageTag, text)]);
type LocalText = z.infer<typeof LocalText>;

/** A configured text in a language, falling back to the clinic's language and then to any. */
export function inLanguage(given: LocalText, lang: string, own: string): string {
  if (typeof given === 'string') return given;
  return given[lang] ?? given[lang.split('-')[0] ?? ''] ?? given[own] ?? Object.values(given)[0] ?? '';
}

const Question = z.strictObject({
  name: z
    .string()
    .regex(/^[a-z][a-z0-9_]{0,30}$/, 'is not a name of small letters, digits and _')
    .describe('Its field is `question_NAME`.'),
  label: LocalText.describe('The question, or one by language: `{ en: …, de: … }`.'),
  type: z.enum(['text', 'choice', 'tick']).default('text').describe('`choice` has `options`.'),
  options: z.array(LocalText).max(50).default([]).describe('What can be chosen.'),
  required: z.boolean().default(false).describe('Whether it must be answered.'),
});
export type Question = z.infer<typeof Question>;

const Consent = z.strictObject({
  text: LocalText.optional().describe('What is agreed to, or by language; a sentence of ours unless named.'),
  link: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('The privacy policy.'),
  required: z.boolean().default(true).describe('Whether the form can be sent without it.'),
});

export const FormSettings = z.strictObject({
  ask: z
    .array(z.enum(['treatment', 'dentist', 'address', 'email', 'note']))
    .default(['treatment', 'dentist', 'note'])
    .describe(
      'What is asked for besides name, phone, date and time; also `address` and `email` (a line of the note that the clinic gets).',
    ),
  show: z
    .array(z.enum(['price', 'duration']))
    .default([])
    .describe('What stands beside each treatment: its `price`, its `duration`.'),
  questions: z
    .array(Question)
    .max(10)
    .default([])
    .describe(
      'Questions of the clinic’s own; answers are lines of the note, by `name`, `label`, `type`, `options`, `required`.',
    )
    .refine(
      (all) => new Set(all.map(({ name }) => name)).size === all.length,
      'has two questions of one name',
    )
    .refine(
      (all) => all.every(({ type, options }) => (type === 'choice') === options.length > 0),
      'has a `choice` without `options`, or `options` without `type: choice`',
    ),
  consent: Consent.optional().describe('A tick with a link, recorded in the note. Absent: none.'),
  captcha: Captcha.optional().describe(
    'Asks visitors to prove that they are people: `use: altcha`; or `turnstile` or `hcaptcha` with `site_key` and the provider’s secret key as the connector’s `secret`, which load the provider’s script. Who does not is held.',
  ),
  look: Look.prefault({}).describe(
    'Logo, colours and font of the clinic’s own site: `logo`, `colours`, `font`.',
  ),
  days_ahead: wholeNumber(1, 3650)
    .optional()
    .describe(
      'The last day that can be chosen, in days from today; never later than the clinic takes bookings for (`horizon_days`). Unless named 90, or all of them where the opening hours are not known.',
    ),
  lang: LanguageTag.default('en').describe(
    'The clinic’s own language, of `texts`; shown to visitors whose browser asks for none of `languages`.',
  ),
  languages: z
    .array(z.enum(shippedLanguages))
    .optional()
    .describe(
      `The languages that visitors can have besides, by their browser or by \`?lang=\`: all that are shipped unless named (${shippedLanguages.map((one) => `\`${one}\``).join(' ')}); \`[]\` for none.`,
    ),
  dir: z.enum(['ltr', 'rtl']).optional().describe('`rtl` or `ltr`; by language unless named.'),
  texts: z
    .strictObject(
      Object.fromEntries(textNames.map((name) => [name, z.string().exactOptional()])) as TextShape,
    )
    .default({})
    .describe(
      `Texts in place of the shipped ones, in the language of \`lang\`, any of: ${textNames.map((name) => `\`${name}\``).join(' ')}. \`{clinic}\` becomes the clinic’s name.`,
    ),
});
export type FormSettings = z.infer<typeof FormSettings>;

function isLanguage(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}
