import { constants } from 'node:os';
import type { Said } from '../texts/texts.ts';

/**
 * `transient`: may succeed later, unchanged · `refused`: will not succeed until something is changed · `ambiguous`: it
 * may have happened, and a retry could make it happen twice.
 */
const kinds = ['transient', 'refused', 'ambiguous'] as const;
export type FailureKind = (typeof kinds)[number];

export interface FailureDetails {
  kind: FailureKind;
  /** What went wrong: one sentence, without patient data or secrets. */
  message: string;
  /** What the reader can do about it: one sentence. */
  hint?: string | undefined;
  /** HTTP status of a complete answer. */
  status?: number | undefined;
  /** Milliseconds until the earliest sensible retry, if the other side named one. */
  retryAfterMs?: number | undefined;
  /** Worth retrying, but a user has to change something before it works, such as an expired certificate. */
  lasting?: boolean;
  /** Concerns this event alone: the receiver works. */
  single?: boolean;
  /** The part of an answer that could not be read, and what was wrong with it: `is missing`. */
  fault?: { field: string | null; problem: string } | undefined;
  /** Message and hint for other languages. */
  said?: Said | undefined;
  /** Identifies a refusal that is shown in the user's language, and its subject. */
  refusal?: { name: string; ref: string } | undefined;
  cause?: unknown;
}

/** The only error type that crosses module boundaries. Message and hint are written for users and safe to show. */
export class Failure extends Error {
  override readonly name = 'Failure';
  readonly kind: FailureKind;
  readonly hint: string | undefined;
  readonly status: number | undefined;
  readonly retryAfterMs: number | undefined;
  readonly lasting: boolean;
  readonly single: boolean;
  readonly fault: { field: string | null; problem: string } | undefined;
  readonly said: Said | undefined;
  readonly refusal: { name: string; ref: string } | undefined;

  constructor({ kind, message, hint, lasting = false, single = false, cause, ...more }: FailureDetails) {
    super(message, { cause });
    this.kind = kind;
    this.hint = hint;
    this.status = more.status;
    this.retryAfterMs = more.retryAfterMs;
    this.lasting = lasting;
    this.single = single;
    this.fault = more.fault;
    this.said = more.said;
    this.refusal = more.refusal;
  }
}

/**
 * Any thrown value as a Failure. An external package may bundle its own copy of the class, so errors are also
 * recognised by shape: named `Failure`, with a kind. Of other errors only the code is kept, never the message: foreign
 * messages quote bodies, headers and file contents.
 */
export function asFailure(error: unknown, doing: string): Failure {
  if (error instanceof Failure) return error;
  const copied = fromCopy(error);
  if (copied) return copied;
  const code = codeOf(error);
  const name = error instanceof Error ? error.name : typeof error;
  const what = code === undefined ? name : `${name} (${code})`;
  return new Failure({ kind: 'transient', message: `${doing} failed: ${what}`, cause: error });
}

/** The code of a system or library error, such as ENOENT. */
export function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error && 'code' in error)) return undefined;
  // Node has no name for some of the system's errors, such as EDQUOT.
  const number = error.code === 'UNKNOWN' && 'errno' in error ? -Number(error.errno) : 0;
  const [name] = Object.entries(constants.errno).find(([, value]) => value === number) ?? [];
  return name ?? String(error.code);
}

function fromCopy(error: unknown): Failure | undefined {
  if (!(error instanceof Error) || error.name !== 'Failure') return undefined;
  const { kind, hint, status, retryAfterMs, lasting, message }: Partial<FailureDetails> = error;
  if (kind === undefined || !kinds.includes(kind)) return undefined;
  return new Failure({
    kind,
    message,
    hint: typeof hint === 'string' ? hint : undefined,
    status: Number.isInteger(status) ? status : undefined,
    retryAfterMs: Number.isFinite(retryAfterMs) ? retryAfterMs : undefined,
    lasting: lasting === true,
    cause: error,
  });
}
