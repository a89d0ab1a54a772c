import { Failure } from './failure.ts';

const unreachable: Record<string, [message: string, hint: string]> = {
  ADDRESS_REFUSED: [
    'has only private or local addresses, which are refused',
    'If the receiver is meant to be there, add its network to allow_networks.',
  ],
  ENOTFOUND: ['could not be found', 'Check the host name in url, and DNS.'],
  EAI_AGAIN: ['could not be looked up', 'The DNS did not answer; check the network.'],
  ECONNREFUSED: ['refused the connection', 'Check that the receiver runs and the port in url.'],
  ECONNRESET: ['closed the connection', 'Check the receiver’s log, and any proxy in between.'],
  EPIPE: ['closed the connection', 'Check the receiver’s log, and any proxy in between.'],
  ETIMEDOUT: [
    'did not answer in time',
    'Raise timeout, or let the receiver answer before it processes the event.',
  ],
  EHOSTUNREACH: ['could not be reached', 'Check the network and the firewall.'],
  ENETUNREACH: ['could not be reached', 'Check the network and the firewall.'],
  CERT_HAS_EXPIRED: ['has an expired certificate', 'Renew the certificate of the receiver.'],
  ERR_TLS_CERT_ALTNAME_INVALID: [
    'has a certificate for another name',
    'Check the host name in url against the certificate.',
  ],
  DEPTH_ZERO_SELF_SIGNED_CERT: [
    'has a self-signed certificate',
    'Use a certificate from a known authority, or add yours with NODE_EXTRA_CA_CERTS.',
  ],
  SELF_SIGNED_CERT_IN_CHAIN: [
    'has a certificate from an unknown authority',
    'Set NODE_EXTRA_CA_CERTS to the certificate of that authority.',
  ],
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: [
    'has an incomplete certificate chain',
    'Let the receiver send its intermediate certificates.',
  ],
  HPE: ['does not speak HTTP there', 'Check the port in url, and what listens on it.'],
  EPROTO: ['does not speak TLS there', 'Check http or https, and the port, in url.'],
};

/** The failure of a request without an answer. Shows only the `host` of the address: paths may contain tokens. */
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
