import { Failure } from './failure.ts';
import { printable } from './printable.ts';

/** The other side of a connection, in the words of messages and remedies. */
export interface Peer {
  /** `crm.example`; `the clinic’s server` */
  name: string;
  /** Who can mend what is wrong there. Default: `whoever runs` and its name. */
  operator?: string;
  /** The setting that holds its address. Default: `url`. */
  setting?: string;
  /** How this client is told to trust an authority. Default: by NODE_EXTRA_CA_CERTS. */
  authority?: string;
}

export interface NetworkFault {
  /** Continues the name: `has an expired certificate`. */
  what: string;
  hint: string;
  /** Of Node, OpenSSL or the HTTP parser, for searching the web. */
  code: string;
  /** What became of each address, or the names of a certificate and ours. */
  detail?: string;
  /** Waiting does not help: someone has to change a certificate or a setting of TLS. */
  lasting: boolean;
}

/**
 * What is wrong between two machines, each with the remedy of the side at fault; `{…}` are of `Peer`. The first row
 * whose pattern matches the code counts. Codes of OpenSSL vary by version, so patterns name their stable ends.
 */
const faults: readonly (readonly [codes: RegExp, what: string, hint: string])[] = [
  [
    /^ADDRESS_REFUSED$/,
    'has only private or local addresses, which are refused',
    'If the receiver is meant to be there, add its network to allow_networks.',
  ],
  [
    /^ERR_PROXY_TUNNEL$/,
    'could not be reached through the outgoing proxy',
    'Check HTTPS_PROXY or HTTP_PROXY: address, user and password, and whether the proxy lets us reach that host; or name the host in NO_PROXY.',
  ],
  [/^(ENOTFOUND|EAI_NONAME|EAI_NODATA)$/, 'could not be found', 'Check the host name in {setting}, and DNS.'],
  [/^EAI_/, 'could not be looked up', 'The DNS did not answer; check the network.'],
  [/^ECONNREFUSED$/, 'refused the connection', 'Check that it runs, and the port in {setting}.'],
  [
    /^(ECONNRESET|EPIPE|ERR_SOCKET_CLOSED)$/,
    'closed the connection',
    'Look into its log, and that of any proxy in between.',
  ],
  [
    /^CONNECT_TIMEOUT$/,
    'could not be connected to in time',
    'Check {setting}, the network and the firewalls in between.',
  ],
  [
    /^(ETIMEDOUT|ESOCKETTIMEDOUT)$/,
    'did not answer in time',
    'Raise timeout, or let the receiver answer before it processes the event.',
  ],
  [
    /^(EHOSTUNREACH|ENETUNREACH|ENETDOWN|EADDRNOTAVAIL|EAFNOSUPPORT)$/,
    'could not be reached',
    'Check the network and the firewall.',
  ],
  [
    /^CERT_HAS_EXPIRED$/,
    'has an expired certificate',
    'Tell {operator} to renew it. If others can connect, set the clock of this machine.',
  ],
  [
    /^CERT_NOT_YET_VALID$/,
    'has a certificate that is not valid yet',
    'Set the clock of this machine (NTP); if it is right, tell {operator}.',
  ],
  [
    /^ERR_TLS_CERT_ALTNAME_INVALID$/,
    'has a certificate for another name',
    'Write a name of the certificate into {setting}, or tell {operator} to add the missing one.',
  ],
  [
    /^DEPTH_ZERO_SELF_SIGNED_CERT$/,
    'has a self-signed certificate',
    'Tell {operator} to use one from a known authority, or {authority}.',
  ],
  [
    /^(SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_GET_ISSUER_CERT_LOCALLY|CERT_UNTRUSTED|INVALID_CA)$/,
    'has a certificate from an unknown authority',
    'If the authority is your own, or that of a firewall which inspects TLS, {authority}.',
  ],
  [
    /^UNABLE_TO_(VERIFY_LEAF_SIGNATURE|GET_ISSUER_CERT)$/,
    'does not send its intermediate certificate',
    'Tell {operator} to install the full chain; browsers work without it. If the authority is your own, {authority}.',
  ],
  [/^CERT_REVOKED$/, 'has a revoked certificate', 'Tell {operator} to replace it.'],
  [
    /TOO_(SMALL|WEAK)$/,
    'has a certificate with a key or signature that is too weak',
    'Tell {operator} to replace it: 2,048 bits and SHA-256 are the least.',
  ],
  [
    /CERTIFICATE_REQUIRED$|ALERT_BAD_CERTIFICATE$/,
    'asks for a client certificate, and we have none',
    'Tell {operator} to let this client in without one.',
  ],
  [
    /UNSUPPORTED_PROTOCOL$|PROTOCOL_VERSION$|VERSION_TOO_LOW$|NO_PROTOCOLS_AVAILABLE$/,
    'speaks only an outdated version of TLS',
    'Tell {operator} to switch on TLS 1.2 or 1.3.',
  ],
  [
    /UNRECOGNIZED_NAME$/,
    'has no certificate for this name',
    'Check the host name in {setting}; if it is right, tell {operator}.',
  ],
  [
    /HANDSHAKE_FAILURE$|NO_SHARED_CIPHER$|NO_CIPHERS|INSUFFICIENT_SECURITY$|LEGACY_RENEGOTIATION/,
    'has no encryption in common with us, or asks for a client certificate',
    'Tell {operator} to switch on TLS 1.2 or 1.3 with usual ciphers.',
  ],
  [
    /WRONG_VERSION_NUMBER$|PACKET_LENGTH_TOO_LONG$|HTTP_REQUEST$|UNKNOWN_PROTOCOL$|^EPROTO$/,
    'does not speak TLS there',
    'Check http or https, and the port, in {setting}.',
  ],
  [
    /^(ERR_SSL_|ERR_TLS_|CERT_|UNABLE_TO_)/,
    'could not agree on a secure connection with us',
    'Tell {operator}: the log there names the cause.',
  ],
  [/^TLS_WITHOUT_HTTPS$/, 'speaks TLS there', 'Write https into {setting}, or check the port.'],
  [
    /^HPE_INVALID_(CONSTANT|VERSION)$/,
    'does not speak HTTP there',
    'Check the port in {setting}, and what listens on it.',
  ],
  [
    /^HPE_(CR|LF)_EXPECTED$/,
    'breaks HTTP: its lines end with LF alone',
    'Tell {operator}: that server, or a proxy before it, has to be corrected.',
  ],
  [
    /^HPE_(UNEXPECTED_CONTENT_LENGTH|INVALID_TRANSFER_ENCODING)$/,
    'breaks HTTP: it states the length of its answer twice',
    'Tell {operator}: that server, or a proxy before it, has to be corrected.',
  ],
  [
    /^HPE_INVALID_HEADER_TOKEN$/,
    'breaks HTTP: a header has a character that is not allowed',
    'Tell {operator}: that server, or a proxy before it, has to be corrected.',
  ],
  [
    /^HPE_HEADER_OVERFLOW$/,
    'sends more headers than are read',
    'Tell {operator}: 16 kB of headers are the most.',
  ],
  [/^HPE_/, 'breaks HTTP', 'Tell {operator}: that server, or a proxy before it, has to be corrected.'],
];

