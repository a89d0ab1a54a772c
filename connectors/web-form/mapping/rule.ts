import { z } from 'zod';
import { textSetting, timeZone } from '../../../src/domain/clinics/setting.ts';
import { isDateTimeFormat } from '../../../src/domain/date-time-format.ts';

const Options = z
  .record(z.string(), z.union([z.string(), z.number().int()]))
  .describe('What each answer means: `{ "Dr. Ann (mornings)": 3 }`. Other answers stay as they are.');

const From = z.strictObject({
  from: z
    .union([textSetting, z.array(textSetting).min(1)])
    .describe('A field, or a text with {{fields}} in it; of several, the first that was filled in.'),
  format: z
    .string()
    .refine(isDateTimeFormat, 'is not a format such as DD/MM/YYYY, h:mm A or DD.MM.YYYY HH:mm')
    .optional()
    .describe('How the tool writes dates and times: DD/MM/YYYY, MM/DD/YYYY, h:mm A, …'),
  zone: timeZone.optional().describe('The zone of a date and time that names none; default: the clinic’s.'),
  pick: z
    .enum(['all', 'first', 'last'])
    .default('all')
    .describe('Which answers of a list to take; `all` are joined with commas.'),
  options: Options.optional(),
});

/** How to fill a booking's field: a text with `{{fields}}`, a constant, or `from` with how to read it. */
export const Rule = z.union([z.string(), z.number(), From]);
export type Rule = z.infer<typeof Rule>;

/** A rule in its complete form. */
export interface FieldSource {
  /** Tried in order. */
  from: readonly string[];
  format?: string | undefined;
  zone?: string | undefined;
  pick: 'all' | 'first' | 'last';
  options?: Readonly<Record<string, string | number>> | undefined;
}

export type PlainRule = { constant: string | number } | FieldSource;

export function plainRule(rule: Rule): PlainRule {
  if (typeof rule === 'number') return { constant: rule };
  if (typeof rule === 'string')
    return placeholder.test(rule) ? { from: [rule], pick: 'all' } : { constant: rule };
  return { ...rule, from: [rule.from].flat() };
}

/** `{{First Name}}` */
const placeholder = /\{\{([^{}]+)\}\}/;
export const isTemplate = (text: string): boolean => placeholder.test(text);

/** Replaces every placeholder and collapses the spaces that empty ones leave. */
export const fillTemplate = (text: string, value: (name: string) => string): string =>
  text
    .replace(new RegExp(placeholder, 'g'), (_whole, name: string) => value(name.trim()))
    .replace(/ {2,}/g, ' ')
    .trim();

export const placeholdersOf = (text: string): string[] =>
  [...text.matchAll(new RegExp(placeholder, 'g'))].map(([, name = '']) => name.trim());
