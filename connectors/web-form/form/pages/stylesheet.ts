import { assetOf } from '../../../../src/platform/text/asset.ts';
import { type Html, html, verbatim } from '../../../../src/platform/text/html.ts';
import { buttonColours } from './colour.ts';
import { type Look, type Palette, palettes } from './look.ts';

/** Inline, because a framed form loads no other file. Uses logical properties only, so that it mirrors for rtl. */
export function formStylesheet(look: Look, colour: string | null, theme?: 'light' | 'dark'): Html {
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
