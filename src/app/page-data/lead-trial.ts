import type { LeadTrial } from '../../http/admin.ts';
import type { Parts } from '../parts.ts';

/**
 * What a submission would become at a connector, judged as the nightly test lead is: stored and rolled back. Undefined
 * if the connector takes none.
 */
export async function tryLead(
  { connectors, bookings }: Pick<Parts, 'connectors' | 'bookings'>,
  name: string,
  body: string,
): Promise<LeadTrial | undefined> {
  const intake = connectors.find(({ settings }) => settings.name === name)?.connector?.intake;
  const result = await intake?.sample?.({
    ...{ method: 'POST', path: '', query: new URLSearchParams(), remoteAddress: '127.0.0.1' },
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(body),
  });
  if (result === undefined) return undefined;
  if (result.kind !== 'submission')
    return { isLead: false, why: 'message' in result ? result.message : null };
  const { submission, unused = [] } = result;
  const { fields, task } = submission;
  return {
    isLead: true,
    fields,
    isTask: task !== undefined,
    unused,
    ...(await bookings.rehearse(submission)),
  };
}
