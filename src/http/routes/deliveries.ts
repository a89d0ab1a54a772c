import type { FastifyInstance } from 'fastify';
import type { ShownDelivery } from '../admin.ts';
import { noSuch, refuse, sendHtml } from '../answers.ts';
import { deliveryPage } from '../pages/delivery-page.ts';
import { param } from './insight.ts';
import type { RouteParts } from './route-parts.ts';

interface DeliveryRoutes extends RouteParts {
  delivery: (n: number) => Promise<ShownDelivery | undefined>;
}

/** What is or was sent to a connector. For admins, because a body may name a patient. */
export function deliveryRoutes(
  app: FastifyInstance,
  { delivery, audit, gate, viewer, clock }: DeliveryRoutes,
): void {
  app.get('/deliveries/:n', async (request, reply) => {
    const n = Number(param(request, 'n'));
    const shown = Number.isSafeInteger(n) && n > 0 ? await delivery(n) : undefined;
    if (shown === undefined) return refuse(request, reply, noSuch);
    const what = { action: 'patients.read', subject: `delivery ${n}`, result: 'ok', address: request.ip };
    await audit.note(gate.visitorOf(request), what);
    return sendHtml(reply, deliveryPage({ shown, viewer: viewer(request), now: clock.now() }));
  });
}