/**
 * What stopped a request without an answer, for every outside system: clinic, receivers, Google, mail, PostgreSQL,
 * `doctor`. Undefined when the error is none of the network's. Give it the error as the client threw it (wrapped, or of
 * several addresses), and the peer in the words of your messages:
 *
 *     const fault = networkFault(error, { name: 'the mail server', setting: 'smtp' });
 *     // { what: 'has an expired certificate', hint: 'Tell whoever runs the mail server to renew it. …', code }
 *
 * `unreachableFailure` makes a Failure of it. Nothing decides by these words or codes whether something was sent.
 */
export function networkFault(error: unknown, peer: Peer): NetworkFault | undefined {
  const innermost = innermostOf(error);
  const code = codeOf(innermost);
  const found = rowOf(code);
  if (found === undefined) return undefined;
  const [, what, hint] = found;
  const { operator = `whoever runs ${peer.name}`, setting = 'url' } = peer;
  const { authority = 'set NODE_EXTRA_CA_CERTS to the file of its certificate' } = peer;
  const words: Record<string, string> = { operator, setting, authority };
  return {
    what,
    hint: hint.replace(/\{(\w+)\}/g, (_all, name: string) => words[name] ?? ''),
    code,
    lasting: securityCodes.test(code),
    ...detailOf(innermost),
  };
}

const securityCodes = /^(ERR_SSL_|ERR_TLS_|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|INVALID_CA|EPROTO)/;

