import { Failure } from '../../../src/platform/failure.ts';
import { GCLOUD_LOGIN, SCOPE } from './credentials.ts';

export type Doing = 'token' | 'read' | 'write';

export interface GoogleAnswer {
  status: number | undefined;
  /** `error.message`, or `error_description` of the token endpoint. */
  message: string;
  /** `details[].reason` and `errors[].reason` of Google's error model, `error` of the token endpoint. */
  reasons: readonly string[];
  /** Network error code, such as ECONNRESET. */
  code: string | undefined;
}

/** Failures that the connector acts on; all others are only shown. */
type Reason = 'tab_gone' | 'full' | 'signed_out';

class SheetsFailure extends Failure {
  readonly reason: Reason | undefined;
  constructor(reason: Reason | undefined, details: ConstructorParameters<typeof Failure>[0]) {
    super(details);
    this.reason = reason;
  }
}

/** True when a tab named in the call was deleted. */
export const isTabGone = (failure: unknown): boolean =>
  failure instanceof SheetsFailure && failure.reason === 'tab_gone';
/** True when the key or sign-in is not accepted; it may have been replaced. */
export const isSignedOut = (failure: unknown): boolean =>
  failure instanceof SheetsFailure && failure.reason === 'signed_out';
/** True when the spreadsheet has as many cells as Google allows. */
export const isFull = (failure: unknown): boolean =>
  failure instanceof SheetsFailure && failure.reason === 'full';

interface KnownFailure {
  status?: number;
  pattern?: RegExp;
  /** One of `reasons`; takes precedence over the message. */
  detail?: string;
  doing?: Doing;
  reason?: Reason;
  kind: 'transient' | 'refused';
  message: string;
  hint: string;
}

const slowDown = {
  kind: 'transient',
  message: 'Google asks us to slow down (429).',
  hint: 'Nothing to do: it continues in a minute.',
} as const;
const share = { kind: 'refused', hint: 'Share the spreadsheet with ADDRESS as Editor.' } as const;

/** The first match counts. `ADDRESS` is replaced with the service account's address. */
const knownFailures: readonly KnownFailure[] = [
  {
    pattern: /expired or revoked/i,
    doing: 'token',
    reason: 'signed_out',
    kind: 'refused',
    message: 'Google does not accept the sign-in any more: it was revoked or has expired.',
    hint: 'Sign in again: clinic-sync connectors login. Google ends each sign-in after seven days while the OAuth app is in “Testing”: publish it, or make it Internal.',
  },
  {
    detail: 'invalid_client',
    doing: 'token',
    reason: 'signed_out',
    kind: 'refused',
    message: 'Google does not know the OAuth client of the sign-in.',
    hint: 'Download the client’s JSON again, then: clinic-sync connectors login.',
  },
  {
    pattern: /invalid jwt signature|account not found|invalid_grant: invalid/i,
    reason: 'signed_out',
    kind: 'refused',
    message: 'Google does not accept the key of ADDRESS: it was revoked or deleted, or the account was.',
    hint: 'Make a new key for the service account (Keys, Add key, JSON) and put it in place of the old one.',
  },
  {
    pattern: /reasonable timeframe|iat and exp|token used too (early|late)/i,
    kind: 'refused',
    message: 'Google does not accept our sign-in because the clock of this machine is wrong.',
    hint: 'Set the clock (NTP), then try again.',
  },
  {
    detail: 'account_disabled',
    pattern: /(account|client) (was|is|has been) (disabled|deleted)/i,
    doing: 'token',
    kind: 'refused',
    message: 'Google has disabled ADDRESS.',
    hint: 'In the Google Cloud console enable the account (IAM & Admin, Service accounts), or make a new one.',
  },
  {
    detail: 'disabled_client',
    doing: 'token',
    kind: 'refused',
    message: 'Google has disabled ADDRESS.',
    hint: 'In the Google Cloud console look at the project’s credentials, or make new ones.',
  },
  { status: 429, ...slowDown },
  { detail: 'RATE_LIMIT_EXCEEDED', ...slowDown },
  {
    status: 401,
    kind: 'transient',
    message: 'Google did not accept our token.',
    hint: 'The next try asks for a new one.',
  },
  {
    status: 403,
    pattern: /requires a quota project/i,
    kind: 'refused',
    message: 'Google does not know which of your projects our calls belong to.',
    hint: 'Run: gcloud auth application-default set-quota-project PROJECT, with one that has the Google Sheets API enabled.',
  },
  {
    status: 403,
    detail: 'ACCESS_TOKEN_SCOPE_INSUFFICIENT',
    pattern: /insufficient authentication scopes/i,
    kind: 'refused',
    message: 'The sign-in of ADDRESS does not include spreadsheets.',
    hint: `Sign in for them: clinic-sync connectors login, or ${GCLOUD_LOGIN}. A virtual machine of Google’s needs the access scope ${SCOPE}.`,
  },
  {
    status: 403,
    detail: 'SERVICE_DISABLED',
    pattern: /has not been used|is disabled/i,
    kind: 'refused',
    message: 'The Google Sheets API is switched off in the service account’s project.',
    hint: 'In the Google Cloud console open APIs & Services, search for Google Sheets API and press Enable.',
  },
  {
    status: 403,
    detail: 'storageQuotaExceeded',
    pattern: /storage quota|storage is full/i,
    kind: 'refused',
    message: 'The Google Drive of the spreadsheet’s owner is full.',
    hint: 'Make room there (also in Gmail and Photos), or move the spreadsheet to somebody who has room.',
  },
  {
    status: 403,
    detail: 'domainPolicy',
    pattern: /organi[sz]ation.{0,3} policy|domain polic|administrator/i,
    kind: 'refused',
    message: 'The rules of your organization at Google forbid this to ADDRESS.',
    hint: 'Ask its Google administrator to allow it, or sign in as a person of the organization: clinic-sync connectors login.',
  },
  {
    status: 403,
    doing: 'write',
    ...share,
    message: 'ADDRESS may look at the spreadsheet but not change it.',
  },
  { status: 403, ...share, message: 'The spreadsheet is not shared with ADDRESS.' },
  {
    status: 404,
    kind: 'refused',
    message: 'There is no spreadsheet with this id: it is mistyped, or the spreadsheet was deleted.',
    hint: 'Copy its address from the browser into `spreadsheet`; look into the bin of Google Drive.',
  },
  {
    status: 400,
    pattern: /typed columns/i,
    kind: 'refused',
    message:
      'Google takes no drop-downs and checkboxes from us where people have made a table with typed columns.',
    hint: 'Nothing is lost: names can be typed. To have them back, choose Convert to unformatted data for the table.',
  },
  {
    status: 400,
    pattern: /protected cell or object/i,
    kind: 'transient',
    message: 'Something in the spreadsheet is protected against ADDRESS.',
    hint: 'Under Data, Protected sheets and ranges, allow ADDRESS to edit; everything else stays up to date meanwhile.',
  },
  {
    status: 400,
    pattern: /number of cells in the workbook above the limit/i,
    reason: 'full',
    kind: 'transient',
    message: 'The spreadsheet is full: Google allows ten million cells in one.',
    hint: 'Delete blank rows, columns or old tabs, or give clinic-sync a spreadsheet of its own.',
  },
  {
    status: 400,
    pattern: /no grid with id/i,
    reason: 'tab_gone',
    kind: 'transient',
    message: 'A tab was deleted.',
    hint: 'It is created again.',
  },
  {
    status: 400,
    pattern: /not supported for this document/i,
    kind: 'refused',
    message: 'The file is an Excel workbook in Google Drive, not a Google spreadsheet.',
    hint: 'Open it and choose File, Save as Google Sheets; then use the new file’s address.',
  },
  {
    status: 400,
    pattern:
      /exceeds grid limits|already exists|beyond the last requested|is after last (row|column) in grid|must be less than the grid size/i,
    kind: 'transient',
    message: 'The spreadsheet was changed at the same moment.',
    hint: 'It is read again.',
  },
  {
    status: 400,
    kind: 'refused',
    message: 'Google refused what we asked for (400).',
    hint: 'This is a fault of the connector; please report it with the time it happened.',
  },
];

