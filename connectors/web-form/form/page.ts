import { type Html, html, type Part } from '../../../src/platform/html.ts';
import type { ClinicShown } from './clinic-facts.ts';
import type { FormSettings } from './form-settings.ts';
import { buttonColours, stylesheet } from './stylesheet.ts';
import { english, type TextName, type Texts } from './texts.ts';

/** Texts and language of the form's pages. */
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

/** Shown after the form when the clinic has no thank-you page. */
export const thanksPage = (
  style: PageStyle,
  { name, phone, colour }: ClinicShown,
  ref: string | undefined,
): Html =>
  page(style, {
    title: say(style, 'thanks_title', name),
    colour,
    body: html`<h1>${say(style, 'thanks_title', name)}</h1>
<p>${say(style, 'thanks_text', name)}</p>
${ref !== undefined && html`<p>${style.texts.thanks_ref} <strong class="ref"><bdi>${ref}</bdi></strong></p>`}
${callUs(style, phone)}
<p><a href="form">${style.texts.thanks_again}</a></p>`,
  });

/** Asks for the clinic where several share the connector. */
export const clinicsPage = (
  style: PageStyle,
  clinics: readonly { clinic: string; name: string | null }[],
  /** The form's address from here. */
  form: string,
): Html =>
  page(style, {
    title: say(style, 'title', null),
    colour: null,
    body: html`<h1>${style.texts.which_clinic}</h1>
<ul class="choices">${clinics.map(({ clinic, name }) => html`<li><a href="${form}?clinic=${clinic}">${name ?? clinic}</a></li>\n`)}</ul>`,
  });
