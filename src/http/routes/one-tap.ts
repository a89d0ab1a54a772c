import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { positiveNumber } from '../../domain/bookings/typed-number.ts';
import { asFailure, Failure } from '../../platform/failure.ts';
import { may } from '../access/roles.ts';
import { auditName, type OneTaps, type OpenOneTap } from '../admin.ts';
import { failureRefusal, refuse, sendHtml, wantsHtml } from '../answers.ts';
import { readFormFields } from '../form-fields.ts';
import { localeFor } from '../language.ts';
import { messagePage } from '../pages/message-page.ts';
import { oneTapPage } from '../pages/one-tap-page.ts';
import type { RouteParts } from './route-parts.ts';

interface OneTapRoutes extends RouteParts {
  oneTaps: OneTaps;
  draining: () => boolean;
}

/**
 * Links in messages: a GET shows what they would do, because mail scanners follow every link; a POST does it. The
 * link's token is the proof, wherever the browser says that it comes from.
 */
export function oneTapRoutes(app: FastifyInstance, options: OneTapRoutes): void {
  const { gate, audit, oneTaps, viewer, reports, draining, log } = options;

  app.get('/links/:token', (request, reply) =>
    answered(request, reply, async () => {
      const opened = await oneTaps.look(tokenOf(request));
      const mayRead = may(gate.visitorOf(request)?.role, '/bookings');
      if (opened.about !== undefined && (mayRead || opened.about.includePatient)) {
        const reader = gate.visitorOf(request) ?? actorOf(opened);
        const what = { action: 'patients.read', subject: opened.ref, result: 'ok', address: request.ip };
        await audit.note(reader, what);
      }
      return sendHtml(reply, oneTapPage({ opened, mayRead, viewer: viewer(request) }));
    }),
  );

  const act = async (request: FastifyRequest) => {
    if (draining()) throw new Failure({ kind: 'transient', message: 'clinic-sync is restarting.' });
    const token = tokenOf(request);
    const opened = await oneTaps.look(token);
    const { appointment_id = '', until = '' } = readFormFields(request);
    const number = appointment_id.trim() === '' ? undefined : positiveNumber(appointment_id);
    const { ref, action, about } = opened;
    const kind = about === undefined ? SILENCE_ANSWERED : `booking.${action}`;
    const what = { action: kind, subject: ref, address: request.ip };
    const answer = { appointmentId: number, until };
    const done = await oneTaps.act(opened, token, answer, (work) =>
      audit.perform(actorOf(opened), what, work),
    );
    log.info('action by a link', { kind: action, ref });
    return { ...done, ref, href: about === undefined ? '/' : `/bookings/${ref}` };
  };

  app.post('/links/:token', (request, reply) =>
    answered(request, reply, async () => {
      const { ref, href, message, said } = await act(request).finally(() => reports.forget());
      if (!wantsHtml(request)) return reply.send({ ok: true, message });
      const locale = localeFor(request);
      const link = { href, label: locale.t(href === '/' ? 'nav_overview' : 'link_open') };
      const title = said === undefined || locale.isSource ? message : locale.t(`said_${said}`, { ref });
      return sendHtml(reply, messagePage({ locale, title, link }));
    }),
  );
}

const SILENCE_ANSWERED = auditName('/admin/silences/:clinic/answer');

const actorOf = ({ target }: Pick<OpenOneTap, 'target'>) =>
  ({ by: `link of ${target}`, role: 'desk' }) as const;

const tokenOf = ({ params }: FastifyRequest): string => (params as { token: string }).token;

async function answered(request: FastifyRequest, reply: FastifyReply, run: () => Promise<FastifyReply>) {
  try {
    return await run();
  } catch (error) {
    return refuse(request, reply, failureRefusal(asFailure(error, 'The link')));
  }
}
