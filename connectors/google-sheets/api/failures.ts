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

/** What the connector acts on itself; every other failure is only shown. */
type Reason = 'tab_gone' | 'full';

class SheetsFailure extends Failure {
  readonly reason: Reason | undefined;
  constructor(reason: Reason | undefined, details: ConstructorParameters<typeof Failure>[0]) {
    super(details);
    this.reason = reason;
  }
}

const hasReason = (failure: unknown, reason: Reason): boolean =>
  failure instanceof SheetsFailure && failure.reason === reason;
/** A tab that the call named does not exist any more. */
export const isTabGone = (failure: unknown): boolean => hasReason(failure, 'tab_gone');
/** The spreadsheet has as many cells as Google allows. */
export const isFull = (failure: unknown): boolean => hasReason(failure, 'full');

interface KnownFailure {
  /** Absent: the status is enough, or does not matter. */
  pattern?: RegExp;
  status?: number;
  /** `details[].reason` of Google's error model; it decides whatever the message says. */
  detail?: string;
  doing?: Doing;
  reason?: Reason;
  kind: 'transient' | 'refused';
  message: string;
  hint: string;
}

/** The first that matches counts. `ADDRESS` becomes the service account's. */
const knownFailures: readonly KnownFailure[] = [
  {
    pattern: /invalid jwt signature|account not found|invalid_grant: invalid/i,
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
    status: 429,
    kind: 'transient',
    message: 'Google asks us to slow down (429).',
    hint: 'Nothing to do: it continues in a minute.',
  },
  {
    detail: 'RATE_LIMIT_EXCEEDED',
    kind: 'transient',
    message: 'Google asks us to slow down (429).',
    hint: 'Nothing to do: it continues in a minute.',
  },
  {
    status: 401,
    kind: 'transient',
    message: 'Google did not accept our token.',
    hint: 'The next try asks for a new one.',
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
    doing: 'write',
    kind: 'refused',
    message: 'ADDRESS may look at the spreadsheet but not change it.',
    hint: 'Share the spreadsheet with ADDRESS as Editor.',
  },
  {
    status: 403,
    kind: 'refused',
    message: 'The spreadsheet is not shared with ADDRESS.',
    hint: 'Share the spreadsheet with ADDRESS as Editor.',
  },
  {
    status: 404,
    kind: 'refused',
    message: 'There is no spreadsheet with this id: it is mistyped, or the spreadsheet was deleted.',
    hint: 'Copy its address from the browser into `spreadsheet`; look into the bin of Google Drive.',
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
    pattern: /exceeds grid limits|already exists/i,
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

const redirect = (status: number) => ({
  kind: 'transient' as const,
  message: `Google answered with a redirect (${status}), which is not followed.`,
  hint: 'If this stays, look for a proxy or firewall that answers in Google’s place.',
});

const serverFailure = (status: number) => ({
  kind: 'transient' as const,
  message: `Google answered ${status}.`,
  hint: 'It is tried again.',
});

const networkFailure = (code: string | undefined) => ({
  kind: 'transient' as const,
  message: `Google could not be reached${code === undefined ? '' : ` (${code})`}.`,
  hint: 'If this stays, check the network and whether a firewall allows sheets.googleapis.com and oauth2.googleapis.com.',
});

/** Google's answer as one plain sentence with what to do. Nothing of a sheet's content is in it. */
export function googleFailure(answer: GoogleAnswer, { doing, address }: Context, cause?: unknown): Failure {
  const { status, code } = answer;
  const known = knownFailures.find((one) => matches(one, answer, doing));
  const { kind, message, hint } = known ?? unknownFailure(status, code);
  return new SheetsFailure(known?.reason, {
    kind,
    message: message.replace('ADDRESS', address),
    hint: hint.replace('ADDRESS', address),
    ...(status !== undefined && { status }),
    cause,
  });
}

function matches(known: KnownFailure, { status, message, reasons }: GoogleAnswer, doing: Doing): boolean {
  if (known.status !== undefined && known.status !== status) return false;
  if (known.doing !== undefined && known.doing !== doing) return false;
  if (known.detail !== undefined && reasons.includes(known.detail)) return true;
  if (known.pattern !== undefined) return known.pattern.test(message);
  return known.detail === undefined;
}

function unknownFailure(status: number | undefined, code: string | undefined) {
  if (status === undefined) return networkFailure(code);
  return status >= 300 && status < 400 ? redirect(status) : serverFailure(status);
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
