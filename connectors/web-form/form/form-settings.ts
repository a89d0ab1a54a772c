import { z } from 'zod';
import { textSetting, wholeNumber } from '../../../src/domain/clinics/setting.ts';
import { Captcha } from './captcha.ts';
import { type FormTextName, shippedLanguages, textNames } from './pages/languages.ts';
import { Look } from './pages/look.ts';

type TextShape = Record<FormTextName, z.ZodExactOptional<z.ZodString>>;

const LanguageTag = z
  .string()
  .refine((tag) => isLanguage(tag), 'is not a language tag such as en, bn or pt-BR');

const LocalText = z.union([textSetting, z.record(LanguageTag, textSetting)]);
type LocalText = z.infer<typeof LocalText>;

/** A configured text in a language, falling back to the clinic's language and then to any. */
export function inLanguage(given: LocalText, lang: string, own: string): string {
  if (typeof given === 'string') return given;
  return given[lang] ?? given[lang.split('-')[0] ?? ''] ?? given[own] ?? Object.values(given)[0] ?? '';
}

const Question = z.strictObject({
  name: z
    .string()
    .regex(/^[a-z][a-z0-9_]{0,30}$/, 'is not a name of lower-case letters, digits and _')
    .describe('Its field is `question_NAME`.'),
  label: LocalText.describe('The question, or one by language: `{ en: …, de: … }`.'),
  type: z.enum(['text', 'choice', 'tick']).default('text').describe('`choice` has `options`.'),
  options: z.array(LocalText).max(50).default([]).describe('The choices.'),
  required: z.boolean().default(false).describe('Whether it must be answered.'),
});
export type Question = z.infer<typeof Question>;

const Consent = z.strictObject({
  text: LocalText.optional().describe(
    'What the visitor agrees to, or one text by language; default: a built-in sentence.',
  ),
  link: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('Address of the privacy policy.'),
  required: z.boolean().default(true).describe('Whether the form requires it.'),
});

export const FormSettings = z.strictObject({
  ask: z
    .array(z.enum(['treatment', 'dentist', 'address', 'email', 'note']))
    .default(['treatment', 'dentist', 'note'])
    .describe(
      'Fields besides name, phone, date and time; also `address` and `email` (a line of the note for the clinic).',
    ),
  show: z
    .array(z.enum(['price', 'duration']))
    .default([])
    .describe('Shown with each treatment: its `price`, its `duration`.'),
  questions: z
    .array(Question)
    .max(10)
    .default([])
    .describe(
      'Questions of the clinic’s own; answers are lines of the note, by `name`, `label`, `type`, `options`, ' +
        '`required`.',
    )
    .refine(
      (all) => new Set(all.map(({ name }) => name)).size === all.length,
      'has two questions with the same name',
    )
    .refine(
      (all) => all.every(({ type, options }) => (type === 'choice') === options.length > 0),
      'has a `choice` without `options`, or `options` without `type: choice`',
    ),
  consent: Consent.optional().describe('A checkbox with a link, recorded in the note. Absent: none.'),
  captcha: Captcha.optional().describe(
    'Asks visitors to prove that they are people: `use: altcha`; or `turnstile` or `hcaptcha` with ' +
      '`site_key` and the provider’s secret key as the connector’s `secret`, which load the provider’s script. ' +
      'Submissions without proof are held.',
  ),
  look: Look.prefault({}).describe(
    'Logo, colours and font of the clinic’s own site: `logo`, `colours`, `font`.',
  ),
  days_ahead: wholeNumber(1, 3650)
    .optional()
    .describe(
      'The last selectable day, in days from today; never beyond `horizon_days`. Default: 90, or ' +
        '`horizon_days` when the opening hours are unknown.',
    ),
  time_step: wholeNumber(5, 240)
    .default(15)
    .describe('Minutes between the times to choose from, from opening time on.'),
  lang: LanguageTag.default('en').describe(
    'The clinic’s own language, in which `texts` are; shown to visitors whose browser accepts none of `languages`.',
  ),
  languages: z
    .array(z.enum(shippedLanguages))
    .optional()
    .describe(
      'Further languages for visitors, chosen by their browser or by `?lang=`; default: all that are ' +
        `shipped (${shippedLanguages.map((one) => `\`${one}\``).join(' ')}); \`[]\` for none.`,
    ),
  dir: z.enum(['ltr', 'rtl']).optional().describe('`rtl` or `ltr`; default: by language.'),
  texts: z
    .strictObject(
      Object.fromEntries(textNames.map((name) => [name, z.string().exactOptional()])) as TextShape,
    )
    .default({})
    .describe(
      'Texts that replace the built-in ones, in the language of `lang`, by the names that `clinic-sync config ' +
        'schema` lists. `{clinic}` becomes the clinic’s name.',
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
