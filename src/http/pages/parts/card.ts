import { type Html, html, type Part } from '../../../platform/text/html.ts';

interface Card {
  /** Of its heading. */
  id: string;
  title: Part;
  /** Beside the heading. */
  beside?: Part;
  kind?: 'card' | 'card report';
  /** Whether it follows changes. */
  isLive?: boolean;
}

/** A part of a page under a heading. */
export function card({ id, title, beside, kind = 'card', isLive = false }: Card, body: Part): Html {
  const heading = html`<h2 id="${id}">${title}</h2>`;
  return html`
    <section class="${kind}" aria-labelledby="${id}"${isLive && html` id="part-${id}" data-live`}>
      ${beside === undefined ? heading : html`<div class="heading">${heading}${beside}</div>`}
      ${body}
    </section>
  `;
}

/** A link to what else there is, if there is more. */
export const linkToMore = (address: string | null | undefined, text: string): Part =>
  typeof address === 'string' && html`<p class="hint"><a href="${address}">${text}</a></p>`;
