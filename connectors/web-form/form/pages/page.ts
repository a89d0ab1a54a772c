import { clinicLabels } from '../../../../src/domain/clinics/clinic-label.ts';
import { assetOf } from '../../../../src/platform/text/asset.ts';
import { type Html, html, type Part, verbatim } from '../../../../src/platform/text/html.ts';
import { directionOf, ownName } from '../../../../src/platform/text/languages.ts';
import type { RequestedVisit } from '../calendar.ts';
import type { ClinicShown } from '../clinic-facts.ts';
import type { FormSettings } from '../form-settings.ts';
import { type Formats, formatsOf } from '../formats.ts';
import type { Here } from '../here.ts';
import { browserScriptElement } from './browser-script.ts';
import { buttonColours } from './colour.ts';
import { catalogue, type FormTextName, shippedLanguages, type Texts } from './languages.ts';
import { type Look, type Palette, palettes } from './look.ts';

/** Texts and language of the form's pages. */
export interface PageStyle {
  texts: Texts;
  lang: string;
  dir: 'ltr' | 'rtl';
  formats: Formats;
  look: Look;
  /** Whether the website around the frame is light or dark; undefined: as the visitor's system. */
  theme: 'light' | 'dark' | undefined;
  here: Here;
  /** Languages that a visitor can switch to. */
  offered: readonly string[];
}

/** The configured language comes first: visitors get it when their browser accepts none of the others. */
export const offeredLanguages = ({ lang, languages }: FormSettings): [string, ...string[]] => [
  lang,
  ...(languages ?? shippedLanguages).filter((one) => one !== lang),
];

/** Configured texts are only in the configured language, and are used in no other. */
export function pageStyle(
  settings: FormSettings,
  { lang, theme, here }: Pick<PageStyle, 'lang' | 'theme' | 'here'>,
): PageStyle {
  const { language } = new Intl.Locale(lang);
  const isOwn = lang === settings.lang;
  const shipped: Texts = Object.entries(catalogue).find(([tag]) => tag === language)?.[1] ?? catalogue.en;
  return {
    texts: isOwn ? { ...shipped, ...settings.texts } : shipped,
    lang,
    dir: (isOwn ? settings.dir : undefined) ?? directionOf(language),
    formats: formatsOf(lang),
    look: settings.look,
    theme,
    here,
    offered: offeredLanguages(settings),
  };
}

/** A text with the clinic's name filled in. */
export const say = ({ texts }: PageStyle, name: FormTextName, clinic: string | null): string =>
  texts[name].replaceAll('{clinic}', clinic ?? '');

export const visitorPage = (
  { lang, dir, look, theme, here }: PageStyle,
  { title, colour, body }: { title: string; colour: string | null; body: Part },
): Html => html`<!doctype html>
<html lang="${lang}" dir="${dir}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:,">
${formStylesheet(look, colour, theme)}
</head>
<body>
<main>
${body}
</main>
${browserScriptElement(here)}
</body>
</html>
`;

/** The clinic's logo, with its name for those who do not see it, or its name alone. */
export const clinicHead = ({ look }: PageStyle, name: string | null): Part =>
  look.logo === undefined
    ? name !== null && html`<p class="faint">${name}</p>`
    : html`<img class="logo" src="${look.logo}" alt="${name ?? ''}">`;

export const callUs = (style: PageStyle, phone: string | null): Part =>
  phone !== null && html`<p class="faint">${style.texts.question} ${callLink(phone)}</p>`;

export const callLink = (phone: string): Html =>
  html`<a href="tel:${phone.replace(/[^+\d]/g, '')}" target="_top"><bdi dir="ltr">${phone}</bdi></a>`;

/** Instead of days to choose from, while the clinic is closed on all of them. */
export const callBack = ({ texts }: PageStyle, phone: string | null): Html =>
  html`<div class="notice"><p>${texts.no_day}</p>
${phone !== null && html`<p>${texts.no_day_call} <strong>${callLink(phone)}</strong></p>`}</div>`;

