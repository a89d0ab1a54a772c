import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { BookingPort, HttpIntake, IntakeRequest, IntakeResult, MirrorView } from '../../connector.ts';
import type { FieldFault, Submission } from '../../domain/booking.ts';
import { bookingRefPattern } from '../../domain/booking-ref.ts';
import { type PossibleDate, possibleDates } from '../../domain/date-time-format.ts';
import { PROBE_HEADER } from '../../domain/probe.ts';
import type { Clock } from '../../platform/clock.ts';
import { asFailure } from '../../platform/failure.ts';
import type { Json } from '../../platform/json.ts';
import type { Log, LogFields } from '../../platform/log.ts';
import { type Refusal, refuse, sendHtml, wantsHtml } from '../answers.ts';
import { localeFor } from '../language.ts';
import type { Allowance } from '../limits/allowance.ts';
import { createIntakeLimits, type IntakeLimits } from '../limits/intake-limits.ts';
import { createAnswerLog } from '../limits/refusal-log.ts';
import { BodyFault } from '../multipart.ts';
import { thanksPage } from '../pages/message-page.ts';
import { bodyRefusal, type HttpLimits } from '../server.ts';
import { createVisitorRefs } from '../visitor-refs.ts';
import {
  compressed,
  noBooking,
  noConnector,
  noRoom,
  noStore,
  notStored,
  preflight,
  restarting,
} from './intake-refusals.ts';
import type { Metrics } from './metrics.ts';
import { answerProbe, isProbe, type Probes } from './probe.ts';

/** The current connectors that take bookings. */
export type Intakes = Pick<ReadonlyMap<string, { intake: HttpIntake; view: MirrorView }>, 'get'>;

