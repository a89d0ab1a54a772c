import type { Clock } from '../platform/clock.ts';
import { Failure } from '../platform/failure.ts';
import type { Log } from '../platform/log.ts';
import { createTurns, type NextTurn } from '../platform/turns.ts';
import { createBook } from './book.ts';
import { createCalls, type Keys } from './calls.ts';
import type { Clinic, ClinicEvent, LimiterMemory } from './clinic.ts';
import { safeWords } from './http/redaction.ts';
import { createTransport } from './http/transport.ts';
import { createLimiter } from './rate-limit/limiter.ts';
import { createReads } from './reads.ts';

export interface ClinicOptions {
  /** The clinic's key in the configuration. */
  key: string;
  /** Ends in /api/v1; a trailing slash does not matter. */
  base_url: string;
  app_key: string;
  secret_key: string;
  /** Reads the keys anew where they come from files, for when they are refused. Throws nothing. */
  rereadKeys?: () => Partial<Keys>;
  clock: Clock;
  log: Log;
  /** Keeps the learned rate limit across restarts. */
  memory: LimiterMemory;
  onEvent?: (event: ClinicEvent) => void;
  /** Whether an organization with this `care_id` is the right clinic. Accepts any if omitted. */
  accepts?: (careId: string) => Promise<boolean>;
  /** Shared by the clinics of one process. */
  nextTurn?: NextTurn;
  /** PEM of the certificate authorities to trust instead of the system's. */
  ca?: string;
  /** Version of clinic-sync, for the User-Agent. */
  version: string;
}

/** The clinic over HTTP. Resolves once the learned limit was read; makes no calls on its own. */
export async function createClinic(options: ClinicOptions): Promise<Clinic> {
  const { key, base_url, clock, log, memory, version, rereadKeys = () => ({}) } = options;
  const keys = rotatingKeys(options, rereadKeys);
  const { onEvent = () => {}, accepts = async () => true, nextTurn = createTurns() } = options;
  const closing = new AbortController();
  const tokens: string[] = [];
  // Tokens included: a server may quote the refused one, which may be an older one.
  const secrets = () => [...keys.all(), ...tokens];
  const words = (message: string) => safeWords(message, { secrets: secrets() });

  const limiter = await createLimiter({ clock, log, memory, clinic: key, onEvent });
  const transport = createTransport({ base_url, version, clock, ca: options.ca });
  const calls = createCalls({
    limiter,
    transport,
    clinic: key,
    keys,
    clock,
    log,
    words,
    onEvent,
    onSecret: (token) => tokens.splice(0, tokens.length, token, ...tokens.slice(0, 2)),
    closing: closing.signal,
  });

  const { identity, ...reads } = createReads({
    calls,
    words,
    until: (signal) => AbortSignal.any([signal, closing.signal]),
    accepts,
    nextTurn,
    clock,
  });

  return {
    key,
    ...reads,
    book: createBook({ calls, secrets, identity: options.accepts === undefined ? undefined : identity }),
    limiter: () => ({
      ...limiter.report(),
      token_expires_at: calls.tokens.expiresAt(),
      answer_ms: calls.answerMs(),
    }),
    async close() {
      closing.abort(new Failure({ kind: 'transient', message: 'The connection to the clinic is closing' }));
      await limiter.close();
      transport.close();
    },
  };
}

/** The keys in use; replaced ones stay secret. */
function rotatingKeys({ app_key, secret_key }: Keys, reread: () => Partial<Keys>) {
  let current: Keys = { app_key, secret_key };
  const known = [app_key, secret_key];
  return {
    current: () => current,
    all: () => known,
    renewed(): boolean {
      const next = { ...current, ...reread() };
      if (next.app_key === current.app_key && next.secret_key === current.secret_key) return false;
      current = next;
      known.push(next.app_key, next.secret_key);
      return true;
    },
  };
}
