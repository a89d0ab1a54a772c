import { NO_SUCH } from '../../domain/audit.ts';
import { asFailure } from '../../platform/failure.ts';
import type { Log } from '../../platform/log.ts';
import type { AdminData } from '../admin.ts';
import type { Reports } from '../report-data.ts';

export type Subjects = ReturnType<typeof createSubjects>;

interface SubjectsOptions {
  data: Pick<AdminData, 'bookingsOf'>;
  reports: Reports;
  log: Log;
}

/** Names the subject of a request for the audit, if it exists. */
export function createSubjects({ data, reports, log }: SubjectsOptions) {
  /** What cannot be read is treated as missing; the request itself goes on, or fails when it reads. */
  const bookingsOf = (ref: string) =>
    data.bookingsOf([ref]).catch((error: unknown) => {
      const { message } = asFailure(error, 'Reading the booking');
      log.warn('the audit names no booking: it could not be read', { problem: message });
      return [];
    });
  const existing = async (name: string, value: string): Promise<string | undefined> => {
    if (name === 'ref') return (await bookingsOf(value.toUpperCase()))[0]?.ref;
    const { clinics, connectors, needs } = await reports.get();
    const needing = (wanted: 'connector' | 'guard') =>
      needs.filter(({ kind }) => kind === wanted).map(({ subject }) => subject);
    const known: Record<string, string[]> = {
      clinic: clinics.map(({ clinic }) => clinic),
      // Also those that left the configuration with deliveries waiting.
      name: [...connectors.map(({ connector }) => connector), ...needing('connector')],
      id: needing('guard'),
    };
    return Object.hasOwn(known, name) && known[name]?.includes(value) ? value : undefined;
  };

  return {
    /** The subject of an action, whose route has at most one name. */
    async of(params: Record<string, string>): Promise<string | null> {
      const [named] = Object.entries(params);
      return named === undefined ? null : ((await existing(...named)) ?? NO_SUCH);
    },
    /** The route with its name, such as `/bookings/CS-7K3Q9F`, or `/bookings/:ref` when nothing has that name. */
    async inPath(path: string, params: Record<string, string>): Promise<string> {
      const [named] = Object.entries(params);
      const found = named && (await existing(...named));
      return found === undefined ? path : path.replace(/:\w+/, () => found);
    },
  };
}
