import { failpoint } from '../../src/platform/failpoint.ts';
import { Failure } from '../../src/platform/failure.ts';
import type { SheetsClient } from './api/client.ts';
import type { RawRequest } from './api/raw.ts';
import type { TabEdits } from './plan/requests.ts';
import type { WriteTraces } from './write-traces.ts';
import type { WriteVerification } from './write-verification.ts';

interface Sender {
  client: SheetsClient;
  verification: WriteVerification;
  traces: WriteTraces;
  signal: AbortSignal;
}

/** One batch, which Google applies whole or not at all, and a look at whether it arrived. */
export async function send(
  { client, verification, traces, signal }: Sender,
  requests: readonly RawRequest[],
  edited: readonly TabEdits[] = [],
): Promise<void> {
  if (requests.length === 0) return;
  await verification.expect(edited);
  failpoint('google-sheets.planned');
  try {
    await client.write(requests, signal);
  } catch (error) {
    if (error instanceof Failure && error.status === 400) await verification.drop(edited);
    // The write may have been applied.
    else if (!signal.aborted) await verification.verify(edited, signal).catch(() => {});
    throw error;
  }
  failpoint('google-sheets.written');
  traces.accepted(edited);
  await verification.verify(edited, signal);
}
