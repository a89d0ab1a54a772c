import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Failure } from '../../platform/failure.ts';
import { type AdminOperation, auditName } from '../admin.ts';
import { bookingRoutes } from './bookings.ts';
import { manyRoutes } from './many.ts';
import { type AdminOptions, attemptDeed, createFinish, personOf, refusedWith } from './outcome.ts';

/** Bookings and actions for signed-in people, whose role the gate has checked. */
export function adminRoutes(app: FastifyInstance, options: AdminOptions): void {
  const { gate, admin, subjects, audit } = options;
  const finish = createFinish(options);

  const act =
    (path: string, { run }: AdminOperation) =>
    async (request: FastifyRequest, reply: FastifyReply) => {
      const { visitor, fields } = gate.ownForm(request);
      const params = request.params as Record<string, string>;
      const by = personOf(visitor, fields);
      const isForm = visitor.formKey !== null;
      const work = () => {
        const seen = fields.as_of;
        if (isForm && seen === undefined && isDecision(path)) throw withoutSight();
        return run({ subject: subjectIn(params), fields, by, asked: { seen, undoable: isForm } });
      };
      const what = { action: auditName(path), subject: await subjects.of(params), address: request.ip };
      const done = attemptDeed(() => audit.perform({ by, role: visitor.role }, what, work, refusedWith));
      return finish(path, { request, reply }, done);
    };

  for (const [path, operation] of Object.entries(admin)) app.post(path, act(path, operation));
  manyRoutes(app, { ...options, finish });
  bookingRoutes(app, options);
}

/** A route has at most one name; people type references in any case. */
const subjectIn = ({ ref, ...params }: Record<string, string>): string =>
  ref?.toUpperCase() ?? Object.values(params)[0] ?? '';

/** All actions on a booking except a search, and an undo, which carries its own `seen`. */
const isDecision = (path: string): boolean =>
  path.startsWith('/admin/bookings/:') && !path.endsWith('/reconcile') && !path.endsWith('/undo');

const withoutSight = () =>
  new Failure({
    kind: 'refused',
    message: 'The page does not say what you were looking at',
    hint: 'Open the booking again, and decide there.',
  });