/** Links to the same page in the other languages, each in its own. */
export function languageLinks(
  { texts, lang, offered, here }: PageStyle,
  /** Other parameters of the address, such as the clinic. */
  more: Readonly<Record<string, string>>,
): Part {
  if (offered.length < 2) return undefined;
  const links = offered.map((one) => {
    const current = one === lang && html` aria-current="true"`;
    return html`
      <li>
        <a href="${here({ ...more, lang: one })}" lang="${one}" hreflang="${one}"${current}>
          ${ownName(one)}
        </a>
      </li>
    `;
  });
  return html`
    <details class="languages">
      <summary>${texts.language}: ${ownName(lang)}</summary>
      <ul>${links}</ul>
    </details>
  `;
}

interface Thanks {
  ref: string | undefined;
  /** Parameters of the next form's address. */
  again: Readonly<Record<string, string>>;
  /** What was asked for, and the address of a file with it for the visitor's calendar. */
  asked: { visit: RequestedVisit; calendar: string } | undefined;
  /** The clinic's own thank-you page, which a frame could not lead to. */
  own: string | undefined;
}

/** Shown after the form unless the clinic has its own thank-you page, or a frame cannot lead to it. */
export const formThanksPage = (
  style: PageStyle,
  { name, phone, colour }: ClinicShown,
  { ref, again, asked, own }: Thanks,
): Html =>
  visitorPage(style, {
    title: say(style, 'thanks_title', name),
    colour,
    body: html`
      ${clinicHead(style, name)}<h1>${say(style, 'thanks_title', name)}</h1>
      <p>${say(style, 'thanks_text', name)}</p>
      ${
        ref !== undefined &&
        html`<p>${style.texts.thanks_ref} <strong class="ref"><bdi dir="ltr">${ref}</bdi></strong></p>`
      }
      ${
        asked &&
        html`
          <p><strong>${visitText(style, asked.visit)}</strong></p>
          <p><a href="${asked.calendar}">${style.texts.calendar}</a></p>
        `
      }
      ${
        own !== undefined &&
        html`<p><a href="${own}" target="_top" data-next><bdi dir="ltr">${URL.parse(own)?.host}</bdi></a></p>`
      }
      ${callUs(style, phone)}
      <p><a href="${style.here(again)}">${style.texts.thanks_again}</a></p>
    `,
  });

/** `Tuesday, March 10 · 10:30` */
const visitText = ({ formats }: PageStyle, { date, time }: RequestedVisit): Part =>
  html`<bdi>${formats.day(Date.parse(date))}</bdi> · <bdi>${formats.time(time)}</bdi>`;

/** Asks for the clinic when several share the connector. */
export const formClinicsPage = (
  style: PageStyle,
  clinics: readonly { clinic: string; name: string | null }[],
  more: Readonly<Record<string, string>>,
): Html =>
  visitorPage(style, {
    title: say(style, 'title', null),
    colour: null,
    body: html`
      <h1>${style.texts.which_clinic}</h1>
      <ul class="choices">
        ${clinics.map(
          (one) => html`
            <li>
              <a href="${style.here({ ...more, clinic: one.clinic })}">${clinicLabels(clinics)(one)}</a>
            </li>
          `,
        )}
      </ul>
    `,
  });

/** Inline, because a framed form loads no other file. Uses logical properties only, so that it mirrors for rtl. */
function formStylesheet(look: Look, colour: string | null, theme?: 'light' | 'dark'): Html {
  const { font, colours } = look;
  const { scheme, light, dark } = palettes(colours, theme);
  const button = buttonColours(colours.button ?? colour);
  const face =
    font?.url !== undefined &&
    html`@font-face { font-family: "${font.family}"; src: url("${font.url}") format("woff2"); font-display: swap; }`;
  return html`
    <style>
      ${face} :root { color-scheme: ${scheme}; ${variables(light)} --button: ${button.ground}
      ; --on-button: ${button.text}
      ; } ${dark && html`@media (prefers-color-scheme: dark) { :root { ${variables(dark)} } }`} body { font:
      1rem/1.5 ${font && html`"${font.family}", `}
      system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; } ${rules}
    </style>
  `;
}

const variables = (palette: Palette): Html =>
  html`
    ${Object.entries(palette).map(
      ([name, value]) =>
        html`--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}: ${value}; `,
    )}
  `;

const rules = verbatim(assetOf(new URL('./assets/form.css', import.meta.url)));
