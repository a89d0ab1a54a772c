import { userInfo } from 'node:os';
import { AUDIT_READ_EVERY_MS, type AuditEntry, NO_SUCH, type Session } from '../domain/audit.ts';
import { instant, systemClock } from '../platform/clock.ts';
import { asFailure } from '../platform/failure.ts';
import type { Store } from '../store/store.ts';
import type { Invocation, Io } from './io.ts';

/** The operating system's user, stored with every decision. */
export function actorName(): string {
  try {
    return userInfo().username;
  } catch {
    // A container's user may have no name.
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}

/** Sets the audit subject of a command that names a person by phone, because a phone number is never written there. */
export function isAbout({ invocation }: Io, refs: readonly string[]): void {
  if (invocation?.audit) invocation.audit.subject = joined(refs);
}

/** At most twenty, the limit of an audit row. */
const joined = (refs: readonly unknown[]): string | null => refs.slice(0, 20).join(' ') || null;

const READ = 'audit.read';
const PATIENTS = 'patients.read';

async function hasJustRead({ audit }: Store): Promise<boolean> {
  const since = instant(systemClock.now() - AUDIT_READ_EVERY_MS);
  const rows = await audit.list({ since, limit: 1_000 });
  return rows.some((row) => row.action === READ && row.role === 'cli' && row.actor === actorName());
}

type Subject = string | ((argv: Invocation['argv'], store: Store) => Promise<string | null>);

/** Audited commands: their action, and the argument that names the subject. Never one that may name a patient. */
const audited: Readonly<Record<string, readonly [action: string, subject?: Subject]>> = {
  'bookings add': ['booking.add'],
  'bookings approve': ['booking.approve', existingRef],
  'bookings take': ['booking.take', existingRef],
  'bookings edit': ['booking.edit', existingRef],
  'bookings resolve': ['booking.resolve', existingRef],
  'bookings reconcile': ['booking.reconcile', existingRef],
  'bookings acknowledge': ['booking.acknowledge', existingRef],
  'bookings drop': ['booking.drop', existingRef],
  'bookings resume': ['clinic.resume-lane', 'clinic'],
  'guards approve': ['guard.approve', 'id'],
  silence: ['silence.answer', 'clinic'],
  'connectors pause': ['connector.pause', 'name'],
  'connectors resume': ['connector.resume', 'name'],
  'connectors login': ['connector.login', 'name'],
  'connectors repair': ['connector.repair', 'name'],
  'deliveries retry': ['connector.deliveries.retry', 'name'],
  'deliveries skip': ['connector.deliveries.skip', 'name'],
  'deliveries replay': ['connector.deliveries.replay', 'name'],
  'appointments track': ['appointment.track', appointmentNumbers],
  'appointments untrack': ['appointment.untrack', appointmentNumbers],
  erase: ['person.erase'],
  backup: ['backup'],
  audit: [READ],
  'sessions list': ['sessions.read'],
  'sessions end': ['session.end', sessionOwner],
  'people export': ['patients.export'],
  'bookings show': [PATIENTS, existingRef],
  'bookings list': [PATIENTS],
  'appointments list': [PATIENTS],
  changes: [PATIENTS],
  history: [PATIENTS, existingRef],
};

export const auditedCommands: readonly string[] = Object.keys(audited);

const onlyWithPatients = ['bookings list', 'appointments list', 'changes', 'history'];

/** Runs a command and records who ran it and how it ended. */
export async function auditing<T>(io: Io, store: Store, work: () => Promise<T>): Promise<T> {
  const { command = '', argv = {} } = io.invocation ?? {};
  const [action, subject] = audited[command] ?? [];
  if (action === undefined || (onlyWithPatients.includes(command) && argv.patient !== true)) return work();

  if (action === READ && (await hasJustRead(store))) return work();
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
  const lost = (error: unknown) =>
    io.err(`The audit was not written: ${asFailure(error, 'Writing').message}\n`);
  if (action === PATIENTS) {
    // Recorded first: a command that prints for hours, or is killed, has shown patients all the same.
    await store.audit.record(entry).catch(lost);
    return work();
  }
  const done = async () => {
    try {
      return await work();
    } catch (error) {
      // Perhaps nothing has this name, so the typed text is not kept.
      if (subject !== existingRef && entry.subject !== null) entry.subject = NO_SUCH;
      throw error;
    }
  };
  return store.audit.perform(entry, done, { refused: () => 'refused', lost });
}

async function subjectOf(
  subject: Subject | undefined,
  argv: Invocation['argv'],
  store: Store,
): Promise<string | null> {
  if (typeof subject === 'function') return subject(argv, store);
  const given = subject === undefined ? undefined : argv[subject];
  return typeof given === 'string' || typeof given === 'number' ? String(given) : null;
}

/** Refs of existing bookings: anything else that was typed may be a patient's name. */
async function existingRef({ ref, refs, id }: Invocation['argv'], store: Store): Promise<string | null> {
  const given = [refs ?? ref ?? id ?? []].flat();
  const found = await Promise.all(given.map((one) => store.bookings.get(String(one).toUpperCase())));
  return joined([...new Set(found.map((booking) => booking?.ref ?? NO_SUCH))]);
}

/** These need not exist here, and a phone number typed by mistake must not be kept. */
const LONGEST_NUMBER = 9_999_999;

async function appointmentNumbers({ ids }: Invocation['argv']): Promise<string | null> {
  const numbers = Array.isArray(ids) ? ids : [];
  return joined(numbers.map((id) => (id <= LONGEST_NUMBER ? id : '(8 digits or more)')));
}

/** The session's user, because a session id means nothing once the session is gone. */
async function sessionOwner({ id, of }: Invocation['argv'], store: Store): Promise<string | null> {
  const open = await store.sessions.list(instant(systemClock.now()));
  const isMeant = (session: Session) =>
    typeof of === 'string' ? session.by === of : session.id.startsWith(String(id));
  return open.find(isMeant)?.by ?? NO_SUCH;
}
