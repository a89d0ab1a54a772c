import type { AuditEntry } from '../model/audit.ts';
import { instant, systemClock } from '../model/clock.ts';
import { asFailure } from '../model/failure.ts';
import type { Store } from '../store/store.ts';
import { actorName } from './actor.ts';
import type { Io } from './io.ts';

/** A command line as it was understood. */
export interface Invocation {
  /** `bookings approve` */
  command: string;
  argv: Readonly<Record<string, unknown>>;
}

/** What is written down, and as what; of these the last two only when they show patients. */
const audited: Readonly<Record<string, string>> = {
  'bookings add': 'booking.add',
  'bookings approve': 'booking.approve',
  'bookings edit': 'booking.edit',
  'bookings resolve': 'booking.resolve',
  'bookings reconcile': 'booking.reconcile',
  'bookings acknowledge': 'booking.acknowledge',
  'bookings drop': 'booking.drop',
  'bookings resume': 'clinic.resume-lane',
  'guards approve': 'guard.approve',
  'connectors pause': 'connector.pause',
  'connectors resume': 'connector.resume',
  'deliveries retry': 'connector.deliveries.retry',
  'deliveries skip': 'connector.deliveries.skip',
  'deliveries replay': 'connector.deliveries.replay',
  'appointments track': 'appointment.track',
  'appointments untrack': 'appointment.untrack',
  erase: 'person.erase',
  backup: 'backup',
  'bookings show': 'patients.read',
  'people export': 'patients.export',
  'bookings list': 'patients.read',
  'appointments list': 'patients.read',
};

const onlyWithPatients = ['bookings list', 'appointments list'];

/** Runs a command's work, and writes down who did it and how it ended. A phone number is never written. */
export async function auditing<T>(io: Io, store: Store, work: () => Promise<T>): Promise<T> {
  const { command = '', argv = {} } = io.invocation ?? {};
  const action = audited[command];
  if (action === undefined || (onlyWithPatients.includes(command) && argv.patient !== true)) return work();

  const note = async (result: string) => {
    const entry: AuditEntry = {
      at: instant(systemClock.now()),
      actor: actorName(),
      role: 'cli',
      action,
      subject: subjectOf(command, argv),
      result,
      address: null,
    };
    await store.audit.record(entry).catch((error: unknown) => {
      io.err(`The audit was not written: ${asFailure(error, 'Writing').message}\n`);
    });
  };
  try {
    const value = await work();
    await note('ok');
    return value;
  } catch (error) {
    await note('refused');
    throw error;
  }
}

function subjectOf(command: string, argv: Invocation['argv']): string | null {
  const { ref, booking, id, name, connector, clinic, ids } = argv;
  const [subject] = [ref, booking, name, connector, id, clinic].filter(
    (value) => typeof value === 'string' || typeof value === 'number',
  );
  if (subject !== undefined) return String(subject);
  if (Array.isArray(ids)) return ids.slice(0, 20).join(' ');
  if ('phone' in argv && argv.phone !== undefined) return 'by phone';
  return onlyWithPatients.includes(command) ? (command.split(' ')[0] ?? null) : null;
}
