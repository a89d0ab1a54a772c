import { command } from '../command.ts';
import { answer, Exit, exit, printJson } from '../io.ts';
import { requireConfig } from '../with-app.ts';

const PATIENCE_MS = 4000;
const ANYWHERE: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/** For HEALTHCHECK and supervisors. */
export const health = command({
  name: 'health',
  describe: 'Ask the running daemon whether it is ready; exit 0 or 1',
  examples: { health: 'for a container’s HEALTHCHECK' },
  async run(io, given) {
    const { http } = await requireConfig(io, given);
    const host = ANYWHERE[http.host] ?? http.host;
    const url = `http://${host.includes(':') ? `[${host}]` : host}:${http.port}/readyz`;
    const response = await fetch(url, { signal: AbortSignal.timeout(PATIENCE_MS) }).catch(() => undefined);
    if (response?.ok) return answer(io, given, { ok: true, url }, 'ready');

    const message = response
      ? `The daemon is not ready: ${await response.text()}`
      : `No daemon answers at ${url}.`;
    if (given.json) printJson(io, { ok: false, url, message });
    throw new Exit(exit.needsPerson, given.json ? '' : message);
  },
});
