import { type Html, html } from '../../../../src/platform/text/html.ts';
import { buttonColours } from './colour.ts';
import { type Look, type Palette, palettes } from './look.ts';

/** Inline, because a framed form loads no other file. Uses logical properties only, so that it mirrors for rtl. */
export function stylesheet(look: Look, colour: string | null, theme?: 'light' | 'dark'): Html {
  const { font, colours } = look;
  const { scheme, light, dark } = palettes(colours, theme);
  const button = buttonColours(colours.button ?? colour);
  const face =
    font?.url !== undefined &&
    html`@font-face { font-family: "${font.family}"; src: url("${font.url}") format("woff2"); font-display: swap; }`;
  return html`<style>
${face}
:root { color-scheme: ${scheme}; ${variables(light)} --button: ${button.ground}; --on-button: ${button.text}; }
${dark && html`@media (prefers-color-scheme: dark) { :root { ${variables(dark)} } }`}
body { font: 1rem/1.5 ${font && html`"${font.family}", `}system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; }
${rules}`;
}

const variables = (palette: Palette): Html =>
  html`${Object.entries(palette).map(([name, value]) => html`--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}: ${value}; `)}`;

const rules = html`* { box-sizing: border-box; }
body { margin: 0; padding: clamp(12px, 4vw, 40px) clamp(12px, 4vw, 24px); background: var(--ground); color: var(--text); overflow-wrap: break-word; }
main { max-width: 640px; margin-inline: auto; padding: clamp(18px, 5vw, 36px); background: var(--card); border: 1px solid var(--soft); border-radius: 16px; }
h1 { margin: 0; font-size: clamp(1.4rem, 1.1rem + 1.8vw, 1.9rem); line-height: 1.2; letter-spacing: -.01em; text-wrap: balance; }
p { margin: 8px 0 0; }
.faint, .hint { color: var(--faint); }
.hint { margin: 4px 0 0; font-size: .9rem; }
fieldset { margin: 26px 0 0; padding: 0; border: 0; min-width: 0; display: grid; gap: 0 16px; grid-template-columns: repeat(auto-fit, minmax(min(100%, 15rem), 1fr)); }
legend { float: inline-start; width: 100%; grid-column: 1 / -1; padding: 0 0 6px; font-size: 1.05rem; font-weight: 650; border-bottom: 1px solid var(--soft); }
.wide { grid-column: 1 / -1; }
fieldset > :not(legend) { margin-top: 16px; }
@supports (grid-template-rows: subgrid) {
fieldset > div:not([class]) { display: grid; grid-row: span 4; grid-template: subgrid / minmax(0, 1fr); }
fieldset > div:not([class]) > * { grid-row: 3; }
fieldset > div:not([class]) > label { grid-row: 1 / 3; align-self: end; }
fieldset > div:not([class]) > label:has(+ .fault) { grid-row: 1; }
fieldset > div:not([class]) > .fault { grid-row: 2; }
fieldset > div:not([class]) > .hint { grid-row: 4; }
}
label { display: block; font-weight: 550; }
label .faint { font-weight: 400; }
input, select, textarea { display: block; width: 100%; min-height: 46px; margin-top: 5px; padding: 9px 12px; font: inherit; color: inherit; background: var(--card); border: 1px solid var(--line); border-radius: 9px; }
textarea { min-height: 96px; resize: vertical; }
[aria-invalid] { border: 2px solid var(--bad); }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; }
.fault { display: block; margin-top: 4px; color: var(--bad); font-weight: 550; }
.summary { margin: 20px 0 0; padding: 14px 18px; border: 2px solid var(--bad); border-radius: 10px; background: var(--bad-ground); }
.summary h2 { margin: 0; font-size: 1.08rem; }
.summary ul { margin: 6px 0 0; padding-inline-start: 1.2em; }
.summary a { color: var(--bad); }
.notice { margin: 20px 0 0; padding: 14px 18px; border: 1px solid var(--line); border-radius: 10px; background: var(--ground); }
.notice p:first-child { margin: 0; }
a[href^="tel:"] { display: inline-block; padding: 4px 0; }
.hours { container-type: inline-size; padding: 12px 16px; border-radius: 10px; background: var(--ground); font-size: .93rem; }
.hours h2 { margin: 0 0 4px; font-size: .93rem; }
.hours dl { margin: 0; display: grid; grid-template-columns: minmax(0, max-content) minmax(0, max-content); gap: 1px 18px; }
@container (max-width: 14em) { .hours dl { grid-template-columns: minmax(0, 1fr); } }
.hours dd { margin: 0; font-variant-numeric: tabular-nums; }
button { margin-top: 26px; width: 100%; min-height: 50px; padding: 10px 22px; font: inherit; font-weight: 600; color: var(--on-button); background: var(--button); border: 2px solid transparent; border-radius: 10px; cursor: pointer; }
button:hover { filter: brightness(1.08); }
.trap { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
@supports selector(:has(a)) { fieldset:not(:has(.times [value="other"]:checked)) .wish { display: none; } }
.tick { grid-column: 1 / -1; display: grid; grid-template-columns: auto minmax(0, 1fr); gap: 2px 12px; align-items: start; }
.tick input { width: 24px; height: 24px; min-height: 0; margin: 0; accent-color: var(--button); }
.tick .fault, .tick .hint { grid-column: 1 / -1; margin: 0; }
.consent { margin-top: 26px; }
.captcha { margin-top: 26px; }
.captcha[data-challenge] { margin: 0; }
.logo { display: block; max-width: 100%; max-height: 72px; margin: 0 0 18px; }
.ref { font-size: 1.3rem; letter-spacing: .05em; }
a { color: var(--focus); }
.choices { list-style: none; margin: 20px 0 0; padding: 0; display: grid; gap: 10px; }
.choices a { display: block; padding: 14px 16px; border: 1px solid var(--line); border-radius: 10px; color: inherit; }
.languages { margin-top: 26px; font-size: .93rem; }
.languages summary { display: inline-block; min-height: 24px; cursor: pointer; color: var(--faint); }
.languages summary::after { content: ' ▾'; }
dd bdi, .ref bdi { white-space: nowrap; }
.languages ul { list-style: none; margin: 8px 0 0; padding: 0; display: flex; flex-wrap: wrap; gap: 4px 18px; }
.languages a { display: inline-block; padding: 4px 0; }
.languages [aria-current] { font-weight: 650; color: inherit; text-decoration: none; }
@media (min-width: 560px) { button { width: auto; } }
</style>`;
