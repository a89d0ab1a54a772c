import { type ProblemCode, statedFrom } from '../../../src/connector.ts';
import { Failure } from '../../../src/platform/failure.ts';
import { networkFault } from '../../../src/platform/network/unreachable.ts';
import { isWebPage } from '../../../src/platform/network/web-page.ts';
import type { RawRequest } from '../sheet/raw.ts';
import { GCLOUD_LOGIN, SHEETS_SCOPE } from './credentials.ts';
import { refusalOf } from './refusal.ts';

export type Doing = 'token' | 'read' | 'write';

interface GoogleAnswer {
  status: number | undefined;
  /** `error.message`, or `error_description` of the token endpoint. */
  message: string;
  /** `status`, `details[].reason` and `errors[].reason` of Google's error model, `error` of the token endpoint. */
  reasons: readonly string[];
  /** Network error code, such as ECONNRESET. */
  code: string | undefined;
  /** What came is not Google's. */
  foreign?: 'google_web_page' | 'google_odd_answer' | 'google_certificate';
}

/** Failures that the connector acts on; all others are only shown. */
type Reason = 'tab_gone' | 'full' | 'signed_out';

class SheetsFailure extends Failure {
  readonly reason: Reason | undefined;
  /** The request whose cells were refused, by its place in the batch. */
  readonly at: number | undefined;
  constructor(
    reason: Reason | undefined,
    at: number | undefined,
    details: ConstructorParameters<typeof Failure>[0],
  ) {
    super(details);
    this.reason = reason;
    this.at = at;
  }
}

/** Which request of a batch was refused for the values of its cells. */
export const refusedRequest = (error: unknown): { failure?: Failure; at?: number } =>
  error instanceof SheetsFailure && error.at !== undefined ? { failure: error, at: error.at } : {};

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
  detail?: string | RegExp;
  /** Only for a reason that says more than the status. */
  isTelling?: boolean;
  doing?: Doing;
  reason?: Reason;
  kind: 'transient' | 'refused';
  code: ProblemCode;
}

/** Google's older and newer names of its quotas, which come with 403 as well as 429; a full Drive is none. */
const QUOTA_REASON = /^(?!storage)\w*(limit|quota)_?exceeded(unreg)?$|^resource_exhausted$/i;
const QUOTA_MESSAGE =
  /\b(quota exceeded for|(user )?rate limit exceeded|daily limit (for [^,;]{0,60} )?exceeded)\b/i;

/** Reasons that say no more than the status. */
const PLAIN_REASON = /^(permission_denied|forbidden|unauthenticated|insufficient\w*|iam_permission_denied)$/i;
const tellingReason = (reasons: readonly string[]): string | undefined =>
  reasons.find((reason) => /^\w{4,}$/.test(reason) && !PLAIN_REASON.test(reason));

/** What no spreadsheet could cause: the form of a request. */
const OUR_MISTAKE =
  /invalid json payload|unknown name|invalid value at|no request (is )?set|\bfields?\b.{0,200}\b(mask|required|specified)\b|must (be set|specify|have)\b/i;

