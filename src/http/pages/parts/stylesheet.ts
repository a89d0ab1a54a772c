import { assetOf } from '../../../platform/text/asset.ts';

const rowBlocks = assetOf(new URL('../assets/row-blocks.css', import.meta.url));
const rowCards = assetOf(new URL('../assets/row-cards.css', import.meta.url));

/** Shows each row of these tables as a block, or as a card, on screens up to this width. */
const asBlocks = (px: number, tables: string, rules: string = rowBlocks): string =>
  `@media screen and (max-width: ${px}px) {\n${rules.replaceAll('table.cards', `table${tables}`)}\n}`;
const asCards = (px: number, tables: string) => asBlocks(px, tables, `${rowBlocks}\n${rowCards}`);

/** Served at `/assets/status.css`, so that the Content-Security-Policy can forbid inline styles. */
export const stylesheet = [
  assetOf(new URL('../assets/base.css', import.meta.url)),
  assetOf(new URL('../assets/blocks.css', import.meta.url)),
  assetOf(new URL('../assets/controls.css', import.meta.url)),
  asCards(900, ':not(.report *, :has(.pick)):has(thead th:nth-child(6))'),
  asCards(800, ':not(.beside, :has(.pick))'),
  asCards(640, '.beside'),
  asBlocks(900, ':has(.pick)'),
  assetOf(new URL('../assets/narrow.css', import.meta.url)),
  assetOf(new URL('../assets/bookings.css', import.meta.url)),
].join('\n');
