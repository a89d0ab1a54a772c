import type { FastifyRequest } from 'fastify';
import type { Clock } from '../../platform/clock.ts';
import { HOUR } from '../../platform/duration.ts';
import { createAllowance } from '../limits/allowance.ts';
import { wantsFile } from '../table-downloads.ts';
import type { Auditor } from './auditor.ts';
import type { Gate } from './authorization.ts';

interface PatientReads {
  gate: Gate;
  audit: Auditor;
  clock: Clock;
}

/** Audits that a person reads patients' data or takes it away as a file; an open list that updates, once an hour. */
export function createPatientReads({ gate, audit, clock }: PatientReads) {
  const noted = createAllowance({ limit: 1, windowMs: HOUR, clock });
  return async (request: FastifyRequest, subject: string): Promise<void> => {
    const action = wantsFile(request) ? 'patients.export' : 'patients.read';
    const visitor = gate.visitorOf(request);
    const key = `${visitor?.by} ${request.url}`;
    if (request.headers['x-update'] === '1' && noted.waitMs(key) !== undefined) return;
    noted.count(key);
    await audit.note(visitor, { action, subject, result: 'ok', address: request.ip });
  };
}
