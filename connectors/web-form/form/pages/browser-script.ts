import { hash } from 'node:crypto';
import { assetOf } from '../../../../src/platform/text/asset.ts';
import { type Html, html } from '../../../../src/platform/text/html.ts';
import { type Here, PAGE_FIELD } from '../here.ts';

export const browserScript = assetOf(new URL('./assets/form.js', import.meta.url));

const version = hash('sha256', browserScript, 'base64url').slice(0, 12);

/** Rocket Loader leaves it alone. */
export const browserScriptElement = (here: Here): Html =>
  html`<script src="${here({ [PAGE_FIELD]: 'form.js', v: version })}" defer data-cfasync="false"></script>`;

const embedFunction = assetOf(new URL('./assets/embed.js', import.meta.url)).replace(/;$/, '');

/** `embed.js` for the surrounding website. */
export const embedScript = (connector: string, campaign: readonly string[]): string =>
  `(${embedFunction})(${JSON.stringify(connector)}, ${JSON.stringify(campaign)});\n`;
