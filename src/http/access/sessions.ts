import { createHmac, hash, randomBytes } from 'node:crypto';
import { isSessionOver, type Session } from '../../domain/audit.ts';
import { type Clock, instant, toMs } from '../../platform/clock.ts';
import { sameSecret } from '../../platform/constant-time.ts';
import { HOUR, MINUTE } from '../../platform/duration.ts';
import type { SessionVerbs } from '../../store/ports/people.ts';

/** A session ends after this time even when active. */
export const sessionMs = 12 * HOUR;
/** How long a session is cached, because a command in another process can end it. */
const FRESH_MS = 2_000;
/** Activity is stored at most this often. */
const SEEN_EVERY_MS = MINUTE;

export type Sessions = ReturnType<typeof createSessions>;

const sessionId = (cookie: string): string => hash('sha256', cookie, 'base64url');

/** Keyed by the cookie's 256 random bits, so that the stored proof reveals nothing about the token. */
const proofOf = (cookie: string, key: string): string =>
  createHmac('sha256', cookie).update(key).digest('base64url');

/**
 * Sessions are stored hashed, so a restart neither ends nor revives one. While the database does not answer, recently
 * seen sessions remain valid.
 */
export function createSessions({ store, clock }: { store: SessionVerbs; clock: Clock }) {
  const known = new Map<string, { session: Session; at: number }>();

  const look = async (id: string): Promise<Session | undefined> => {
    const cached = known.get(id);
    if (cached !== undefined && clock.monotonic() - cached.at < FRESH_MS) return cached.session;
    try {
      const session = await store.get(id);
      if (session === undefined) known.delete(id);
      else known.set(id, { session, at: clock.monotonic() });
      return session;
    } catch {
      return cached?.session;
    }
  };

  const noteActivity = (session: Session) => {
    const now = clock.now();
    if (now - toMs(session.seen_at) < SEEN_EVERY_MS) return;
    session.seen_at = instant(now);
    // If this write fails, the session ends early.
    store.seen(session.id, session.seen_at).catch(() => {});
  };

  return {
    /** `key` is derived from the person's token. Resolves to the cookie's value. Throws `Failure` transient. */
    async start({ key, ...session }: Pick<Session, 'person' | 'by' | 'address'> & { key: string }) {
      const cookie = randomBytes(32).toString('base64url');
      const now = clock.now();
      await store.start({
        ...session,
        id: sessionId(cookie),
        proof: proofOf(cookie, key),
        started_at: instant(now),
        seen_at: instant(now),
        ends_at: instant(now + sessionMs),
      });
      return cookie;
    },
    /** The session of a cookie, unless it has ended or `keyOf` no longer returns the key it was started with. */
    async find(cookie: string, keyOf: (person: string) => string | undefined, active: boolean) {
      const session = await look(sessionId(cookie));
      if (session === undefined || isSessionOver(session, clock.now())) return undefined;
      const key = keyOf(session.person);
      if (key === undefined || !sameSecret(proofOf(cookie, key), session.proof)) return undefined;
      if (active) noteActivity(session);
      return session;
    },
    async end(ids: readonly string[]) {
      await store.end(ids);
      for (const id of ids) known.delete(id);
    },
    async list() {
      const now = clock.now();
      return (await store.list(instant(now))).filter((session) => !isSessionOver(session, now));
    },
  };
}