const rowOf = (code: string) => faults.find(([codes]) => codes.test(code));

/** The failure of a request without an answer. `peer`: its host alone, because paths may contain tokens. */
export function unreachableFailure(error: unknown, peer: string | Peer): Failure {
  const whole = typeof peer === 'string' ? { name: peer, operator: 'whoever runs it' } : peer;
  const fault = networkFault(error, whole);
  const code = codeOf(innermostOf(error));
  const { what, hint, detail } = fault ?? {
    what: 'could not be reached',
    hint: `Check ${whole.setting ?? 'url'} and the network.`,
    detail: code,
  };
  const more = detail ? ` (${detail})` : '';
  return new Failure({ kind: 'transient', message: `${whole.name} ${what}${more}.`, hint });
}

/** ` → https://www.crm.example/hook`; without the query, which may hold a token. */
export function redirectTo(location: string | undefined): string {
  const target = URL.parse(location ?? '', 'http://same.invalid');
  if (location === undefined || target === null) return '';
  const { origin, pathname, hostname } = target;
  return ` → ${hostname === 'same.invalid' ? '' : origin}${printable(pathname)}`;
}

interface SystemError extends Error {
  code?: unknown;
  syscall?: unknown;
  address?: unknown;
  /** Of the HTTP parser: what it could not read. */
  rawPacket?: unknown;
  /** Of a certificate for other names. */
  host?: unknown;
  cert?: { subjectaltname?: unknown };
}

/** Libraries wrap what they caught; several addresses come as an AggregateError. */
function innermostOf(error: unknown): SystemError | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error instanceof AggregateError && error.errors.length > 0) return error;
  return innermostOf(error.cause) ?? error;
}

/** Says nothing of the peer: the machine has no way to that kind of address. */
const noWay = /^(ENETUNREACH|EHOSTUNREACH|EADDRNOTAVAIL|EAFNOSUPPORT)$/;

function codeOf(error: SystemError | undefined): string {
  if (error === undefined) return '';
  if (error instanceof AggregateError) {
    const codes = error.errors.map((one) => codeOf(innermostOf(one)));
    return codes.find((one) => !noWay.test(one)) ?? codes[0] ?? '';
  }
  const { code, syscall, message, rawPacket } = error;
  if (typeof code !== 'string') return '';
  if (code === 'ETIMEDOUT' && syscall === 'connect') return 'CONNECT_TIMEOUT';
  if (code === 'HPE_INVALID_CONSTANT' && isTls(rawPacket)) return 'TLS_WITHOUT_HTTPS';
  const reason = reasonIn(code, message);
  return reason === undefined
    ? code
    : `ERR_SSL_${reason
        .trim()
        .toUpperCase()
        .replaceAll(/[^A-Z0-9]+/g, '_')}`;
}

/** Whether it begins as a TLS alert or handshake does. */
const isTls = (packet: unknown): boolean =>
  packet instanceof Uint8Array && (packet[0] === 0x15 || packet[0] === 0x16) && packet[1] === 0x03;

/** OpenSSL's reason, where only the message has it: `…:SSL routines:…:wrong version number:…`, `ca key too weak`. */
function reasonIn(code: string, message: string): string | undefined {
  if (code === 'EPROTO') return /SSL routines:[^:]*:([^:\n]+)/.exec(message)?.[1];
  return code === 'UNSPECIFIED' ? message : undefined;
}

const MOST_NAMES = 3;

/** Each address that was tried, or both names. */
function detailOf(error: SystemError | undefined): { detail?: string } {
  if (error instanceof AggregateError) {
    const tried = error.errors
      .filter(({ address }: SystemError) => typeof address === 'string')
      .map((one: SystemError) => `${one.address} ${rowOf(codeOf(one))?.[1] ?? codeOf(one)}`);
    return tried.length > 1 ? { detail: tried.join(', ') } : {};
  }
  const { host, cert } = error ?? {};
  if (typeof host !== 'string' || typeof cert?.subjectaltname !== 'string') return {};
  const names = cert.subjectaltname.split(', ').map((name) => name.replace(/^(DNS|IP Address):/, ''));
  const more = names.length > MOST_NAMES ? ', …' : '';
  return { detail: `${names.slice(0, MOST_NAMES).join(', ')}${more}, not ${host}` };
}
