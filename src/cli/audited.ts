import { userInfo } from 'node:os';
import type { AuditEntry } from '../domain/audit.ts';
import { instant, systemClock } from '../platform/clock.ts';
import { asFailure } from '../platform/failure.ts';
import type { Store } from '../store/store.ts';
import type { Io } from './io.ts';

/** The user at the command line; stored with every decision. */
export function actorName(): string {
  try {
    return userInfo().username;
  } catch {
    // A container's user need not have a name.
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}

/** A parsed command line. */
export interface Invocation {
  /** `bookings approve` */
  command: string;
  argv: Readonly<Record<string, unknown>>;
  /** The row for the audit; written with the first change, or at the end of the command. */
  audit?: AuditEntry;
}

/** Gives the audit the refs of a command that names a person by phone: a phone number is never written there. */
export function isAbout({ invocation }: Io, refs: readonly string[]): void {
  if (invocation?.audit) invocation.audit.subject = joined(refs);
}

/** The first twenty, as a row of the audit names them. */
const joined = (refs: readonly unknown[]): string | null => refs.slice(0, 20).join(' ') || null;

type Subject = string | ((argv: Invocation['argv'], store: Store) => Promise<string | null>);

/** Audited commands: their action, and the argument that names the subject. Never one that may name a patient. */
const audited: Readonly<Record<string, readonly [action: string, subject?: Subject]>> = {
  'bookings add': ['booking.add'],
  'bookings approve': ['booking.approve', 'ref'],
  'bookings take': ['booking.take', 'ref'],
  'bookings edit': ['booking.edit', 'ref'],
  'bookings resolve': ['booking.resolve', 'ref'],
  'bookings reconcile': ['booking.reconcile', 'ref'],
  'bookings acknowledge': ['booking.acknowledge', 'ref'],
  'bookings drop': ['booking.drop', 'ref'],
  'bookings resume': ['clinic.resume-lane', 'clinic'],
  'guards approve': ['guard.approve', 'id'],
  'connectors pause': ['connector.pause', 'name'],
  'connectors resume': ['connector.resume', 'name'],
  'connectors repair': ['connector.repair', 'name'],
  'deliveries retry': ['connector.deliveries.retry', 'name'],
  'deliveries skip': ['connector.deliveries.skip', 'name'],
  'deliveries replay': ['connector.deliveries.replay', 'name'],
  'appointments track': ['appointment.track', 'ids'],
  'appointments untrack': ['appointment.untrack', 'ids'],
  erase: ['person.erase'],
  backup: ['backup'],
  'sessions list': ['sessions.read'],
  'sessions end': ['session.end', sessionOwner],
  'people export': ['patients.export'],
  'bookings show': ['patients.read', 'ref'],
  'bookings list': ['patients.read'],
  'appointments list': ['patients.read'],
  changes: ['patients.read'],
  history: ['patients.read', 'id'],
};

const onlyWithPatients = ['bookings list', 'appointments list', 'changes', 'history'];

/** Runs a command and records who ran it and how it ended. */
export async function auditing<T>(io: Io, store: Store, work: () => Promise<T>): Promise<T> {
  const { command = '', argv = {} } = io.invocation ?? {};
  const [action, subject] = audited[command] ?? [];
  if (action === undefined || (onlyWithPatients.includes(command) && argv.patient !== true)) return work();

  const entry: AuditEntry = {
    at: instant(systemClock.now()),
    actor: actorName(),
    role: 'cli',
    action,
    subject: await subjectOf(subject, argv, store),
    result: 'ok',
    address: null,
  };
  if (io.invocation) io.invocation.audit = entry;
  return store.audit.perform(entry, work, {
    refused: () => 'refused',
    lost: (error) => io.err(`The audit was not written: ${asFailure(error, 'Writing').message}\n`),
  });
}

async function subjectOf(
  subject: Subject | undefined,
  argv: Invocation['argv'],
  store: Store,
): Promise<string | null> {
  if (typeof subject === 'function') return subject(argv, store);
  const given = subject === undefined ? undefined : argv[subject];
  if (Array.isArray(given)) return joined(given);
  return typeof given === 'string' || typeof given === 'number' ? String(given) : null;
}

/** The session's user: its id means nothing once it is gone. */
async function sessionOwner({ id, of }: Invocation['argv'], store: Store): Promise<string | null> {
  if (typeof of === 'string') return of;
  const open = await store.sessions.list(instant(systemClock.now()));
  return open.find((session) => session.id.startsWith(String(id)))?.by ?? null;
}
