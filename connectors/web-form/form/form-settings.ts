import { z } from 'zod';
import { wholeNumber } from '../../../src/domain/setting.ts';
import { shippedLanguages } from './languages.ts';
import { type TextName, textNames } from './texts.ts';

type TextShape = Record<TextName, z.ZodExactOptional<z.ZodString>>;

const LanguageTag = z
  .string()
  .refine((tag) => isLanguage(tag), 'is not a language tag such as en, bn or pt-BR');

/** The form that is served at `/in/{connector}/form`. */
export const FormSettings = z.strictObject({
  ask: z
    .array(z.enum(['treatment', 'dentist', 'address', 'note']))
    .default(['treatment', 'dentist', 'note'])
    .describe('What is asked for besides name, phone, date and time; also `address`.'),
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