interface FailedCall {
  doing: Doing;
  /** The service account's address. */
  address: string;
  retryAfterMs: number | undefined;
  cause: unknown;
}

/** Google's answer as one plain sentence and a remedy, without any content of the sheet. */
export function googleFailure(
  answer: GoogleAnswer,
  { doing, address, retryAfterMs, cause }: FailedCall,
): Failure {
  const { status } = answer;
  const known = knownFailures.find((one) => matches(one, answer, doing)) ?? otherFailure(answer);
  return new SheetsFailure(known.reason, {
    kind: known.kind,
    message: known.message.replace('ADDRESS', address),
    hint: known.hint.replace('ADDRESS', address),
    status,
    retryAfterMs,
    cause,
  });
}

function matches(known: KnownFailure, { status, message, reasons }: GoogleAnswer, doing: Doing): boolean {
  if (known.status !== undefined && known.status !== status) return false;
  if (known.doing !== undefined && known.doing !== doing) return false;
  if (known.detail !== undefined && reasons.includes(known.detail)) return true;
  return known.pattern?.test(message) ?? known.detail === undefined;
}

function otherFailure({ status, code }: GoogleAnswer): KnownFailure {
  if (status === undefined)
    return {
      kind: 'transient',
      message: `Google could not be reached${code === undefined ? '' : ` (${code})`}.`,
      hint: 'If this stays, check the network and whether a firewall allows sheets.googleapis.com and oauth2.googleapis.com.',
    };
  if (status >= 300 && status < 400)
    return {
      kind: 'transient',
      message: `Google answered with a redirect (${status}), which is not followed.`,
      hint: 'If this stays, look for a proxy or firewall that answers in Google’s place.',
    };
  return { kind: 'transient', message: `Google answered ${status}.`, hint: 'It is tried again.' };
}

interface Thrown {
  status?: unknown;
  code?: unknown;
  cause?: { code?: unknown };
  response?: { status?: unknown; data?: { error?: unknown; error_description?: unknown } };
}

/** Picks the safe and useful parts of an error of Google's client; its message may contain cells. */
export function answerOf(error: unknown): GoogleAnswer {
  const { status: ownStatus, code: ownCode, cause, response }: Thrown = Object(error);
  const status = Number(response?.status ?? ownStatus);
  const body: { message?: unknown; details?: unknown; errors?: unknown } = Object(response?.data?.error);
  const listed = [body.details, body.errors].flatMap((list) => (Array.isArray(list) ? list : []));
  const code = cause?.code ?? ownCode;
  return {
    status: Number.isInteger(status) && status > 0 ? status : undefined,
    message: String(body.message ?? response?.data?.error_description ?? ''),
    reasons: [...listed.map((one: { reason?: unknown }) => one?.reason), response?.data?.error].filter(
      (reason) => typeof reason === 'string',
    ),
    code: typeof code === 'string' ? code : undefined,
  };
}
