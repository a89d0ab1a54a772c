import type { Connector, MirrorView } from '../connector.ts';
import { MINUTE } from '../platform/duration.ts';
import { asFailure, Failure } from '../platform/failure.ts';
import { failureSentence, sentences } from '../platform/text/sentences.ts';
import { call } from './call.ts';
import { convergePauseMs } from './retry.ts';
import { IDLE_MS, nothingDone, type Worker, type WorkerTools } from './worker.ts';

const DEADLINE_MS = 10 * MINUTE;

interface ForgetWorkerOptions extends WorkerTools {
  connector: string;
  clinics: readonly string[];
  forget: NonNullable<Connector['forget']>;
  view: () => Promise<MirrorView>;
}

/**
 * Makes a connector remove erased people from what it wrote, retrying until that succeeds. Progress is durable; paused
 * connectors are included.
 */
export function forgetWorker(options: ForgetWorkerOptions): Worker {
  const { connector, clinics, forget, view, store, clock, log, random } = options;
  let failures = 0;
  let notBefore = 0;

  async function forgetAll(signal: AbortSignal): Promise<string | null> {
    const { forgotten } = await store.deliveries.connector(connector);
    const erasures = await store.erasures(forgotten);
    const last = erasures.at(-1);
    if (last === undefined) return null;
    const refs = erasures.flatMap((one) => one.refs);
    const appointments = erasures
      .flatMap((one) => one.appointments)
      .filter(({ clinic }) => clinics.includes(clinic));
    try {
      const mirror = await view();
      const options = { clock, deadlineMs: DEADLINE_MS, signal, doing: 'Forgetting' };
      await call(options, (bounded) => forget({ refs, appointments }, mirror, bounded)).outcome;
      // While it removed the person, the connector may have stored what it read about them.
      if (!(await store.clearLog())) throw logKept();
      await store.deliveries.report(connector, { forgotten: last.n });
      failures = 0;
      log.info('connector removed erased people', { connector, count: refs.length });
      return null;
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      failures += 1;
      const failure = asFailure(error, 'Forgetting');
      const { retryAfterMs, message: problem } = failure;
      notBefore =
        clock.monotonic() + convergePauseMs(failures, { refused: false, retryAfterMs, random: random() });
      log.warn('connector could not remove erased people', { connector, count: failures, problem });
      return failureSentence(failure);
    }
  }

  return {
    async tick(signal) {
      const wait = notBefore - clock.monotonic();
      if (wait <= 0) await forgetAll(signal);
      return Math.min(IDLE_MS, Math.max(0, notBefore - clock.monotonic()) || IDLE_MS);
    },
    async runOnce(signal) {
      const error = await forgetAll(signal);
      if (error === null) return nothingDone;
      const problems = [sentences('An erased person is still in what it wrote', error)];
      return { ...nothingDone, failed: 1, error, problems };
    },
  };
}

const logKept = (): Failure =>
  new Failure({
    kind: 'transient',
    message: 'The database’s log (-wal) still has erased data, because another program reads the database.',
    hint: 'End it: a database browser, for example, or a copy in progress.',
  });
