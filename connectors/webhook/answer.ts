import { DAY } from '../../src/platform/duration.ts';
import { Failure } from '../../src/platform/failure.ts';
import { retryAfterMs } from '../../src/platform/retry-after.ts';

export interface Answer {
  status: number;
  retryAfter: string | undefined;
}

/** Longest `Retry-After`: a receiver must not silence itself by mistake. */
const LONGEST_WAIT_MS = DAY;

const hints: Record<number, string> = {
  400: 'Look into the receiver’s log: it does not accept this event.',
  401: 'Check the secret and the headers on both sides.',
  403: 'Check the secret and the headers on both sides.',
  404: 'Check the url: the receiver has nothing there.',
  405: 'Check the url: the receiver does not take POST there.',
  410: 'The receiver wants no more events. Remove the connector, or resume it when that is wrong.',
  413: 'Let the receiver take larger bodies, or set thin: true.',
  429: 'Set rate to what the receiver allows.',
};

/**
 * The failure behind an answer; undefined for any 2xx. Everything but 410 is retried: a wrong secret or path is usually
 * corrected within hours, and giving up at the first 404 of a deployment would lose the event. The body is never quoted,
 * because receivers echo what they were sent.
 */
export function failureOf({ status, retryAfter }: Answer, nowMs: number): Failure | undefined {
  if (status >= 200 && status < 300) return undefined;
  const redirect = status >= 300 && status < 400;
  const hint = redirect
    ? 'Redirects are not followed: put the address it redirects to into url.'
    : (hints[status] ?? (status >= 500 ? 'The receiver has a problem; look into its log.' : undefined));
  return new Failure({
    kind: status === 410 ? 'refused' : 'transient',
    message: `The receiver answered ${status}.`,
    status,
    hint,
    retryAfterMs: retryAfterMs(retryAfter, { now: nowMs, longestMs: LONGEST_WAIT_MS }),
  });
}

const unreachable: Record<string, [message: string, hint: string]> = {
  ADDRESS_REFUSED: [
    'has only private or local addresses, which are refused',
    'If the receiver is meant to be there, add its network to allow_networks.',
  ],
  ENOTFOUND: ['could not be found', 'Check the host name in url, and the DNS.'],
  EAI_AGAIN: ['could not be looked up', 'The DNS did not answer; check the network.'],
  ECONNREFUSED: ['refused the connection', 'Check that the receiver runs and the port in url.'],
  ECONNRESET: ['broke the connection off', 'Look into the receiver’s log, or at what is in between.'],
  EPIPE: ['broke the connection off', 'Look into the receiver’s log, or at what is in between.'],
  ETIMEDOUT: ['did not answer in time', 'Raise timeout, or let the receiver answer before it works.'],
  EHOSTUNREACH: ['could not be reached', 'Check the network and the firewall.'],
  ENETUNREACH: ['could not be reached', 'Check the network and the firewall.'],
  CERT_HAS_EXPIRED: ['has a certificate that expired', 'Renew the certificate of the receiver.'],
  ERR_TLS_CERT_ALTNAME_INVALID: [
    'has a certificate for another name',
    'Check the host name in url against the certificate.',
  ],
  DEPTH_ZERO_SELF_SIGNED_CERT: [
    'has a self-signed certificate',
    'Give the receiver a certificate of a known authority, or NODE_EXTRA_CA_CERTS with yours.',
  ],
  SELF_SIGNED_CERT_IN_CHAIN: [
    'has a certificate of an unknown authority',
    'Give NODE_EXTRA_CA_CERTS the certificate of that authority.',
  ],
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: [
    'has an incomplete certificate chain',
    'Let the receiver send its intermediate certificates.',
  ],
  HPE: ['does not speak HTTP there', 'Check the port in url, and what listens on it.'],
  EPROTO: ['does not speak TLS there', 'Check http or https, and the port, in url.'],
};

/** The failure of a request without an answer. Shows only `host` of the address: paths carry tokens. */
export function unreachableFailure(error: unknown, host: string): Failure {
  const code = codeOf(error);
  // Node's HTTP parser: HPE_INVALID_CONSTANT, HPE_HEADER_OVERFLOW, …
  const [what, hint] = unreachable[code.replace(/^HPE_.*/, 'HPE')] ?? [
    'could not be reached',
    'Check url and the network.',
  ];
  const known = code in unreachable || code === '' ? '' : ` (${code})`;
  return new Failure({ kind: 'transient', message: `${host} ${what}${known}.`, hint });
}

/** The innermost code: Node reports several addresses as an AggregateError, and got wraps what it caught. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return '';
  const inner = error instanceof AggregateError ? error.errors[0] : error.cause;
  const deeper = codeOf(inner);
  if (deeper !== '') return deeper;
  return 'code' in error && typeof error.code === 'string' ? error.code : '';
}
