import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Booking } from '../../domain/booking.ts';
import type { StatusReport } from '../../domain/report.ts';
import { asFailure, Failure } from '../../platform/failure.ts';
import { sentences } from '../../platform/sentences.ts';
import { within } from '../../platform/wait-for.ts';
import { adminName, type Visitor } from '../access/access.ts';
import type { Subjects } from '../access/subjects.ts';
import type { AdminActions, AdminData, Done } from '../admin.ts';
import { failureRefusal, localPath, type Refusal, refuse, sendHtml, wantsHtml } from '../answers.ts';
import { bookingPage } from '../pages/booking-page.ts';
import { type BookingsFilter, bookingFilters, bookingsPage } from '../pages/bookings-page.ts';
import type { Notice } from '../pages/layout.ts';
import { actions, auditName } from './actions.ts';
import type { RouteParts } from './route-parts.ts';

interface AdminOptions extends RouteParts {
  admin: AdminActions;
  data: AdminData;
  subjects: Subjects;
  /** Shows the outcome of an action on the person's next page. */
  notify: (visitor: Visitor, notice: Notice) => void;
}

const PAGE = 100;
/** Searching the clinic takes minutes; browsers and proxies do not wait that long. */
const PATIENCE_MS = 8_000;

/** Bookings and actions for signed-in people; the gate has checked their role. */
export function adminRoutes(app: FastifyInstance, options: AdminOptions): void {
  const { gate, admin, data, subjects, audit, notify, viewer, reports, clock, log } = options;

  const act =
    (path: string, run: (typeof actions)[string]) => async (request: FastifyRequest, reply: FastifyReply) => {
      const { visitor, fields } = gate.ownForm(request);
      const params = request.params as Record<string, string>;
      const by = personOf(visitor, fields);
      const isForm = visitor.formKey !== null;
      const deed = () => {
        const seen = fields.as_of;
        if (isForm && seen === undefined && isDecision(path)) throw withoutSight();
        return run({ admin, data, params, fields, by, asked: { seen, undoable: isForm } });
      };
      const what = { action: auditName(path), subject: await subjects.of(params), address: request.ip };
      const finished = attempt(() =>
        audit.perform(
          { by, role: visitor.role },
          what,
          deed,
          (error) => `refused (${refusalOf(error).status})`,
        ),
      );
      const tell = ({ message, refusal, undo }: Outcome) => {
        reports.forget();
        notify(visitor, { ok: refusal === undefined, message, ...(undo && { undo }) });
      };
      const outcome = await within({ clock, ms: PATIENCE_MS, late: () => underWay }, finished);
      tell(outcome);
      if (outcome === underWay) void finished.then(tell);
      const status = outcome.refusal?.status ?? (outcome === underWay ? 202 : 200);
      log.info('admin action', { path, status });

      if (visitor.formKey !== null) return reply.redirect(localPath(fields.back), 303);
      if (outcome.refusal) return refuse(request, reply, outcome.refusal);
      return reply.code(status).send({ ok: true, message: outcome.message });
    };

  for (const [path, run] of Object.entries(actions)) app.post(path, act(path, run));

  const noteRead = (request: FastifyRequest, subject: string) =>
    audit.note(gate.visitorOf(request), {
      action: 'patients.read',
      subject,
      result: 'ok',
      address: request.ip,
    });

  /** Reads one more than a page, to know whether another follows. */
  async function bookingsBehind(
    report: StatusReport,
    filter: BookingsFilter | undefined,
    after: string | undefined,
  ): Promise<Booking[]> {
    if (filter !== 'needs_you')
      return data.bookings({
        ...(filter && { states: [filter] }),
        ...(after !== undefined && { behind: after }),
        limit: PAGE + 1,
      });
    const refs = report.needs.filter(({ kind }) => kind === 'booking').map(({ subject }) => subject);
    const from = after === undefined ? 0 : refs.indexOf(after) + 1;
    return data.bookingsOf(refs.slice(from, from + PAGE + 1));
  }

  app.get('/bookings', async (request, reply) => {
    const { state, after: key } = request.query as { state?: unknown; after?: unknown };
    const filter = bookingFilters.find((one) => one === state);
    const after = typeof key === 'string' ? key.toUpperCase() : undefined;
    const report = await reports.get();
    const found = await bookingsBehind(report, filter, after);
    const bookings = found.slice(0, PAGE);
    const next = found.length > PAGE ? (bookings.at(-1)?.ref ?? null) : null;
    await noteRead(request, 'bookings');
    if (!wantsHtml(request)) return reply.send({ ok: true, bookings, next });
    return sendHtml(
      reply,
      bookingsPage({ bookings, filter, after, next, report, viewer: viewer(request), now: clock.now() }),
    );
  });

  app.get('/bookings/:ref', async (request, reply) => {
    const { ref } = request.params as { ref: string };
    const detail = await data.booking(ref.toUpperCase());
    if (detail === undefined)
      return refuse(request, reply, { status: 404, message: 'There is no such booking' });
    await noteRead(request, detail.booking.ref);
    if (!wantsHtml(request)) return reply.send({ ok: true, ...detail });
    return sendHtml(reply, bookingPage(detail, viewer(request), clock.now()));
  });
}

/** Everything about a booking but looking for it, and taking back, which says itself what it takes back. */
const isDecision = (path: string): boolean =>
  path.startsWith('/admin/bookings/') && !path.endsWith('/reconcile') && !path.endsWith('/undo');

const withoutSight = () =>
  new Failure({
    kind: 'refused',
    message: 'The page does not say what you were looking at',
    hint: 'Open the booking again, and decide there.',
  });

type Outcome = Pick<Done, 'message' | 'undo'> & { refusal?: Refusal };

const underWay: Outcome = { message: 'It is under way; its outcome will be shown here.' };

const refusalOf = (error: unknown): Refusal => failureRefusal(asFailure(error, 'The action'));

async function attempt(run: () => Promise<Done>): Promise<Outcome> {
  try {
    const { message, undo } = await run();
    return { message, ...(undo && { undo }) };
  } catch (error) {
    const refusal = refusalOf(error);
    return { message: sentences(refusal.message, refusal.hint), refusal };
  }
}

/** A request with the admin token may name the person it acts for. */
const personOf = ({ by, namesItself }: Visitor, fields: Record<string, string>): string =>
  namesItself && fields.by !== undefined ? adminName(fields.by) : by;
