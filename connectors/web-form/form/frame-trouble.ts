import type { IntakeRequest, VisitorTrouble } from '../../../src/connector.ts';
import { isListed } from './origin.ts';

/** The frame of a website that `origins` does not list stays empty. */
export function frameTrouble(
  { headers }: IntakeRequest,
  origins: readonly string[],
): VisitorTrouble | undefined {
  const { 'sec-fetch-dest': dest, 'sec-fetch-site': site } = headers;
  const around = URL.parse(headers.referer ?? '');
  if (dest !== 'iframe' || site === 'same-origin' || around === null || isListed(origins, around))
    return undefined;
  return {
    cause: 'frame',
    sentence:
      `Their browsers leave the frame of the form empty: it is on ${around.origin}, which \`origins\` does not ` +
      'list.',
    action:
      'Add that website to `origins` of this connector, and the host of the page builder around it, if there is one.',
  };
}
