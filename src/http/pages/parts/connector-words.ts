import type { ConnectorReport } from '../../../domain/status/report.ts';
import { problemWords } from '../../../domain/texts/problem.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import type { Locale } from '../../../platform/text/locale.ts';
import type { Said } from '../../../texts/texts.ts';

/** What is wrong with a connector, a line each: why it does not work, then what its last run left undone. */
export function connectorWords(report: ConnectorReport, locale: Locale): Html[] {
  const { state, reason, last_error, problems, said } = report;
  const why = state === 'ok' ? null : (reason ?? last_error);
  return [...(why === null ? [] : [why]), ...problems].map((sentence) =>
    inWords(sentence, said?.[sentence], locale),
  );
}

/** In the reader's language, where the catalogue has it; English sentences say more than the words of the catalogue. */
export function inWords(sentence: string, said: Said | undefined, locale: Locale): Html {
  const words = locale.isSource ? undefined : problemWords(said, locale);
  return words === undefined ? english(sentence) : html`<span>${words}</span>`;
}

/** What only a machine or an add-on said. */
export const english = (sentence: string): Html => html`<span lang="en" dir="ltr">${sentence}</span>`;
