import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type {
  BookingPort,
  HttpIntake,
  IntakeRequest,
  IntakeResult,
  MirrorView,
  RefusedVisitor,
  VisitorTrouble,
} from '../../connector.ts';
import type { Submission } from '../../domain/bookings/booking.ts';
import { bookingRefPattern } from '../../domain/bookings/booking-ref.ts';
import type { Clock } from '../../platform/clock.ts';
import { asFailure } from '../../platform/failure.ts';
import type { Log, LogFields } from '../../platform/log.ts';
import { type HttpRefusal, refuse, sendHtml, wantsHtml } from '../answers.ts';
import { localeFor } from '../language.ts';
import type { Allowance } from '../limits/allowance.ts';
import { createIntakeLimits, type IntakeLimits } from '../limits/intake-limits.ts';
import { createAnswerLog } from '../limits/refusal-log.ts';
import { BodyFault } from '../multipart.ts';
import { thanksPage } from '../pages/message-page.ts';
import { bodyRefusal, type HttpLimits } from '../server.ts';
import type { Stray } from '../stray-visitors.ts';
import { createVisitorRefs } from '../visitor-refs.ts';
import type { VisitorTroubles } from '../visitor-troubles.ts';
import {
  compressed,
  formIsFull,
  limitTrouble,
  noBooking,
  noRoom,
  noStore,
  noteOurs,
  notStored,
  preflight,
  refuseSender,
  refuseUnknown,
  rehearsedByVisitors,
  restarting,
  tooManyFrom,
} from './intake-refusals.ts';
import { intakePath, intakeRequest, isVisitorsRehearsal, type Params } from './intake-request.ts';
import type { Metrics } from './metrics.ts';
import { answerProbe, isProbe, type Probes, type ReceivedForm, rehearsal } from './rehearsal.ts';

/** The current connectors that take bookings. */
type AllIntakes = ReadonlyMap<string, { intake: HttpIntake; view: MirrorView }>;
export type Intakes = Pick<AllIntakes, 'get'> & Partial<Pick<AllIntakes, 'keys'>>;

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
  troubles: VisitorTroubles;
  stray: Stray;
  /** True while the daemon is stopping: POSTs are refused, reads still work. */
  draining: () => boolean;
  metrics: Metrics;
  clock: Clock;
  log: Log;
}

const wholeRef = new RegExp(`^${bookingRefPattern.source}$`);

/**
 * Policy of pages that a connector serves to visitors: its listed websites may frame them, they have their own styles,
 * and their form may lead to the clinic's thank-you page. Only listed scripts, because the pages share an origin with
 * the admin session.
 */
function pagePolicy(
  { framedBy = [], pageSources = {} }: Pick<HttpIntake, 'framedBy' | 'pageSources'>,
  hosts: readonly string[],
): string {
  // In a sandboxed frame without an origin, 'self' is nobody.
  const self = hosts.flatMap((host) => [`https://${host}`, `http://${host}`]);
  const own = Object.entries(pageSources).map(([directive, sources]) => {
    const all = sources.includes("'self'") ? [...sources, ...self] : sources;
    return `; ${directive} ${all.join(' ')}`;
  });
  const loads = "default-src 'none'; style-src 'self' 'unsafe-inline'; img-src 'self' https: data:";
  const leads = "form-action 'self' https: http:; base-uri 'none'";
  return `${loads}; ${leads}${own.join('')}; frame-ancestors ${["'self'", ...framedBy].join(' ')}`;
}

/**
 * A kept page gives strangers one form, and a changed one has broken scripts: said to browsers, to proxies, and in the
 * words that CDNs obey before those.
 */
const notKept = Object.entries({
  'cache-control': 'no-store, no-transform',
  'cdn-cache-control': 'no-store',
  'surrogate-control': 'no-store',
  vary: '*',
});
/** Scripts have their version in their address, or are the same for all. */
const SCRIPT_KEPT = 'public, max-age=300, no-transform';

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
  /** Counts what visitors run into. */
  note: (trouble: VisitorTrouble | undefined) => void;
  request: FastifyRequest;
  reply: FastifyReply;
}

