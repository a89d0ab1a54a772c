import { Failure } from '../../../src/platform/failure.ts';

export type Doing = 'token' | 'read' | 'write';

/** What Google answered, as far as it matters here. */
export interface GoogleAnswer {
  status: number | undefined;
  /** `error.message`, or `error_description` of the token endpoint. */
  message: string;
  reasons: readonly string[];
  code: string | undefined;
}

interface Context {
  doing: Doing;
  /** The service account's address. */
  address: string;
}

/** Markers that the connector acts on; everything else is only shown. */
export const isGridGone = (failure: unknown): boolean => reasonOf(failure) === 'grid';
export const isFull = (failure: unknown): boolean => reasonOf(failure) === 'cells';

class SheetsFailure extends Failure {
  readonly reason: string;
  constructor(reason: string, details: ConstructorParameters<typeof Failure>[0]) {
    super(details);
    this.reason = reason;
  }
}
const reasonOf = (failure: unknown) => (failure instanceof SheetsFailure ? failure.reason : undefined);

/** Google's answer as one plain sentence with what to do. Nothing of a sheet's content is in it. */
export function googleFailure(answer: GoogleAnswer, { doing, address }: Context, cause?: unknown): Failure {
  const { status, message, reasons, code } = answer;
  const make = (reason: string, kind: 'transient' | 'refused', sentence: string, hint: string): Failure =>
    new SheetsFailure(reason, {
      kind,
      message: sentence,
      hint,
      ...(status !== undefined && { status }),
      cause,
    });

  if (/invalid jwt signature|account not found|invalid_grant: invalid/i.test(message))
    return make(
      'key',
      'refused',
      `Google does not accept the key of ${address}: it was revoked or deleted, or the account was.`,
      'Make a new key for the service account (Keys, Add key, JSON) and put it in place of the old one.',
    );
  if (/reasonable timeframe|iat and exp|token used too (early|late)/i.test(message))
    return make(
      'clock',
      'refused',
      'Google does not accept our sign-in because the clock of this machine is wrong.',
      'Set the clock (NTP), then try again.',
    );
  if (status === 429 || reasons.includes('RATE_LIMIT_EXCEEDED'))
    return make(
      'quota',
      'transient',
      'Google asks us to slow down (429).',
      'Nothing to do: it goes on in a minute.',
    );
  if (status === 401)
    return make(
      'token',
      'transient',
      'Google did not accept our token.',
      'A new one is asked for with the next try.',
    );
  if (
    status === 403 &&
    (reasons.includes('SERVICE_DISABLED') || /has not been used|is disabled/i.test(message))
  )
    return make(
      'disabled',
      'refused',
      'The Google Sheets API is switched off in the service account’s project.',
      'In the Google Cloud console open APIs & Services, search for Google Sheets API and press Enable.',
    );
  if (status === 403)
    return make(
      'sharing',
      'refused',
      doing === 'write'
        ? `${address} may look at the spreadsheet but not change it.`
        : `The spreadsheet is not shared with ${address}.`,
      `Share the spreadsheet with ${address} as Editor.`,
    );
  if (status === 404)
    return make(
      'missing',
      'refused',
      'There is no spreadsheet with this id: it is mistyped, or the spreadsheet was deleted.',
      'Copy its address from the browser into `spreadsheet`; look into the bin of Google Drive.',
    );
  if (status === 400 && /protected cell or object/i.test(message))
    return make(
      'protected',
      'transient',
      `Something in the spreadsheet is protected against ${address}.`,
      `Under Data, Protected sheets and ranges, allow ${address} to edit; the rest is kept in step meanwhile.`,
    );
  if (status === 400 && /number of cells in the workbook above the limit/i.test(message))
    return make(
      'cells',
      'transient',
      'The spreadsheet is full: Google allows ten million cells in one.',
      'Delete blank rows, columns or old tabs, or give clinic-sync a spreadsheet of its own.',
    );
  if (status === 400 && /no grid with id/i.test(message))
    return make('grid', 'transient', 'A tab was deleted.', 'It is created again.');
  if (status === 400 && /not supported for this document/i.test(message))
    return make(
      'office',
      'refused',
      'The file is an Excel workbook in Google Drive, not a Google spreadsheet.',
      'Open it and choose File, Save as Google Sheets; then use the new file’s address.',
    );
  if (status === 400 && /exceeds grid limits|already exists/i.test(message))
    return make('moved', 'transient', 'The spreadsheet was changed at the same moment.', 'It is read again.');
  if (status === 400)
    return make(
      'fault',
      'refused',
      'Google refused what we asked for (400).',
      'This is a fault of the connector; please report it with the time it happened.',
    );
  if (status !== undefined)
    return make('server', 'transient', `Google answered ${status}.`, 'It is tried again.');
  const what = code === undefined ? '' : ` (${code})`;
  return make(
    'network',
    'transient',
    `Google could not be reached${what}.`,
    'If this stays, check the network and whether a firewall allows sheets.googleapis.com and oauth2.googleapis.com.',
  );
}

/** Picks from a thrown value of the client what is safe and useful; never its message as a whole. */
export function answerOf(error: unknown): GoogleAnswer {
  const thrown = (typeof error === 'object' && error !== null ? error : {}) as {
    status?: unknown;
    code?: unknown;
    cause?: { code?: unknown };
    response?: { status?: unknown; data?: unknown };
  };
  const status = Number(thrown.response?.status ?? thrown.status);
  const data = (thrown.response?.data ?? {}) as { error?: unknown; error_description?: unknown };
  const body = (typeof data.error === 'object' && data.error !== null ? data.error : {}) as {
    message?: unknown;
    details?: unknown;
  };
  const details = Array.isArray(body.details) ? (body.details as { reason?: unknown }[]) : [];
  const code = thrown.cause?.code ?? thrown.code;
  return {
    status: Number.isInteger(status) && status > 0 ? status : undefined,
    message: String(body.message ?? data.error_description ?? ''),
    reasons: details.flatMap(({ reason }) => (typeof reason === 'string' ? [reason] : [])),
    code: typeof code === 'string' ? code : undefined,
  };
}
