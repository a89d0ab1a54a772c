import { z } from 'zod';
import { wholeNumber } from '../../../src/domain/setting.ts';
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
      'The last day that can be chosen, in days from today; never later than the clinic takes bookings for (`horizon_days`).',
    ),
  lang: LanguageTag.default('en').describe(
    'Language tag of the texts, for screen readers; the days of the week follow it.',
  ),
  dir: z.enum(['ltr', 'rtl']).optional().describe('`rtl` or `ltr`; by language unless named.'),
  texts: z
    .strictObject(
      Object.fromEntries(textNames.map((name) => [name, z.string().exactOptional()])) as TextShape,
    )
    .default({})
    .describe(
      `Texts in place of the English ones, any of: ${textNames.map((name) => `\`${name}\``).join(' ')}. \`{clinic}\` becomes the clinic’s name.`,
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
