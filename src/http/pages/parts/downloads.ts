import { type Html, html } from '../../../platform/text/html.ts';
import type { Locale } from '../../../platform/text/locale.ts';

/** Links to what a page shows as files. `here`: its address. */
export const downloads = (here: string, { t }: Locale): Html => html`
  <p class="hint no-print">
    ${t('download')}:${(['xlsx', 'csv'] as const).map(
      (format) =>
        html` <a href="${here}${here.includes('?') ? '&' : '?'}format=${format}" download>${format.toUpperCase()}</a>`,
    )}
  </p>
`;
