import { z } from 'zod';
import { afterCommit, before, type FaultContext, type FaultKind } from './kind.ts';

const statuses = [301, 302, 303, 307, 308] as const;

const to = z
  .union([z.enum(['same', 'other']), z.url()])
  .default('same')
  .describe('`same`: this path again on this origin; `other`: on another origin; or a URL.');

const moved = ({ world, target }: FaultContext, status: number, where: string) => ({
  status,
  headers: {
    location: where === 'same' || where === 'other' ? `${world.origin(where)}${target}` : where,
    'content-type': 'text/html',
  },
  body: Buffer.from('<a href="/">Moved</a>'),
});

/**
 * A client that follows one repeats its request, which shows in the ledger. The other origin is the same server under
 * the name localhost, so that credentials sent there are seen as well.
 */
export const redirectFaults = {
  ...(Object.fromEntries(
    statuses.map((status) => [
      `redirect_${status}`,
      before(
        {
          description: `${status} to the same path (\`to\`: same, other or a URL); nothing is carried out.`,
          parameters: { to },
        },
        (context, given) => moved(context, status, given.to),
      ),
    ]),
  ) as Record<`redirect_${(typeof statuses)[number]}`, FaultKind>),
  redirect_303_after_commit: afterCommit(
    { description: 'The request is carried out, then 303 (post, redirect, get).', parameters: { to } },
    (context, _answer, given) => moved(context, 303, given.to),
  ),
};
