import type { Instant } from './clock.ts';

/**
 * The fields a log line may carry besides its constant text. A field that is not listed cannot be logged: this keeps
 * patient data and secrets out of logs (an allow-list, because deny-lists miss nested copies).
 */
export const logFields = [
  'clinic',
  'connector',
  'resource',
  'ref',
  'state',
  'reason',
  'kind',
  'status',
  'code',
  'count',
  'attempt',
  'sequence',
  'appointment_id',
  'delivery',
  'ms',
  'bytes',
  'at',
  'next',
  'path',
  'url_host',
  'port',
  'version',
  'problem',
  'hint',
] as const;

export type LogFields = Partial<Record<(typeof logFields)[number], string | number | boolean>>;

/** `text` is constant: anything variable goes into a field. */
export interface Log {
  debug(text: string, fields?: LogFields): void;
  info(text: string, fields?: LogFields): void;
  warn(text: string, fields?: LogFields): void;
  error(text: string, fields?: LogFields): void;
}

/** What became of the lines. */
export interface LogOutput {
  /** Lines dropped since the start. */
  dropped(): number;
  /** When the last one was dropped. */
  droppedAt(): Instant | null;
  /** Since when nothing takes the lines, and why: `EAGAIN` when a pipe is full. */
  stalled(): { since: Instant; code: string } | undefined;
}

export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {} };
