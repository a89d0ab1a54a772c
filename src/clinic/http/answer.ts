import { Failure } from '../../platform/failure.ts';
import type { Json } from '../../platform/json.ts';
import { redirectTo } from '../../platform/network/unreachable.ts';
import { isWebPage } from '../../platform/network/web-page.ts';
import { messageOf } from '../booking-outcome.ts';
import { type Answer, type Broken, describeBroken, type Exchange, hintFor, isLasting } from './exchange.ts';
import { describeBody, readJson } from './json-body.ts';
import { softRefusal } from './soft-refusal.ts';

/** The body of a 2xx as JSON; throws anything else as a `Failure` that tells the user what to do. */
export function readableAnswer(
  exchange: Exchange,
  endpoint: string,
  words: (message: string) => string,
): Json {
  if (exchange.kind === 'broken') throw brokenFailure(exchange, endpoint);
  if (exchange.status < 200 || exchange.status > 299) throw statusFailure(exchange, endpoint, words);
  const json = readJson(exchange.body);
  if (json.ok) return json.value;
  throw new Failure({
    // A maintenance page or a truncated answer is temporary.
    kind: 'transient',
    message: `${endpoint}: ${describeBody(json.problem)}`,
    hint: 'Check that base_url is the address of the API; a proxy or a maintenance page may answer in its place.',
    status: exchange.status,
  });
}

function brokenFailure(broken: Broken, endpoint: string): Failure {
  const isRefused = broken.problem === 'unsendable' || broken.problem === 'too_long';
  return new Failure({
    kind: isRefused ? 'refused' : 'transient',
    lasting: isLasting(broken),
    message: `${endpoint}: ${describeBroken(broken)}`,
    hint: hintFor(broken),
    said: broken.fault?.said,
    retryAfterMs: broken.retryAfterMs,
  });
}

function statusFailure(answer: Answer, endpoint: string, words: (message: string) => string): Failure {
  const { status, retryAfterMs, location, body } = answer;
  if (isWebPage(body)) return pageFailure(answer, endpoint);
  return new Failure({
    kind: isPassing(answer) ? 'transient' : 'refused',
    message: `${endpoint}: the clinic answered ${status}${redirectTo(location)}${quoted(messageOf(answer, words))}`,
    hint: statusHint(status),
    status,
    retryAfterMs,
  });
}

/** A bot filter, a portal, a maintenance page: its status says nothing of our keys. */
const pageFailure = ({ status, retryAfterMs }: Answer, endpoint: string): Failure =>
  new Failure({
    kind: isNoSuchPage(status) ? 'refused' : 'transient',
    message: `${endpoint}: a web page came in the clinic’s place (${status})`,
    hint: isNoSuchPage(status)
      ? 'Check base_url: it ends in /api/v1.'
      : 'Let the bot filter, proxy or maintenance page in front of the clinic’s API pass our calls; check base_url.',
    status,
    retryAfterMs,
  });

const isPassing = (answer: Answer): boolean => {
  const { status } = answer;
  if (status === 407 || status === 408 || status === 425 || status === 429 || status >= 500) return true;
  const why = softRefusal(answer);
  return why === 'throttled' || why === 'maintenance';
};

const isNoSuchPage = (status: number): boolean => status === 404 || status === 405 || status === 410;

/** The clinic's own words, quoted at the end of our sentence. */
export const quoted = (message: string) => (message === '' ? '' : `: “${message}”`);

export const KEYS_HINT =
  'The clinic refuses the app key or secret: check app_key and secret_key, ' +
  'generated under API access in the clinic’s settings.';

function statusHint(status: number): string | undefined {
  if (status === 401) return KEYS_HINT;
  if (status === 403) return 'Check the app key’s permissions in the clinic’s settings under API access.';
  if (status === 404 || status === 405) return 'Check base_url: it ends in /api/v1.';
  if (status === 407) return 'The outgoing proxy wants a user and password: write them into HTTP_PROXY.';
  if (status === 429) return 'Nothing to do: calls wait as long as the clinic asks.';
  if (status >= 300 && status < 400)
    return 'The clinic redirects to another address, which is never followed: put the final address into base_url.';
  if (status >= 500) return 'The clinic’s server has a problem; the call is retried.';
  return undefined;
}
