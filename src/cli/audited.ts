import { userInfo } from 'node:os';
import { AUDIT_READ_EVERY_MS, type AuditEntry, NO_SUCH } from '../domain/audit.ts';
import { instant, systemClock } from '../platform/clock.ts';
import { asFailure } from '../platform/failure.ts';
import type { Store } from '../store/store.ts';
import type { Audited, Invocation, Io } from './io.ts';

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
export const joined = (refs: readonly unknown[]): string | null => refs.slice(0, 20).join(' ') || null;

export const READ = 'audit.read';
export const PATIENTS = 'patients.read';

async function hasJustRead({ audit }: Store): Promise<boolean> {
  const since = instant(systemClock.now() - AUDIT_READ_EVERY_MS);
  const rows = await audit.list({ since, limit: 1_000 });
  return rows.some((row) => row.action === READ && row.role === 'cli' && row.actor === actorName());
}

/** Runs a command and records who ran it and how it ended. */
export async function auditing<T>(io: Io, store: Store, work: () => Promise<T>): Promise<T> {
  const { argv = {}, audited } = io.invocation ?? {};
  // A command that can show patients, and was not asked to, shows none.
  if (audited === undefined || argv.patient === false) return work();

  const { subject } = audited;
  const action = argv.dryRun === true ? `${audited.action}.preview` : audited.action;
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
  subject: Audited['subject'],
  argv: Invocation['argv'],
  store: Store,
): Promise<string | null> {
  if (typeof subject === 'function') return subject(argv, store);
  const given = subject === undefined ? undefined : argv[subject];
  return typeof given === 'string' || typeof given === 'number' ? String(given) : null;
}

/** Refs of existing bookings: anything else that was typed may be a patient's name. */
export async function existingRef(
  { ref, refs, id }: Invocation['argv'],
  store: Store,
): Promise<string | null> {
  const given = [refs ?? ref ?? id ?? []].flat();
  const found = await Promise.all(given.map((one) => store.bookings.get(String(one).toUpperCase())));
  return joined([...new Set(found.map((booking) => booking?.ref ?? NO_SUCH))]);
}
