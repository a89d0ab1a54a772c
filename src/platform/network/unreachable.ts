import { type Said, type TextName, textsOf } from '../../texts/texts.ts';
import { Failure } from '../failure.ts';
import { printable } from '../text/printable.ts';

/** The other side of a connection, in the words of messages and remedies. */
export interface Peer {
  /** `crm.example`; `the clinic’s server` */
  name: string;
  /** What holds its address. Default: `url`. */
  setting?: string;
  /** The setting by which this client is told to trust an authority. Default: NODE_EXTRA_CA_CERTS. */
  trust?: string;
}

export interface NetworkFault {
  /** Continues the name: `has an expired certificate`. */
  what: string;
  hint: string;
  /** Of Node, OpenSSL or the HTTP parser, for searching the web. */
  code: string;
  /** What became of each address, or the names of a certificate and ours. */
  detail?: string;
  /** The same for other languages. */
  said: Said;
  /** Waiting does not help: someone has to change a certificate or a setting of TLS. */
  lasting: boolean;
}

/**
 * The first row whose pattern matches the code counts. Codes of OpenSSL vary by version, so patterns name their stable
 * ends.
 */
const faults: readonly (readonly [codes: RegExp, text: TextName])[] = [
  [/^ADDRESS_REFUSED$/, 'net_private'],
  [/^ERR_PROXY_TUNNEL$/, 'net_proxy'],
  [/^(ENOTFOUND|EAI_NONAME|EAI_NODATA)$/, 'net_no_host'],
  [/^EAI_/, 'net_dns'],
  [/^ECONNREFUSED$/, 'net_refused'],
  [/^(ECONNRESET|EPIPE|ERR_SOCKET_CLOSED)$/, 'net_reset'],
  [/^CONNECT_TIMEOUT$/, 'net_no_connection'],
  [/^(ETIMEDOUT|ESOCKETTIMEDOUT)$/, 'net_slow'],
  [/^(EHOSTUNREACH|ENETUNREACH|ENETDOWN|EADDRNOTAVAIL|EAFNOSUPPORT)$/, 'net_no_way'],
  [/^CERT_HAS_EXPIRED$/, 'cert_expired'],
  [/^CERT_NOT_YET_VALID$/, 'cert_early'],
  [/^ERR_TLS_CERT_ALTNAME_INVALID$/, 'cert_name'],
  [/^DEPTH_ZERO_SELF_SIGNED_CERT$/, 'cert_self_signed'],
  [
    /^(SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_GET_ISSUER_CERT_LOCALLY|CERT_UNTRUSTED|INVALID_CA)$/,
    'cert_authority',
  ],
  [/^UNABLE_TO_(VERIFY_LEAF_SIGNATURE|GET_ISSUER_CERT)$/, 'cert_chain'],
  [/^CERT_REVOKED$/, 'cert_revoked'],
  [/TOO_(SMALL|WEAK)$/, 'cert_weak'],
  [/CERTIFICATE_REQUIRED$|ALERT_BAD_CERTIFICATE$/, 'tls_client'],
  [/UNSUPPORTED_PROTOCOL$|PROTOCOL_VERSION$|VERSION_TOO_LOW$|NO_PROTOCOLS_AVAILABLE$/, 'tls_old'],
  [/UNRECOGNIZED_NAME$/, 'tls_no_name'],
  [
    /HANDSHAKE_FAILURE$|NO_SHARED_CIPHER$|NO_CIPHERS|INSUFFICIENT_SECURITY$|LEGACY_RENEGOTIATION/,
    'tls_ciphers',
  ],
  [/WRONG_VERSION_NUMBER$|PACKET_LENGTH_TOO_LONG$|HTTP_REQUEST$|UNKNOWN_PROTOCOL$|^EPROTO$/, 'tls_none'],
  [/^(ERR_SSL_|ERR_TLS_|CERT_|UNABLE_TO_)/, 'tls_other'],
  [/^TLS_WITHOUT_HTTPS$/, 'http_over_tls'],
  [/^HPE_INVALID_(CONSTANT|VERSION)$/, 'http_none'],
  [/^HPE_(CR|LF)_EXPECTED$/, 'http_lines'],
  [/^HPE_(UNEXPECTED_CONTENT_LENGTH|INVALID_TRANSFER_ENCODING)$/, 'http_length'],
  [/^HPE_INVALID_HEADER_TOKEN$/, 'http_header'],
  [/^HPE_HEADER_OVERFLOW$/, 'http_headers'],
  [/^HPE_/, 'http_broken'],
];

