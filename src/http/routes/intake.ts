import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type {
  AcceptedBooking,
  BookingDoor,
  HttpIntake,
  IntakeRefusal,
  IntakeRequest,
  IntakeResult,
  MirrorView,
} from '../../connector.ts';
import type { Submission } from '../../domain/booking.ts';
import { bookingRefPattern } from '../../domain/booking-ref.ts';
import type { Clock } from '../../platform/clock.ts';
import { asFailure } from '../../platform/failure.ts';
import type { Log, LogFields } from '../../platform/log.ts';
import { refuse, sendHtml, wantsHtml } from '../answers.ts';
import { createIntakeLimits, type IntakeLimits } from '../limits/intake-limits.ts';
import { createAnswerLog } from '../limits/refusal-log.ts';
import { thanksPage } from '../pages/message-page.ts';
import type { HttpLimits } from '../server.ts';
import type { Metrics } from './metrics.ts';

export type Intakes = ReadonlyMap<string, { intake: HttpIntake; view: MirrorView }>;

interface IntakeOptions {
  intakes: Intakes;
  bookings: BookingDoor;
  limits: HttpLimits;
  /** False below the floor of free disk. */
  room: () => boolean;
  /** True while the daemon is stopping: nothing new is taken, what was taken can still be read. */
  draining: () => boolean;
  metrics: Metrics;
  clock: Clock;
  log: Log;
}

interface Params {
  connector: string;
  '*'?: string;
}

const wholeRef = new RegExp(`^${bookingRefPattern.source}$`);
const COME_BACK_SECONDS = 5;
const DRAINING_SECONDS = 10;
const FULL_SECONDS = 60;

/**
 * Pages that a connector serves to a clinic's visitors: they may be framed by the websites it names, bring their own
 * styles, and lead to its thank-you page. Still no script, since they share an origin with the admin session.
 */
const pagePolicy = (framedBy: readonly string[]): string =>
  `default-src 'none'; style-src 'self' 'unsafe-inline'; img-src 'self' https: data:; form-action 'self' https: http:; base-uri 'none'; frame-ancestors ${["'self'", ...framedBy].join(' ')}`;

