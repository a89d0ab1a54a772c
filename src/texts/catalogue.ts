import type { Placeholders } from '../platform/text/said.ts';
import type { EnglishParts, english } from './english/english.ts';

/** A text that depends on a count, in the forms of its language (CLDR). */
export type Plural = { readonly other: string } & Readonly<Partial<Record<Intl.LDMLPluralRule, string>>>;

type Translated<Part> = { readonly [Name in keyof Part]: Part[Name] extends string ? string : Plural };

type English = typeof english;
export type TextName = keyof English;
export type Texts = Translated<English>;
/** The file of another language: a missing text does not compile. */
export type LanguageFile = { readonly [Part in keyof EnglishParts]: Translated<EnglishParts[Part]> };

type AllPlaceholders<Name extends TextName> = English[Name] extends string
  ? Placeholders<English[Name]>
  : 'count' | Placeholders<English[Name][keyof English[Name]]>;

/** What a text needs: nothing, or a value for each placeholder. A plural needs `count`, a number. */
export type Values<Name extends TextName, Value> = [AllPlaceholders<Name>] extends [never]
  ? []
  : [
      values: {
        [Placeholder in AllPlaceholders<Name>]: Placeholder extends 'count' ? number : Value;
      },
    ];
