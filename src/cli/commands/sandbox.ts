import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { parseFaults, startSandbox } from '../../../sandbox/clinic/clinic.ts';
import { command, flagArgument, portArgument } from '../command.ts';
import { answer, painter } from '../io.ts';
import { sandboxKeys } from '../starter.ts';

export const sandbox = command({
  name: 'sandbox',
  describe: 'Run the reference server of the Clinic Practice API',
  args: {
    port: { ...portArgument('Port of the API; 0 lets the system choose'), default: 8090 },
    'control-port': { ...portArgument('Port of the control channel'), default: 0 },
    data: { type: 'string', describe: 'SQLite file that keeps its state; default: memory' },
    faults: { type: 'string', describe: 'File of faults to act out (YAML or JSON)' },
    life: flagArgument('Statuses move and fees change as time passes'),
    limit: { type: 'number', describe: 'Calls a minute before it answers 429' },
    'app-key': { type: 'string', default: sandboxKeys.app_key, describe: 'The key it accepts' },
    'secret-key': { type: 'string', default: sandboxKeys.secret_key, describe: 'The same' },
  },
  examples: { 'sandbox --port 8090 --data ./practice.db': 'a clinic to develop against' },
  async run(io, { port, controlPort, data, faults, life, limit, appKey, secretKey, ...given }) {
    const running = await startSandbox({
      port,
      controlPort,
      life,
      ...(data && { data }),
      ...(faults && { faults: parseFaults(readFileSync(faults, 'utf8'), faults) }),
      ...(limit && { limiter: { kind: 'fixed_window', limit, windowSeconds: 60 } }),
      credentials: { app_key: appKey, secret_key: secretKey },
    });
    const { url, controlUrl, credentials } = running;
    answer(
      io,
      given,
      { base_url: url, control_url: controlUrl, ...credentials },
      `${painter(io)('bold', 'The sandbox is open.')} Ctrl-C closes it.`,
      `  base_url    ${url}`,
      `  app_key     ${credentials.app_key}`,
      `  secret_key  ${credentials.secret_key}`,
      `  control     ${controlUrl}`,
    );
    if (!io.signal.aborted) await once(io.signal, 'abort');
    await running.close();
  },
});
