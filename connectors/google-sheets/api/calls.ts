import { waitFor } from '../../../src/platform/wait-for.ts';
import type { RawRequest } from '../sheet/raw.ts';
import type { AuthClient } from './auth-client.ts';
import { answerOf, type Doing, ForeignAnswer, googleFailure } from './failures.ts';
import type { SheetsLimiter } from './limiter.ts';

interface CallParts {
  client: AuthClient;
  limiter: SheetsLimiter;
  /** Our own at Google, for messages. */
  address: string;
  /** Its name. */
  connector: string;
  spreadsheetId: string;
}

/** Calls within the limits, whose answers are Google's and about our spreadsheet. All throw `Failure`. */
export function createSheetsCalls({ client, limiter, address, connector, spreadsheetId }: CallParts) {
  function failed(
    error: unknown,
    doing: Doing,
    signal: AbortSignal,
    requests: readonly RawRequest[] = [],
  ): never {
    signal.throwIfAborted();
    const answer = answerOf(error);
    if (answer.status === 401)
      client.setCredentials({ ...client.credentials, access_token: null, expiry_date: 1 });
    throw googleFailure(answer, {
      ...{ doing, address, connector, requests },
      slowDown: () => limiter.refused(),
      cause: error,
    });
  }

  /** Separate from each call, so that a refused key is not taken for a refused call. */
  async function signIn(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    // The library's own sign-in cannot be aborted.
    await waitFor(client.getAccessToken(), signal).catch((error) => failed(error, 'token', signal));
  }

  async function call<T extends { spreadsheetId?: string | null }>(
    doing: 'read' | 'write',
    signal: AbortSignal,
    make: () => Promise<{ data: T; status: number }>,
    isWhole: (data: T) => boolean = () => true,
    requests: readonly RawRequest[] = [],
  ): Promise<T> {
    await signIn(signal);
    await limiter.turn(doing, signal);
    try {
      const { data, status } = await make();
      // What a portal or proxy answers with 200 is neither an empty spreadsheet nor proof of a write.
      if (data?.spreadsheetId !== spreadsheetId || !isWhole(data)) throw new ForeignAnswer(status, data);
      limiter.accepted();
      return data;
    } catch (error) {
      return failed(error, doing, signal, requests);
    }
  }

  return { signIn, call };
}
