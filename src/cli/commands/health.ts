import { command } from '../command.ts';
import { requireConfig } from '../configuration.ts';
import { askDaemon, daemonUrl } from '../daemon.ts';
import { answer, Exit, exit, printJson } from '../io.ts';

/** For HEALTHCHECK and supervisors. */
export const health = command({
  name: 'health',
  describe: 'Ask the running daemon whether it is ready; exit 0 or 1',
  examples: { health: 'for a container’s HEALTHCHECK' },
  async run(io, given) {
    const { http } = await requireConfig(io, given);
    const url = daemonUrl(http, '/readyz');
    const asked = await askDaemon(url);
    const answered = asked === 'silent' ? undefined : asked;
    if (answered?.ok) return answer(io, given, { ok: true, url }, 'ready');

    const message = answered ? `The daemon is not ready: ${answered.text}` : `No daemon answers at ${url}.`;
    if (given.json) printJson(io, { ok: false, url, message });
    throw new Exit(exit.needsPerson, given.json ? '' : message);
  },
});
