import { type Html, html, type Part } from '../../../src/platform/html.ts';
import type { FormSettings } from './form-settings.ts';
import { buttonColours, stylesheet } from './stylesheet.ts';
import { english, type TextName, type Texts } from './texts.ts';

/** How every page of the form looks and speaks. */
export interface PageStyle {
  texts: Texts;
  lang: string;
  dir: 'ltr' | 'rtl';
}

const rightToLeft = new Set(['ar', 'ckb', 'dv', 'fa', 'he', 'ps', 'sd', 'ug', 'ur', 'yi']);

export function pageStyle({ lang, dir, texts }: FormSettings): PageStyle {
  const language = new Intl.Locale(lang).language;
  return { texts: { ...english, ...texts }, lang, dir: dir ?? (rightToLeft.has(language) ? 'rtl' : 'ltr') };
}

/** A text with the clinic's name in it. */
export const say = ({ texts }: PageStyle, name: TextName, clinic: string | null): string =>
  texts[name].replaceAll('{clinic}', clinic ?? '');

export const page = (
  { lang, dir }: PageStyle,
  { title, colour, body }: { title: string; colour: string | null; body: Part },
): Html => html`<!doctype html>
<html lang="${lang}" dir="${dir}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="data:,">
${stylesheet(buttonColours(colour))}
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`;

export const callUs = (style: PageStyle, phone: string | null): Part =>
  phone !== null &&
  html`<p class="faint">${style.texts.question} <a href="tel:${phone.replace(/[^+\d]/g, '')}" target="_top"><bdi>${phone}</bdi></a></p>`;
