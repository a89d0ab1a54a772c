import { type ProblemCode, statedFrom } from '../../../src/connector.ts';
import { Failure } from '../../../src/platform/failure.ts';
import { GCLOUD_LOGIN, SCOPE } from './credentials.ts';

export type Doing = 'token' | 'read' | 'write';

interface GoogleAnswer {
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
  code: ProblemCode;
}

/** The first match counts. */
const knownFailures: readonly KnownFailure[] = [
  {
    pattern: /expired or revoked/i,
    doing: 'token',
    reason: 'signed_out',
    kind: 'refused',
    code: 'google_sign_in_ended',
  },
  {
    detail: 'invalid_client',
    doing: 'token',
    reason: 'signed_out',
    kind: 'refused',
    code: 'google_client_unknown',
  },
  {
    pattern: /invalid jwt signature|account not found|invalid_grant: invalid/i,
    reason: 'signed_out',
    kind: 'refused',
    code: 'google_key_refused',
  },
  {
    pattern: /reasonable timeframe|iat and exp|token used too (early|late)/i,
    kind: 'refused',
    code: 'google_clock',
  },
  {
    detail: 'account_disabled',
    pattern: /(account|client) (was|is|has been) (disabled|deleted)/i,
    doing: 'token',
    kind: 'refused',
    code: 'google_account_disabled',
  },
  { detail: 'disabled_client', doing: 'token', kind: 'refused', code: 'google_client_disabled' },
  { status: 429, kind: 'transient', code: 'google_slow_down' },
  { detail: 'RATE_LIMIT_EXCEEDED', kind: 'transient', code: 'google_slow_down' },
  { status: 401, kind: 'transient', code: 'google_token_refused' },
  { status: 403, pattern: /requires a quota project/i, kind: 'refused', code: 'google_no_project' },
  {
    status: 403,
    detail: 'ACCESS_TOKEN_SCOPE_INSUFFICIENT',
    pattern: /insufficient authentication scopes/i,
    kind: 'refused',
    code: 'google_scope',
  },
  {
    status: 403,
    detail: 'SERVICE_DISABLED',
    pattern: /has not been used|is disabled/i,
    kind: 'refused',
    code: 'google_api_off',
  },
  {
    status: 403,
    detail: 'storageQuotaExceeded',
    pattern: /storage quota|storage is full/i,
    kind: 'refused',
    code: 'google_drive_full',
  },
  {
    status: 403,
    detail: 'domainPolicy',
    pattern: /organi[sz]ation.{0,3} policy|domain polic|administrator/i,
    kind: 'refused',
    code: 'google_policy',
  },
  { status: 403, doing: 'write', kind: 'refused', code: 'google_read_only' },
  { status: 403, kind: 'refused', code: 'google_not_shared' },
  { status: 404, kind: 'refused', code: 'google_no_spreadsheet' },
  { status: 400, pattern: /typed columns/i, kind: 'refused', code: 'google_typed_columns' },
  { status: 400, pattern: /protected cell or object/i, kind: 'transient', code: 'google_protected' },
  {
    status: 400,
    pattern: /number of cells in the workbook above the limit/i,
    reason: 'full',
    kind: 'transient',
    code: 'google_full',
  },
  {
    status: 400,
    pattern: /no grid with id/i,
    reason: 'tab_gone',
    kind: 'transient',
    code: 'google_tab_gone',
  },
  { status: 400, pattern: /not supported for this document/i, kind: 'refused', code: 'google_excel' },
  {
    status: 400,
    pattern:
      /exceeds grid limits|already exists|beyond the last requested|is after last (row|column) in grid|must be less than the grid size/i,
    kind: 'transient',
    code: 'google_changed',
  },
  { status: 400, kind: 'refused', code: 'google_refused' },
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
  const { reason, kind, code } =
    knownFailures.find((one) => matches(one, answer, doing)) ?? otherFailure(answer);
  const values = {
    address,
    login: GCLOUD_LOGIN,
    scope: SCOPE,
    status: String(status),
    code: inBrackets(answer.code),
  };
  return new SheetsFailure(reason, {
    kind,
    ...statedFrom(code, values),
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

function otherFailure({ status }: GoogleAnswer): KnownFailure {
  if (status === undefined) return { kind: 'transient', code: 'google_unreachable' };
  const isRedirect = status >= 300 && status < 400;
  return { kind: 'transient', code: isRedirect ? 'google_redirect' : 'google_status' };
}

const inBrackets = (code: string | undefined): string => (code === undefined ? '' : ` (${code})`);

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