/** Bookings in, over HTTP. Each connector authenticates and understands its own requests. */
export function intakeRoutes(app: FastifyInstance, options: IntakeOptions): void {
  const { intakes, bookings, draining, room, metrics, clock, log } = options;
  const limitsOf = createIntakeLimits(options.limits, clock);
  const logAnswer = createAnswerLog(log, clock);

  const post = async (request: FastifyRequest, reply: FastifyReply) => {
    const { connector } = request.params as Params;
    const found = intakes.get(connector);
    if (found === undefined) return noConnector(request, reply);

    const started = clock.monotonic();
    const fields = await receive(found, limitsOf(connector, found.intake.visitors), request, reply);
    const status = reply.statusCode;
    metrics.intakeAnswered(connector, status);
    const ms = Math.round(clock.monotonic() - started);
    logAnswer(connector, { status, ms, ...fields });
    return reply;
  };

  const tooMany = (
    request: FastifyRequest,
    reply: FastifyReply,
    what: 'submissions' | 'requests',
    waitMs: number,
  ): LogFields => {
    refuse(request, reply, {
      status: 429,
      message: `Too many ${what} from this address`,
      hint: 'Wait as long as Retry-After says, then send it again.',
      retryAfter: Math.ceil(waitMs / 1_000),
    });
    return { reason: 'address_limit' };
  };

  /** Answers what proves nothing. It is counted apart, so that it costs nothing to those who prove who they are. */
  const refuseUnproven = (
    { unproven }: IntakeLimits,
    request: FastifyRequest,
    reply: FastifyReply,
    refusal: IntakeRefusal,
  ): LogFields => {
    const waitMs = unproven.waitMs(request.ip);
    if (waitMs !== undefined) return tooMany(request, reply, 'requests', waitMs);
    unproven.count(request.ip);
    return answerRefusal(request, reply, refusal);
  };

  /** Answers, and returns what may be logged about it. */
  const receive = async (
    { intake, view }: { intake: HttpIntake; view: MirrorView },
    limits: IntakeLimits,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<LogFields> => {
    const visitorWaitMs = limits.visitor?.waitMs(request.ip);
    if (visitorWaitMs !== undefined) return tooMany(request, reply, 'submissions', visitorWaitMs);
    if (!room()) {
      refuse(request, reply, {
        status: 503,
        message: 'There is no room to store the booking',
        hint: 'Send it again later; whoever runs clinic-sync has to free some disk space.',
        retryAfter: FULL_SECONDS,
      });
      return { reason: 'no_room' };
    }
    if ((request.headers['content-encoding'] ?? 'identity') !== 'identity')
      return refuseUnproven(limits, request, reply, compressed);

    let result: IntakeResult;
    try {
      result = await intake.receive(intakeRequest(request), view);
    } catch (error) {
      return cannotStore(error, request, reply);
    }
    if (result.kind === 'refused') return refuseUnproven(limits, request, reply, result);
    const isChecked = intakeQuery(request).get('validate') === '1';
    const isStored = result.kind === 'submission' && !isChecked;
    const allowance = limits.visitor === undefined ? limits.proven : isStored ? limits.visitor : limits.page;
    const waitMs = allowance.waitMs(request.ip);
    if (waitMs !== undefined) return tooMany(request, reply, 'submissions', waitMs);
    allowance.count(request.ip);
    if (result.kind === 'page') {
      sendHtml(reply.code(result.status), result.html);
      return { reason: 'page' };
    }
    if (result.kind === 'ignored') {
      if (wantsHtml(request)) sendHtml(reply, thanksPage(undefined));
      else reply.send({ ok: true, message: result.message });
      return { reason: 'ignored' };
    }
    if (isChecked) return check(result.submission, request, reply);
    return accept(intake, result, request, reply);
  };

  const check = async (
    submission: Submission,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<LogFields> => {
    try {
      const errors = await bookings.validate(submission);
      reply
        .code(errors.length === 0 ? 200 : 422)
        .send(errors.length === 0 ? { ok: true } : { ok: false, errors });
      return { reason: 'validated' };
    } catch (error) {
      return cannotStore(error, request, reply);
    }
  };

  const accept = async (
    intake: HttpIntake,
    { submission, thanks }: Extract<IntakeResult, { kind: 'submission' }>,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<LogFields> => {
    let booking: AcceptedBooking;
    try {
      booking = await bookings.accept(submission);
    } catch (error) {
      return cannotStore(error, request, reply);
    }
    if (wantsHtml(request)) {
      if (thanks !== undefined) reply.redirect(thanks.replaceAll('{ref}', booking.ref), 303);
      else sendHtml(reply, thanksPage(booking.ref));
    } else {
      const { ref, state, reason, message, duplicate_of } = booking;
      // What became of it says whether somebody else with this phone number has a booking: a visitor must not learn that.
      if ((await intake.authorize(intakeRequest(request))) !== undefined)
        reply.send({ ok: true, ref, state: 'received' });
      else reply.send({ ok: true, ref, state, ...present({ reason, message, duplicate_of }) });
    }
    return { ref: booking.ref, state: booking.state };
  };

  /** Whatever the cause, it was not stored: the sender is asked to come back, so that no lead is lost. */
  const cannotStore = (error: unknown, request: FastifyRequest, reply: FastifyReply): LogFields => {
    const failure = asFailure(error, 'Storing the booking');
    refuse(request, reply, {
      status: 503,
      message: 'The booking could not be stored',
      hint: 'Send it again in a few seconds.',
      retryAfter: COME_BACK_SECONDS,
    });
    return { problem: failure.message };
  };

  const read = async (request: FastifyRequest, reply: FastifyReply) => {
    const { connector } = request.params as Params;
    const found = intakes.get(connector);
    if (found === undefined) return noConnector(request, reply);
    const asked = intakeRequest(request);
    const limits = limitsOf(connector, found.intake.visitors);

    const ref = asked.path.split('/').at(-1)?.toUpperCase() ?? '';
    if (wholeRef.test(ref)) {
      const refusal = await found.intake.authorize(asked);
      if (refusal !== undefined) {
        refuseUnproven(limits, request, reply, refusal);
        return reply;
      }
      const booking = await bookings.find(connector, ref);
      if (booking === undefined) return refuse(request, reply, noBooking);
      const { created: _created, reason, message, appointment_id, duplicate_of, ...always } = booking;
      return reply.send({
        ok: true,
        ...always,
        ...present({ reason, message, appointment_id, duplicate_of }),
      });
    }

    const waitMs = limits.page.waitMs(request.ip);
    if (waitMs !== undefined) {
      tooMany(request, reply, 'requests', waitMs);
      return reply;
    }
    limits.page.count(request.ip);
    const page = await found.intake.page?.(asked, found.view);
    if (page === undefined) return refuse(request, reply, { status: 404, message: 'There is nothing here' });
    return sendHtml(reply.code(page.status), page.html);
  };

  app.register((scope, _options, done) => {
    scope.addHook('onRequest', async (request, reply) => {
      // Readable from any website: who may book is the connector's business, and no cookie counts here.
      reply.header('access-control-allow-origin', '*');
      // Refusals and thanks, too: in a frame on the clinic's website the visitor must see them.
      const { connector } = request.params as Params;
      reply.header('content-security-policy', pagePolicy(intakes.get(connector)?.intake.framedBy ?? []));
      if (!draining() || request.method !== 'POST') return;
      await refuse(request, reply.header('connection', 'close'), {
        status: 503,
        message: 'clinic-sync is restarting',
        hint: 'Send it again in a few seconds.',
        retryAfter: DRAINING_SECONDS,
      });
    });
    for (const path of ['/in/:connector', '/in/:connector/*']) {
      scope.post(path, post);
      scope.get(path, read);
      scope.options(path, async (_request, reply) => reply.code(204).headers(preflight).send());
    }
    done();
  });
}

const compressed: IntakeRefusal = {
  kind: 'refused',
  status: 415,
  message: 'The body is compressed',
  hint: 'Send it as it is.',
};

const preflight = {
  'access-control-allow-methods': 'GET, POST',
  'access-control-allow-headers': 'authorization, content-type, idempotency-key',
  'access-control-max-age': '600',
};

const noBooking = {
  status: 404,
  message: 'This connector has no such booking',
  hint: 'Check the reference.',
};

const noConnector = (request: FastifyRequest, reply: FastifyReply) =>
  refuse(request, reply, {
    status: 404,
    message: 'No connector of that name takes bookings here',
    hint: 'The address is /in/ and the connector’s name in the configuration.',
  });

function answerRefusal(request: FastifyRequest, reply: FastifyReply, refusal: IntakeRefusal): LogFields {
  const { status, message, hint } = refusal;
  if (status === 401) reply.header('www-authenticate', 'Bearer');
  refuse(request, reply, { status, message, hint, ...(status === 429 && { retryAfter: 60 }) });
  return { reason: 'refused' };
}

const intakeQuery = (request: FastifyRequest): URLSearchParams =>
  new URLSearchParams(request.url.split('?').slice(1).join('?'));

function intakeRequest(request: FastifyRequest): IntakeRequest {
  const headers: Record<string, string | undefined> = Object.create(null);
  for (const [name, value] of Object.entries(request.headers)) {
    headers[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return {
    method: request.method === 'POST' ? 'POST' : 'GET',
    path: (request.params as Params)['*'] ?? '',
    query: intakeQuery(request),
    headers,
    body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
    remoteAddress: request.ip,
  };
}

const present = (fields: Record<string, string | number | null>): Record<string, string | number> =>
  Object.fromEntries(
    Object.entries(fields).filter((pair): pair is [string, string | number] => pair[1] !== null),
  );
