import type { JsonObject } from '../../platform/json.ts';
import type { NetworkFault } from '../../platform/network/unreachable.ts';

/**
 * One request on the wire and what was observed of it. Only the wire itself is interpreted here, because nothing else
 * can answer "was it sent?".
 */
export type Exchange = Answer | Broken;

/** A complete answer: headers, and the body to its last announced byte. */
export interface Answer {
  kind: 'answer';
  status: number;
  body: Buffer;
  retryAfterMs?: number;
  /** Where a redirect leads. */
  location?: string | undefined;
  /** The server's clock, from its Date header, milliseconds since the epoch. */
  serverTime?: number | undefined;
  /** What its headers say of further pages. */
  pages?: JsonObject;
  /** Who answered: the address and, over TLS, the certificate's fingerprint. */
  peer?: string;
}

export interface Broken {
  kind: 'broken';
  /** False: the connection was never made (TCP for http, TLS for https), so no byte of the request left. */
  connected: boolean;
  problem: ExchangeProblem;
  /** For searching the web. */
  code?: string;
  /** What the network or TLS did, for display. */
  fault?: NetworkFault | undefined;
  /** Set when the headers arrived before the connection broke. */
  status?: number;
  retryAfterMs?: number;
}

export type ExchangeProblem =
  | 'timeout'
  | 'connection'
  | 'certificate'
  | 'protocol'
  | 'cut'
  | 'too_long'
  | 'unreadable'
  | 'aborted'
  | 'unsendable';

/** True when waiting does not help: a user has to change something first. */
export const isLasting = ({ connected, problem, fault }: Broken): boolean =>
  problem === 'certificate' ||
  problem === 'unsendable' ||
  (problem === 'protocol' && (!connected || fault?.lasting === true));

/** What broke, for display; contains no host, header or body. */
export function describeBroken({ connected, problem, code, fault }: Broken): string {
  const isNamed = fault !== undefined && (problem === 'certificate' || problem === 'protocol');
  const said = isNamed ? `the clinic’s server ${fault.what}` : sentence(connected, problem);
  const details = [fault?.detail, code].filter((detail) => detail !== undefined);
  return `${said}${details.length === 0 ? '' : ` (${details.join('; ')})`}`;
}

function sentence(connected: boolean, problem: ExchangeProblem): string {
  switch (problem) {
    case 'timeout':
      return connected ? 'the clinic did not answer in time' : 'no connection to the clinic in time';
    case 'connection':
      return connected ? 'the connection to the clinic broke' : 'no connection to the clinic';
    case 'certificate':
      return 'the clinic’s certificate is not trusted';
    case 'protocol':
      return connected ? 'the clinic’s answer was not HTTP' : 'no secure connection to the clinic';
    case 'cut':
      return 'the answer was cut short';
    case 'too_long':
      return 'the answer was far too long and was discarded';
    case 'unreadable':
      return 'the answer could not be decompressed';
    case 'aborted':
      return 'the call was interrupted';
    case 'unsendable':
      return 'the request cannot be sent: a key or the address contains an invalid character';
  }
}

export function hintFor({ problem, connected, fault }: Broken): string | undefined {
  if (problem === 'unsendable') return 'Check base_url, app_key and secret_key for stray characters.';
  if (fault !== undefined && (problem === 'certificate' || problem === 'protocol' || !connected))
    return fault.hint;
  if (!connected) return 'Check base_url, the network, and whether the clinic’s server is up.';
  if (problem === 'timeout')
    return 'The clinic’s server is slow or hangs: if it does not recover, tell whoever runs it.';
  return undefined;
}