/** The first match counts. */
const knownFailures: readonly KnownFailure[] = [
  {
    detail: /rapt|^(interaction|login)_required$/,
    pattern: /\brapt\b|invalid_rapt|reauth related error/i,
    doing: 'token',
    reason: 'signed_out',
    kind: 'refused',
    code: 'google_reauth',
  },
  {
    pattern: /expired or revoked/i,
    doing: 'token',
    reason: 'signed_out',
    kind: 'refused',
    code: 'google_sign_in_ended',
  },
  {
    detail: /^(invalid|deleted)_client$/,
    doing: 'token',
    reason: 'signed_out',
    kind: 'refused',
    code: 'google_client_unknown',
  },
  {
    detail: 'unauthorized_client',
    doing: 'token',
    reason: 'signed_out',
    kind: 'refused',
    code: 'google_client_unauthorized',
  },
  {
    detail: /^(org_internal|admin_policy_enforced|policy_enforced|access_denied)$|restricted/,
    pattern: /restricted|organi[sz]ation.{0,3} polic|administrator/i,
    doing: 'token',
    reason: 'signed_out',
    kind: 'refused',
    code: 'google_policy',
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
  {
    detail: 'CONSUMER_SUSPENDED',
    pattern: /^(?=.*\bproject\b).*\bsuspended/is,
    kind: 'refused',
    code: 'google_project_suspended',
  },
  {
    detail: 'CONSUMER_INVALID',
    pattern: /^(?=.*\bproject\b).*\bdeleted/is,
    kind: 'refused',
    code: 'google_project_gone',
  },
  {
    detail: 'BILLING_DISABLED',
    pattern: /billing to be enabled|billing is disabled/i,
    kind: 'refused',
    code: 'google_billing',
  },
  {
    detail: /IP_(ADDRESS_)?BLOCKED$/,
    pattern: /ip address (restriction|is blocked)|originating ip/i,
    kind: 'refused',
    code: 'google_address_blocked',
  },
  { status: 429, kind: 'transient', code: 'google_slow_down' },
  { detail: QUOTA_REASON, pattern: QUOTA_MESSAGE, kind: 'transient', code: 'google_slow_down' },
  ...[400, 401, 403].map(
    (status): KnownFailure => ({
      status,
      detail: /./,
      doing: 'token',
      reason: 'signed_out',
      kind: 'refused',
      code: 'google_other_reason',
    }),
  ),
  {
    status: 401,
    detail: 'ACCOUNT_STATE_INVALID',
    reason: 'signed_out',
    kind: 'refused',
    code: 'google_account_disabled',
  },
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
  { status: 403, isTelling: true, kind: 'refused', code: 'google_other_reason' },
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
  { status: 400, pattern: OUR_MISTAKE, kind: 'refused', code: 'google_refused' },
  { status: 400, doing: 'write', kind: 'refused', code: 'google_cell_refused' },
  { status: 400, kind: 'refused', code: 'google_refused' },
];

interface FailedCall {
  doing: Doing;
  /** The service account's address. */
  address: string;
  /** Its name. */
  connector: string;
  /** What was to be written. */
  requests?: readonly RawRequest[];
  /** Called when Google asks for it: milliseconds until the next call. */
  slowDown: () => number;
  cause: unknown;
}

/** Google's answer as one plain sentence and a remedy, without any content of the sheet. */
export function googleFailure(
  answer: GoogleAnswer,
  { doing, address, connector, requests = [], slowDown, cause }: FailedCall,
): Failure {
  const { status, foreign } = answer;
  const { reason, kind, code } = foreign
    ? { kind: 'transient' as const, code: foreign, reason: undefined }
    : (knownFailures.find((one) => matches(one, answer, doing)) ?? otherFailure(answer));
  const { words, cell, at } = refusalOf(answer.message, requests);
  const values = {
    words: words || String(status),
    cell: inBrackets(cell),
    address,
    connector,
    login: GCLOUD_LOGIN,
    scope: SHEETS_SCOPE,
    status: String(status),
    code: inBrackets(answer.code),
    reason: reasonOf(answer, doing),
  };
  return new SheetsFailure(reason, code === 'google_cell_refused' ? at : undefined, {
    kind,
    ...statedFrom(code, values),
    // The status of somebody else says nothing of Google: neither that a write was refused nor that it was received.
    status: foreign ? undefined : status,
    // The endpoint for tokens has limits of its own.
    retryAfterMs: code === 'google_slow_down' && doing !== 'token' ? slowDown() : undefined,
    cause,
  });
}

/** As Google gave it. Only the endpoint for tokens, which knows no cells, also describes it. */
function reasonOf({ status, message, reasons }: GoogleAnswer, doing: Doing): string {
  const reason = tellingReason(reasons) ?? String(status);
  return doing === 'token' && message !== ''
    ? `${reason}, ${message.replace(/(?<![.\s])[.\s]+$/, '')}`
    : reason;
}

function matches(known: KnownFailure, { status, message, reasons }: GoogleAnswer, doing: Doing): boolean {
  if (known.status !== undefined && known.status !== status) return false;
  if (known.doing !== undefined && known.doing !== doing) return false;
  if (known.isTelling === true) return tellingReason(reasons) !== undefined;
  const { detail, pattern } = known;
  const isNamed = (reason: string) => (detail instanceof RegExp ? detail.test(reason) : detail === reason);
  return reasons.some(isNamed) || (pattern?.test(message) ?? detail === undefined);
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
  response?: { status?: unknown; data?: ErrorBody | string | null };
}

interface ErrorBody {
  error?: unknown;
  error_description?: unknown;
  error_subtype?: unknown;
}

/** A status that promises success, without what was asked for. */
export class ForeignAnswer extends Error {
  override readonly name = 'ForeignAnswer';
  readonly answer: GoogleAnswer;
  constructor(status: number, data: unknown) {
    super('not the answer of Google');
    this.answer = {
      ...{ status, message: '', reasons: [], code: undefined },
      foreign: typeof data === 'string' && isWebPage(data) ? 'google_web_page' : 'google_odd_answer',
    };
  }
}

/** Picks the safe and useful parts of an error of Google's client; its message may contain cells. */
export function answerOf(error: unknown): GoogleAnswer {
  const { status: ownStatus, code: ownCode, cause, response }: Thrown = Object(error);
  const status = Number(response?.status ?? ownStatus);
  const foreign = [error, cause].find((one) => one instanceof ForeignAnswer);
  if (foreign) return foreign.answer;
  const data = response?.data;
  if (typeof data === 'string' && isWebPage(data)) return new ForeignAnswer(status, data).answer;
  const code = cause?.code ?? ownCode;
  return {
    status: Number.isInteger(status) && status > 0 ? status : undefined,
    ...wordsOf(typeof data === 'object' && data !== null ? data : {}),
    code: typeof code === 'string' ? code : undefined,
    ...(networkFault(error, { name: 'Google' })?.lasting && { foreign: 'google_certificate' }),
  };
}

function wordsOf({
  error,
  error_description,
  error_subtype,
}: ErrorBody): Pick<GoogleAnswer, 'message' | 'reasons'> {
  const { message, status, details, errors }: Record<string, unknown> = Object(error);
  const listed = [details, errors].flatMap((list) => (Array.isArray(list) ? list : []));
  return {
    message: String(message ?? error_description ?? ''),
    reasons: [...listed.map((one: { reason?: unknown }) => one?.reason), status, error_subtype, error].filter(
      (reason) => typeof reason === 'string',
    ),
  };
}