interface IntakeOptions {
  intakes: Intakes;
  bookings: BookingPort;
  probes: Probes | undefined;
  limits: HttpLimits;
  /** Secret; generates the references of visitors whose submission is merged. */
  visitorKey: string;
  publicUrl?: URL | undefined;
  /** False when too little disk space is free. */
  room: () => boolean;
  /** True while the daemon is stopping: POSTs are refused, reads still work. */
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

/**
 * Policy of pages that a connector serves to visitors: its listed websites may frame them, they have their own styles,
 * and their form may lead to the clinic's thank-you page. Only listed scripts, because the pages share an origin with
 * the admin session.
 */
function pagePolicy({
  framedBy = [],
  pageSources = {},
}: Pick<HttpIntake, 'framedBy' | 'pageSources'>): string {
  const own = Object.entries(pageSources).map(
    ([directive, sources]) => `; ${directive} ${sources.join(' ')}`,
  );
  return `default-src 'none'; style-src 'self' 'unsafe-inline'; img-src 'self' https: data:; form-action 'self' https: http:; base-uri 'none'${own.join('')}; frame-ancestors ${["'self'", ...framedBy].join(' ')}`;
}

/** A request and its connector. */
interface Asked {
  intake: HttpIntake;
  view: MirrorView;
  limits: IntakeLimits;
  /** A reference that reveals nothing about the booking that the submission was merged into. */
  visitorRef: (submission: Submission) => string;
  sent: IntakeRequest;
  /** The visitor's. Kept, because each read of `request.ip` walks through all proxies. */
  address: string;
  /** Set for our own probe, which is neither stored nor counted. */
  probes: Probes | undefined;
  request: FastifyRequest;
  reply: FastifyReply;
}

/** Accepts bookings over HTTP. Each connector authenticates and parses its own requests. */
export function intakeRoutes(app: FastifyInstance, options: IntakeOptions): void {
  const { intakes, draining, metrics, clock, log } = options;
  const limitsOf = createIntakeLimits(options.limits, clock);
  const logAnswer = createAnswerLog(log, clock);
  const refOf = createVisitorRefs(options.visitorKey);
  const askedOf = (request: FastifyRequest, reply: FastifyReply): Asked | undefined => {
    const { connector } = request.params as Params;
    const found = intakes.get(connector);
    const visitorRef = ({ submission_id = randomUUID() }: Submission) => refOf(connector, submission_id);
    if (found === undefined) return undefined;
    const limits = limitsOf(connector, found.intake.visitors);
    const address = request.ip;
    const sent = intakeRequest(request, address, options.publicUrl);
    const probes = isProbe(request, sent, options.probes) ? options.probes : undefined;
    return { ...found, limits, visitorRef, sent, address, probes, request, reply };
  };

  const post = async (
    request: FastifyRequest,
    reply: FastifyReply,
    answer = (asked: Asked): LogFields | Promise<LogFields> => receive(asked, options),
  ) => {
    const asked = askedOf(request, reply);
    if (asked === undefined) return refuse(request, reply, noConnector);
    const { connector } = request.params as Params;
    const started = clock.monotonic();
    const fields = await answer(asked);
    const status = reply.statusCode;
    if (asked.probes !== undefined) return reply;
    metrics.intakeAnswered(connector, status);
    logAnswer(connector, { status, ms: Math.round(clock.monotonic() - started), ...fields });
    return reply;
  };
  const get = async (request: FastifyRequest, reply: FastifyReply) => {
    const asked = askedOf(request, reply);
    if (asked === undefined) return refuse(request, reply, noConnector);
    const ref = intakePath(request).split('/').at(-1)?.toUpperCase() ?? '';
    return wholeRef.test(ref) ? readBooking(asked, ref, options.bookings) : readPage(asked);
  };

  app.register((scope, _options, done) => {
    scope.addHook('onRequest', (request, reply, next) => {
      // Any website may read responses: the connector decides who may book, and cookies play no part.
      reply.header('access-control-allow-origin', '*');
      // Also on refusals and thanks, which visitors see in a frame on the clinic's website.
      const { connector } = request.params as Params;
      reply.header('content-security-policy', pagePolicy(intakes.get(connector)?.intake ?? {}));
      if (!draining() || request.method !== 'POST') return next();
      refuse(request, reply.header('connection', 'close'), restarting);
    });
    scope.setErrorHandler((error: Error, request, reply) => {
      const fault = error instanceof BodyFault ? bodyRefusal(error.statusCode) : undefined;
      if (fault === undefined) throw error;
      return post(request, reply, (asked) => refuseBody(asked, fault));
    });
    for (const path of ['/in/:connector', '/in/:connector/*']) {
      scope.post(path, (request, reply) => post(request, reply));
      scope.get(path, get);
      scope.options(path, async (_request, reply) => reply.code(204).headers(preflight).send());
    }
    done();
  });
}

/** Answers the request and returns what may be logged about it. */
async function receive(asked: Asked, { room, bookings }: IntakeOptions): Promise<LogFields> {
  const { intake, view, limits, request, reply } = asked;
  const refusal = asked.probes ? undefined : refuseTooMany(asked, limits.visitor, true);
  if (refusal !== undefined) return refusal;
  if (!room()) {
    refuse(request, reply, noRoom);
    return { reason: 'no_room' };
  }
  if ((request.headers['content-encoding'] ?? 'identity') !== 'identity')
    return refuseUnproven(asked, compressed);
  try {
    const result = await intake.receive(asked.sent, view);
    if (asked.probes && result.kind === 'submission') return await answerProbe(reply, result, asked.probes);
    return await answerResult(asked, result, bookings);
  } catch (error) {
    // It was not stored, so the sender is asked to retry and no lead is lost.
    const failure = asFailure(error, 'Storing the booking');
    refuse(request, reply, failure.lasting ? noStore : notStored);
    return { problem: failure.message };
  }
}

async function answerResult(asked: Asked, result: IntakeResult, bookings: BookingPort): Promise<LogFields> {
  const { limits, address, sent, request, reply } = asked;
  if (result.kind === 'refused') return refuseUnproven(asked, result);
  const isChecked = sent.query.get('validate') === '1';
  const isRehearsed = sent.query.get('rehearse') === '1';
  const isStored = result.kind === 'submission' && !isChecked && !isRehearsed;
  const allowance = limits.visitor === undefined ? limits.proven : isStored ? limits.visitor : limits.page;
  const refusal = refuseTooMany(asked, allowance, isStored);
  if (refusal !== undefined) return refusal;
  allowance.count(address);
  if (result.kind === 'page') {
    sendHtml(reply.code(result.status), result.html);
    return { reason: 'page' };
  }
  if (result.kind === 'ignored') {
    if (wantsHtml(request)) sendHtml(reply, thanksPage(localeFor(request), undefined));
    else reply.send({ ok: true, message: result.message });
    return { reason: 'ignored' };
  }
  if (isStored) return accept(asked, result, bookings);
  const errors = await bookings.validate(result.submission);
  if (isRehearsed) {
    reply.send(rehearsal(result, errors));
    return { reason: 'rehearsed' };
  }
  if (errors.length === 0) reply.send({ ok: true });
  else reply.code(422).send({ ok: false, errors });
  return { reason: 'validated' };
}

type Received = Extract<IntakeResult, { kind: 'submission' }>;

/** What a submission would become, for whoever sets up the form. */
function rehearsal({ submission, unused = [] }: Received, errors: readonly FieldFault[]) {
  const { source: _source, problems: _problems, fields, ...more } = submission;
  const isSent = errors.length === 0 && submission.task === undefined;
  return {
    ok: true,
    rehearsal: true,
    stored: false,
    would_be: isSent ? 'sent' : 'held',
    fields,
    ...more,
    errors,
    ...couldBe(fields.appointment_date),
    not_used: unused,
  };
}

/** The days that a date in numbers can mean, for whoever has to say which. */
function couldBe(date: Json | undefined): { could_be?: PossibleDate[] } {
  const could_be = possibleDates(typeof date === 'string' ? date : '');
  return could_be.length > 0 ? { could_be } : {};
}

async function accept(
  asked: Asked,
  { submission, thanks, receipt }: Received,
  bookings: BookingPort,
): Promise<LogFields> {
  const { intake, limits, address, request, reply } = asked;
  const visitor_ref = intake.visitors === undefined ? undefined : asked.visitorRef(submission);
  const { own, state, ...booking } = await bookings.accept({
    ...(limits.form?.take(address, submission) ?? submission),
    ...(visitor_ref !== undefined && { visitor_ref }),
  });
  if (receipt !== undefined) tellAccepted(intake, receipt, booking.ref);
  const { reason, message, duplicate_of } = booking;
  const reads = await mayRead(asked);
  const ref = visitor_ref !== undefined && !reads && !own ? visitor_ref : booking.ref;
  if (wantsHtml(request)) {
    if (thanks !== undefined) reply.redirect(thanks.replaceAll('{ref}', ref), 303);
    else sendHtml(reply, thanksPage(localeFor(request), ref));
  } else if (reads) {
    reply.send({ ok: true, ref, state, ...present({ reason, message, duplicate_of }) });
  } else {
    // The outcome would reveal whether this phone number has another booking.
    reply.send({ ok: true, ref, state: 'received' });
  }
  return { ref: booking.ref, state };
}

/** For the connector's own notes. The booking is stored, so no one waits for them, and their failure is ignored. */
function tellAccepted(intake: HttpIntake, receipt: string, ref: string): void {
  void (async () => intake.accepted?.(receipt, ref))().catch(() => {});
}

/** Once the booking is stored, a failure here must not make its sender send it again. */
const mayRead = async ({ intake, sent }: Asked): Promise<boolean> => {
  try {
    return (await intake.authorize(sent)) === undefined;
  } catch {
    return false;
  }
};

async function readBooking(asked: Asked, ref: string, bookings: BookingPort): Promise<FastifyReply> {
  const { intake, sent, request, reply } = asked;
  const refusal = await intake.authorize(sent);
  if (refusal !== undefined) {
    refuseUnproven(asked, refusal);
    return reply;
  }
  const booking = await bookings.find((request.params as Params).connector, ref);
  if (booking === undefined) return refuse(request, reply, noBooking);
  const { created: _created, own: _own, reason, message, appointment_id, duplicate_of, ...always } = booking;
  return reply.send({ ok: true, ...always, ...present({ reason, message, appointment_id, duplicate_of }) });
}

async function readPage(asked: Asked): Promise<FastifyReply> {
  const { intake, view, limits, address, sent, request, reply } = asked;
  // Probes of a form for hundreds of clinics do not use up visitors' allowances.
  if (asked.probes === undefined) {
    const waitMs = limits.page.waitMs(address);
    if (waitMs !== undefined) {
      tooMany(asked, 'requests', waitMs);
      return reply;
    }
    limits.page.count(address);
  }
  const page = await intake.page?.(sent, view);
  if (page === undefined) return refuse(request, reply, { status: 404, message: 'There is nothing here' });
  reply.code(page.status);
  if (page.type === undefined) return sendHtml(reply, page.html);
  if (page.type === 'text/calendar')
    reply.header('content-disposition', 'attachment; filename="calendar.ics"');
  return reply.header('content-type', `${page.type}; charset=utf-8`).send(page.html);
}

function tooMany({ request, reply }: Asked, what: 'submissions' | 'requests', waitMs: number): LogFields {
  refuse(request, reply, {
    status: 429,
    message: `Too many ${what} from this address`,
    hint: 'Wait as long as Retry-After says, then send it again.',
    retryAfter: Math.ceil(waitMs / 1_000),
  });
  return { reason: 'address_limit' };
}

function refuseTooMany(
  asked: Asked,
  allowance: Allowance | undefined,
  isStored: boolean,
): LogFields | undefined {
  const { limits, address } = asked;
  const waitMs = allowance?.waitMs(address);
  if (waitMs !== undefined) return tooMany(asked, 'submissions', waitMs);
  const formWaitMs = isStored ? limits.form?.waitMs(address) : undefined;
  return formWaitMs === undefined ? undefined : formIsFull(asked, formWaitMs);
}

/** Reached only by more networks than one visitor or prankster has. */
function formIsFull({ request, reply }: Asked, waitMs: number): LogFields {
  refuse(request, reply, {
    status: 429,
    message: 'This form is getting more submissions than it can take',
    hint: 'Call the clinic, or send it again as long after now as Retry-After says.',
    retryAfter: Math.ceil(waitMs / 1_000),
  });
  return { reason: 'form_limit' };
}

/** Refuses an unauthenticated request. Counted separately, so that authenticated senders lose nothing. */
function refuseUnproven(asked: Asked, { status, message, hint }: Omit<Refusal, 'said'>): LogFields {
  const { limits, address, request, reply } = asked;
  const waitMs = limits.unproven.waitMs(address);
  if (waitMs !== undefined) return tooMany(asked, 'requests', waitMs);
  limits.unproven.count(address);
  if (status === 401) reply.header('www-authenticate', 'Bearer');
  refuse(request, reply, { status, message, hint, ...(status === 429 && { retryAfter: 60 }) });
  return { reason: 'refused' };
}

/** A body that was not read. Refused for others' sake, it does not count against its sender. */
function refuseBody(asked: Asked, { status, ...fault }: Refusal): LogFields {
  if (status === 503) refuse(asked.request, asked.reply, { status, ...fault });
  else refuseUnproven(asked, { status, ...fault });
  return { reason: 'body' };
}

const intakeQuery = (request: FastifyRequest): URLSearchParams =>
  new URLSearchParams(request.url.split('?').slice(1).join('?'));

const intakePath = (request: FastifyRequest): string => (request.params as Params)['*'] ?? '';

function intakeRequest(
  request: FastifyRequest,
  remoteAddress: string,
  publicUrl: URL | undefined,
): IntakeRequest {
  const headers: Record<string, string | undefined> = Object.create(null);
  for (const [name, value] of Object.entries(request.headers)) {
    // Connectors may be third-party code and must not see our sessions.
    if (name === 'cookie' || name === PROBE_HEADER) continue;
    headers[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return {
    method: request.method === 'POST' ? 'POST' : 'GET',
    path: intakePath(request),
    query: intakeQuery(request),
    headers,
    ...(publicUrl && { publicHost: publicUrl.host }),
    body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
    remoteAddress,
  };
}

const present = (fields: Record<string, string | number | null>): Record<string, string | number> =>
  Object.fromEntries(
    Object.entries(fields).filter((pair): pair is [string, string | number] => pair[1] !== null),
  );
