import { z } from 'zod';
import { wholeNumber } from '../../../src/domain/clinics/setting.ts';
import { errorAnswer, htmlAnswer, replaced, type SandboxAnswer } from '../answer.ts';
import { afterCommit, before, type FaultContext, type FaultKind } from './kind.ts';

/** 400 and 401 are as specified; the rest is what servers and proxies usually answer. */
const refusals = {
  400: ['bad_request', 'Missing parameters.'],
  401: ['auth_failed', 'No valid API key provided.'],
  402: ['payment_required', 'The subscription has ended.'],
  403: ['forbidden', 'This key may not do that.'],
  404: ['not_found', 'Not found.'],
  405: ['method_not_allowed', 'Method not allowed.'],
  408: ['request_timeout', 'The request took too long.'],
  409: ['conflict', 'This slot is already taken.'],
  410: ['gone', 'This is no longer offered.'],
  413: ['payload_too_large', 'The body is too large.'],
  414: ['uri_too_long', 'The path is too long.'],
  415: ['unsupported_media_type', 'The body must be JSON.'],
  418: ['teapot', 'I am a teapot.'],
  422: ['unprocessable', 'The clinic is closed at that time.'],
  425: ['too_early', 'Too early.'],
  429: ['rate_limited', 'Rate limit exceeded.'],
  431: ['headers_too_large', 'The headers are too large.'],
  451: ['legal', 'Not available for legal reasons.'],
} as const;

const serverErrors = {
  500: 'Internal Server Error',
  501: 'Not Implemented',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Time-out',
  520: 'Web server returned an unknown error',
} as const;

type RefusalName = `status_${keyof typeof refusals}`;
type ServerErrorName =
  | `status_${keyof typeof serverErrors}`
  | `status_${keyof typeof serverErrors}_after_commit`;

const refusalKinds = Object.fromEntries(
  Object.entries(refusals).map(([status, [code, message]]) => [
    `status_${status}`,
    before(`${status} with the API’s error body; nothing is carried out.`, () =>
      errorAnswer(Number(status), code, message),
    ),
  ]),
) as Record<RefusalName, FaultKind>;

/** A 500 comes from the application, as JSON; the others from a proxy in front of it, as HTML. */
const serverError = (status: number, text: string): SandboxAnswer =>
  status === 500 ? errorAnswer(500, 'server_error', text) : htmlAnswer(status, `${status} ${text}`);

const serverErrorKinds = Object.fromEntries(
  Object.entries(serverErrors).flatMap(([status, text]) => [
    [
      `status_${status}`,
      before(`${status}; nothing is carried out.`, () => serverError(Number(status), text)),
    ],
    [
      `status_${status}_after_commit`,
      afterCommit(`The request is carried out, and answered ${status}.`, () =>
        serverError(Number(status), text),
      ),
    ],
  ]),
) as Record<ServerErrorName, FaultKind>;

const limited = (retryAfter: string, status = 429) =>
  errorAnswer(status, 'rate_limited', 'Rate limit exceeded.', { 'retry-after': retryAfter });

const waiting = (retryAfter: string) =>
  before(`429 with Retry-After: ${retryAfter}.`, () => limited(retryAfter));

const httpDate = ({ world }: FaultContext, seconds: number) =>
  new Date(world.clock.now() + seconds * 1000).toUTCString();

const seconds = (value: number) => ({ seconds: wholeNumber(0).default(value) });

const waitKinds = {
  status_429_seconds: before(
    { description: '429 with Retry-After in `seconds`.', parameters: seconds(2) },
    (_context, given) => limited(String(given.seconds)),
  ),
  status_429_date: before(
    { description: '429 with Retry-After as an HTTP date `seconds` ahead.', parameters: seconds(2) },
    (context, given) => limited(httpDate(context, given.seconds)),
  ),
  status_429_past_date: before('429 with Retry-After as a date an hour ago.', (context) =>
    limited(httpDate(context, -3_600)),
  ),
  status_429_zero: waiting('0'),
  status_429_day: waiting('86400'),
  status_429_negative: waiting('-5'),
  status_429_garbage: waiting('soon'),
  status_503_seconds: before(
    { description: '503 with Retry-After in `seconds`; nothing is carried out.', parameters: seconds(2) },
    (_context, given) => limited(String(given.seconds), 503),
  ),
};

const success = (status: number) =>
  afterCommit(`The request is carried out, and answered ${status} with the usual body.`, (_context, answer) =>
    replaced(answer, { status }),
  );

const given = {
  status: wholeNumber(200, 999).default(200),
  headers: z.record(z.string().toLowerCase(), z.string()).default({}),
};

/** Any correctly framed answer. */
const anyKinds = {
  answer_before_commit: before(
    {
      description:
        'An answer of this `status`, with these `headers` and this `body`; nothing is carried out.',
      parameters: { ...given, body: z.string().default('') },
    },
    (_context, { status, headers, body }) => ({ status, headers, body: Buffer.from(body) }),
  ),
  answer_after_commit: afterCommit(
    {
      description:
        'The request is carried out, and answered with this `status`, these ' +
        '`headers` besides its own, and this `body` if one is given.',
      parameters: { ...given, body: z.string().optional() },
    },
    (_context, answer, changes) => replaced(answer, changes),
  ),
};

const oddKinds = {
  status_201: success(201),
  status_202: success(202),
  status_204: afterCommit('The request is carried out, and answered 204 without a body.', () => ({
    status: 204,
    headers: {},
    body: Buffer.alloc(0),
  })),
  status_408_after_commit: afterCommit('The request is carried out, and answered 408.', () =>
    errorAnswer(408, 'request_timeout', 'The request took too long.', { connection: 'close' }),
  ),
  status_299: success(299),
  status_999: success(999),
};

export const statusFaults = { ...refusalKinds, ...serverErrorKinds, ...waitKinds, ...oddKinds, ...anyKinds };

const statuses = [301, 302, 303, 307, 308] as const;

const to = z
  .union([z.enum(['same', 'other']), z.url()])
  .default('same')
  .describe('`same`: this path again on this origin; `other`: on another origin; or a URL.');

const moved = ({ world, target }: FaultContext, status: number, where: string) => ({
  status,
  headers: {
    location: where === 'same' || where === 'other' ? `${world.origin(where)}${target}` : where,
    'content-type': 'text/html',
  },
  body: Buffer.from('<a href="/">Moved</a>'),
});

/**
 * A client that follows one repeats its request, which shows in the ledger. The other origin is the same server under
 * the name localhost, so that credentials sent there are seen as well.
 */
export const redirectFaults = {
  ...(Object.fromEntries(
    statuses.map((status) => [
      `redirect_${status}`,
      before(
        {
          description: `${status} to the same path (\`to\`: same, other or a URL); nothing is carried out.`,
          parameters: { to },
        },
        (context, given) => moved(context, status, given.to),
      ),
    ]),
  ) as Record<`redirect_${(typeof statuses)[number]}`, FaultKind>),
  redirect_303_after_commit: afterCommit(
    { description: 'The request is carried out, then 303 (post, redirect, get).', parameters: { to } },
    (context, _answer, given) => moved(context, 303, given.to),
  ),
};