/** Accepts bookings over HTTP. Each connector authenticates and parses its own requests. */
export function intakeRoutes(app: FastifyInstance, options: IntakeOptions): void {
  const { intakes, metrics, clock, log } = options;
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
    const note = (trouble: VisitorTrouble | undefined) => {
      if (trouble !== undefined && probes === undefined) options.troubles.note(connector, trouble);
    };
    const asked = { ...found, note, limits, visitorRef, sent, address, probes, request, reply };
    if (found.intake.visitors !== undefined && isVisitorsRehearsal(sent)) {
      sent.query.delete('rehearse');
      noteOurs(asked, rehearsedByVisitors);
    }
    return asked;
  };

  const post = async (
    request: FastifyRequest,
    reply: FastifyReply,
    answer = (asked: Asked): LogFields | Promise<LogFields> => receive(asked, options),
  ) => {
    const asked = askedOf(request, reply);
    if (asked === undefined) return refuseUnknown(request, reply, options.stray);
    const { connector } = request.params as Params;
    const started = clock.monotonic();
    const fields = await answer(asked);
    const status = reply.statusCode;
    if (asked.probes !== undefined) return reply;
    metrics.intakeAnswered(connector, status);
    if (fields.reason === 'ignored') metrics.intakeIgnored(connector);
    logAnswer(connector, { status, ms: Math.round(clock.monotonic() - started), ...fields });
    return reply;
  };
  const get = async (request: FastifyRequest, reply: FastifyReply) => {
    const asked = askedOf(request, reply);
    if (asked === undefined) return refuseUnknown(request, reply, options.stray);
    const ref = intakePath(request).split('/').at(-1)?.toUpperCase() ?? '';
    return wholeRef.test(ref) ? readBooking(asked, ref, options.bookings) : readPage(asked);
  };

  app.register((scope, _options, done) => {
    scope.addHook('onRequest', (request, reply, next) => {
      for (const [name, value] of notKept) reply.header(name, value);
      // Also on refusals and thanks, which visitors see in a frame on the clinic's website.
      const { connector } = request.params as Params;
      const hosts = [request.host, options.publicUrl?.host ?? ''].filter((host) =>
        /^[\w.:[\]-]+$/.test(host),
      );
      const intake = intakes.get(connector)?.intake;
      const { origin } = request.headers;
      // Cookies play no part. A form's pass is for its own websites; where senders prove themselves, any may read.
      if (intake?.visitors === undefined) reply.header('access-control-allow-origin', '*');
      else if (origin !== undefined && intake.framedBy?.includes(origin))
        reply.header('access-control-allow-origin', origin);
      const policy = pagePolicy(intake ?? {}, [...new Set(hosts)]);
      reply.header('content-security-policy', policy);
      next();
    });
    scope.setErrorHandler((error: Error, request, reply) => {
      const fault = error instanceof BodyFault ? bodyRefusal(error.statusCode) : undefined;
      if (fault === undefined) throw error;
      if (error instanceof BodyFault && error.read) request.body = error.read;
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
async function receive(asked: Asked, { room, draining, bookings }: IntakeOptions): Promise<LogFields> {
  const { intake, view, limits, request, reply } = asked;
  // Only now, so that a visitor gets back what was typed.
  if (draining()) {
    reply.header('connection', 'close');
    return refused(asked, restarting, 'draining');
  }
  const refusal = asked.probes ? undefined : refuseTooMany(asked, limits.visitor, true);
  if (refusal !== undefined) return refusal;
  if (!room()) return refused(asked, noRoom, 'no_room');
  if ((request.headers['content-encoding'] ?? 'identity') !== 'identity')
    return refuseUnproven(asked, compressed);
  try {
    const result = await intake.receive(asked.sent, view);
    if (asked.probes && result.kind === 'submission') return await answerProbe(reply, result, asked.probes);
    return await answerResult(asked, result, bookings);
  } catch (error) {
    // It was not stored, so the sender is asked to retry and no lead is lost.
    const failure = asFailure(error, 'Storing the booking');
    await refuseSender(asked, failure.lasting ? noStore : notStored);
    return { problem: failure.message };
  }
}

async function answerResult(asked: Asked, result: IntakeResult, bookings: BookingPort): Promise<LogFields> {
  const { limits, address, sent, reply } = asked;
  if (result.kind === 'refused') return refuseUnproven(asked, result);
  const isChecked = sent.query.get('validate') === '1';
  const isRehearsed = sent.query.get('rehearse') === '1';
  const isStored = result.kind === 'submission' && !isChecked && !isRehearsed;
  const allowance = limits.visitor === undefined ? limits.proven : isStored ? limits.visitor : limits.page;
  const refusal = refuseTooMany(asked, allowance, isStored);
  if (refusal !== undefined) return refusal;
  allowance.count(address);
  if ('trouble' in result) asked.note(result.trouble);
  if (result.kind === 'page') {
    sendHtml(reply.code(result.status), result.html);
    return { reason: 'page' };
  }
  if (result.kind === 'ignored') {
    reply.send({ ok: true, message: result.message });
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

async function accept(
  asked: Asked,
  { submission, thanks, receipt, isVisitor }: ReceivedForm,
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
  if (isVisitor ?? wantsHtml(request)) {
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
    await refuseUnproven(asked, refusal);
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
      await tooMany(asked, 'requests', waitMs);
      return reply;
    }
  }
  const page = await intake.page?.(sent, view);
  if (page === undefined) return refuse(request, reply, { status: 404, message: 'There is nothing here' });
  asked.note(page.trouble);
  reply.code(page.status);
  // As a module, a browser runs it only when any website may read it.
  if (page.type === 'text/javascript')
    reply.headers({ 'cache-control': SCRIPT_KEPT, 'access-control-allow-origin': '*' }).removeHeader('vary');
  else if (asked.probes === undefined) limits.page.count(address);
  if (page.type === undefined) return sendHtml(reply, page.html);
  if (page.type === 'text/calendar')
    reply.header('content-disposition', 'attachment; filename="calendar.ics"');
  return reply.header('content-type', `${page.type}; charset=utf-8`).send(page.html);
}

async function refused(
  asked: Asked,
  refusal: Omit<HttpRefusal, 'said'>,
  reason: string,
  why?: RefusedVisitor['why'],
): Promise<LogFields> {
  await refuseSender(asked, refusal, why);
  return { reason };
}

const tooMany = (asked: Asked, what: 'submissions' | 'requests', waitMs: number): Promise<LogFields> => {
  if (asked.intake.visitors) noteOurs(asked, limitTrouble(asked.address));
  const retryAfter = Math.ceil(waitMs / 1_000);
  return refused(asked, { ...tooManyFrom(what), retryAfter }, 'address_limit');
};

/** At once, so that of several requests none is counted between the question and the count of another. */
function refuseTooMany(
  asked: Asked,
  allowance: Allowance | undefined,
  isStored: boolean,
): Promise<LogFields> | undefined {
  const { limits, address } = asked;
  const waitMs = allowance?.waitMs(address);
  if (waitMs !== undefined) return tooMany(asked, 'submissions', waitMs);
  const formWaitMs = isStored ? limits.form?.waitMs(address) : undefined;
  if (formWaitMs === undefined) return undefined;
  // Reached only by more networks than one visitor or prankster has.
  return refused(
    asked,
    { ...formIsFull, retryAfter: Math.ceil(formWaitMs / 1_000) },
    'form_limit',
    'unstored',
  );
}

/** Refuses an unauthenticated request. Counted separately, so that authenticated senders lose nothing. */
async function refuseUnproven(
  asked: Asked,
  { status, message, hint }: Omit<HttpRefusal, 'said'>,
): Promise<LogFields> {
  const { limits, address, reply } = asked;
  const waitMs = limits.unproven.waitMs(address);
  if (waitMs !== undefined) return tooMany(asked, 'requests', waitMs);
  limits.unproven.count(address);
  if (status === 401) reply.header('www-authenticate', 'Bearer');
  return refused(asked, { status, message, hint, ...(status === 429 && { retryAfter: 60 }) }, 'refused');
}

/** A body that was not read. Refused for others' sake, it does not count against its sender. */
async function refuseBody(asked: Asked, { status, ...fault }: HttpRefusal): Promise<LogFields> {
  if (status === 503) return refused(asked, { status, ...fault }, 'body');
  return { ...(await refuseUnproven(asked, { status, ...fault })), reason: 'body' };
}

const present = (fields: Record<string, string | number | null>): Record<string, string | number> =>
  Object.fromEntries(
    Object.entries(fields).filter((pair): pair is [string, string | number] => pair[1] !== null),
  );