/**
 * What stopped a request without an answer, for every outside system: clinic, receivers, Google, mail, PostgreSQL,
 * `doctor`. Undefined when the error is none of the network's. Give it the error as the client threw it (wrapped, or of
 * several addresses), and the peer in the words of your messages:
 *
 *     const fault = networkFault(error, { name: 'the mail server', setting: 'smtp' });
 *     // { what: 'has an expired certificate', hint: 'Tell whoever runs it to renew it. …', code }
 *
 * `unreachableFailure` makes a Failure of it. Nothing decides by these words or codes whether something was sent.
 */
export function networkFault(error: unknown, peer: Peer): NetworkFault | undefined {
  const innermost = innermostOf(error);
  const code = codeOf(innermost);
  const text = textOf(code);
  return text && { ...faultOf(text, innermost, peer), code, lasting: securityCodes.test(code) };
}

function faultOf(code: TextName, error: SystemError | undefined, peer: Peer) {
  const { name, setting = 'url', trust = 'NODE_EXTRA_CA_CERTS' } = peer;
  const [detail, plain] = [detailOf(error, inEnglish), detailOf(error, signs)];
  return {
    what: whatOf(code),
    hint: remedyOf(code).replace('{setting}', setting).replace('{trust}', trust),
    ...(detail !== undefined && { detail }),
    said: { code, values: { name, setting, trust, detail: plain === undefined ? '' : ` (${plain})` } },
  };
}

const linesOf = (code: TextName): string[] => String(textsOf('en')[code]).split('\n');
const whatOf = (code: TextName): string =>
  /^\{name\} (.*)\{detail\}\.$/.exec(linesOf(code)[0] ?? '')?.[1] ?? '';
const remedyOf = (code: TextName): string => linesOf(code)[1] ?? '';

const securityCodes = /^(ERR_SSL_|ERR_TLS_|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|INVALID_CA|EPROTO)/;

const textOf = (code: string) => faults.find(([codes]) => codes.test(code))?.[1];

/** The failure of a request without an answer. `peer`: its host alone, because paths may contain tokens. */
export function unreachableFailure(error: unknown, peer: string | Peer): Failure {
  const whole = typeof peer === 'string' ? { name: peer } : peer;
  const innermost = innermostOf(error);
  const { what, hint, detail, said } = networkFault(error, whole) ?? faultOf('net_other', innermost, whole);
  const more = detail ? ` (${detail})` : '';
  return new Failure({ kind: 'transient', message: `${whole.name} ${what}${more}.`, hint, said });
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

/** How a detail is worded. */
interface Wording {
  fault: (code: string) => string;
  not: string;
}
const inEnglish: Wording = {
  fault: (code) => {
    const text = textOf(code);
    return text === undefined ? code : whatOf(text);
  },
  not: ', not',
};
/** For every language. */
const signs: Wording = { fault: (code) => code, not: ' ≠' };

/** Each address that was tried, or both names; of an unknown error, its code. */
function detailOf(error: SystemError | undefined, { fault, not }: Wording): string | undefined {
  if (error instanceof AggregateError) {
    const tried = error.errors
      .filter(({ address }: SystemError) => typeof address === 'string')
      .map((one: SystemError) => `${one.address} ${fault(codeOf(one))}`);
    return tried.length > 1 ? tried.join(', ') : undefined;
  }
  const { host, cert } = error ?? {};
  const code = codeOf(error);
  if (textOf(code) === undefined) return code || undefined;
  if (typeof host !== 'string' || typeof cert?.subjectaltname !== 'string') return undefined;
  const names = cert.subjectaltname.split(', ').map((name) => name.replace(/^(DNS|IP Address):/, ''));
  const more = names.length > MOST_NAMES ? ', …' : '';
  return `${names.slice(0, MOST_NAMES).join(', ')}${more}${not} ${host}`;
}
