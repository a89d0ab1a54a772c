import { assetOf } from '../../../platform/text/asset.ts';

const rowCards = assetOf(new URL('../assets/row-cards.css', import.meta.url));

/** Shows each row of these tables as a card on screens up to this width. */
const asCards = (px: number, tables: string): string =>
  `@media screen and (max-width: ${px}px) {\n${rowCards.replaceAll('table.cards', `table${tables}`)}\n}`;

/** Served at `/assets/status.css`, so that the Content-Security-Policy can forbid inline styles. */
export const stylesheet = [
  assetOf(new URL('../assets/base.css', import.meta.url)),
  assetOf(new URL('../assets/blocks.css', import.meta.url)),
  assetOf(new URL('../assets/controls.css', import.meta.url)),
  asCards(900, ':not(.report *, :has(.pick)):has(thead th:nth-child(6))'),
  asCards(800, ':not(.beside, :has(.pick))'),
  asCards(640, '.beside'),
  assetOf(new URL('../assets/narrow.css', import.meta.url)),
  assetOf(new URL('../assets/bookings.css', import.meta.url)),
].join('\n');
