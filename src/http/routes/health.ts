import type { FastifyInstance } from 'fastify';
import { waitsOf } from '../../domain/status/sending-waits.ts';
import type { Clock } from '../../platform/clock.ts';
import { asFailure } from '../../platform/failure.ts';
import { within } from '../../platform/wait-for.ts';
import { publicReasons } from '../access/public-status.ts';
import type { Reports } from '../report-data.ts';
import type { Metrics } from './metrics.ts';

export interface Readiness {
  ok: boolean;
  problem: string | null;
}

interface HealthOptions {
  reports: Reports;
  /** Whether a booking can be stored right now. */
  ready: () => Readiness | Promise<Readiness>;
  withdrawn: () => boolean;
  /** True when sign-in is set up: strangers then get no sentences, which name connectors and quote errors. */
  signedInOnly: boolean;
  /** Called with each lead that could not be stored: what the check found before no longer holds. */
  onRefused: (forget: () => void) => void;
  metrics: Metrics;
  clock: Clock;
}

/** Probes give up after a few seconds and would take silence for a dead process. */
const PATIENCE_MS = 3_000;
/** Requests within this time share one check, because it writes to the database and anyone may ask. */
const FRESH_MS = 1_000;

/** For machines: liveness, readiness, freshness, metrics. */
export function healthRoutes(
  app: FastifyInstance,
  { reports, ready, withdrawn, signedInOnly, onRefused, metrics, clock }: HealthOptions,
): void {
  let last: { state: Promise<Readiness>; at: number } | undefined;
  onRefused(() => {
    last = undefined;
  });
  const state = (): Promise<Readiness> => {
    const at = clock.monotonic();
    if (last === undefined || at - last.at >= FRESH_MS)
      last = { state: Promise.resolve(ready()).catch(failed), at };
    return last.state;
  };
  const checked = () => within({ clock, ms: PATIENCE_MS, late: () => silent }, state());

  app.get('/livez', async () => ({ ok: true }));

  app.get('/readyz', async (_request, reply) => {
    const { ok, problem } = withdrawn() ? stopping : await checked();
    return ok ? { ok } : reply.code(503).send({ ok, message: problem });
  });

  app.get('/syncz', async (_request, reply) => {
    const { health, reasons, clinics } = await reports.get();
    const ok = health !== 'stale';
    const said = signedInOnly ? publicReasons(reasons) : reasons.map(({ sentence }) => sentence);
    const waits = waitsOf(clinics, clock.now());
    const waiting = waits.length > 0 && { waits: signedInOnly ? ['bookings'] : waits };
    return reply.code(ok ? 200 : 503).send({ ok, health, reasons: said, ...waiting });
  });

  app.get('/metrics', async (_request, reply) => {
    const { type, text } = await metrics.render(await reports.get(), clock.now());
    return reply.type(type).send(text);
  });
}

const stopping: Readiness = { ok: false, problem: 'clinic-sync is stopping' };
const silent: Readiness = { ok: false, problem: 'The database does not answer' };
const failed = (error: unknown): Readiness => ({ ok: false, problem: asFailure(error, 'The check').message });
