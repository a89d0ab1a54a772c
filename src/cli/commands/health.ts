import type { CommandModule } from 'yargs';
import { type ConfigArguments, requireConfig } from '../configuration.ts';
import { Exit, exit, type Io, print, printJson } from '../io.ts';

const PATIENCE_MS = 4000;
const ANYWHERE: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/** `clinic-sync health`: is the daemon of this configuration ready? For HEALTHCHECK and supervisors. */
export const healthCommand = (io: Io): CommandModule => ({
  command: 'health',
  describe: 'Ask the running daemon whether it is ready; exit 0 or 1',
  builder: (yargs) => yargs.example('$0 health', 'for a container’s HEALTHCHECK'),
  handler: async (argv) => {
    const given = argv as ConfigArguments & { json?: boolean };
    const { http } = await requireConfig(io, given);
    const refuse = (message: string): never => {
      if (given.json) printJson(io, { ok: false, url, message });
      throw new Exit(exit.needsPerson, given.json ? '' : message);
    };
    const host = ANYWHERE[http.host] ?? http.host;
    const url = `http://${host.includes(':') ? `[${host}]` : host}:${http.port}/readyz`;
    const answer = await fetch(url, { signal: AbortSignal.timeout(PATIENCE_MS) }).catch(() => undefined);
    if (answer === undefined) return refuse(`No daemon answers at ${url}.`);
    const text = await answer.text();
    if (!answer.ok) return refuse(`The daemon is not ready: ${text}`);
    if (given.json) printJson(io, { ok: true, url });
    else print(io, 'ready');
  },
});
