import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { CommandModule } from 'yargs';
import { parseFaults, startSandbox } from '../../../sandbox/clinic/clinic.ts';
import { type Io, painter, print, printJson } from '../io.ts';
import { portOption } from '../port.ts';

interface Arguments {
  json?: boolean;
  port: number;
  controlPort: number;
  data?: string;
  faults?: string;
  life: boolean;
  limit?: number;
  appKey?: string;
  secretKey?: string;
}

/** `clinic-sync sandbox [--port N] [--data FILE] [--faults FILE]` */
export const sandboxCommand = (io: Io): CommandModule => ({
  command: 'sandbox',
  describe: 'Run the reference server of the Clinic Practice API',
  builder: (yargs) =>
    yargs
      .option('port', { ...portOption('Port of the API; 0 lets the system choose'), default: 8090 })
      .option('control-port', { ...portOption('Port of the control channel'), default: 0 })
      .option('data', { type: 'string', describe: 'SQLite file that keeps its state; default: memory' })
      .option('faults', { type: 'string', describe: 'File of faults to act out (YAML or JSON)' })
      .option('life', {
        type: 'boolean',
        default: false,
        describe: 'Statuses move and fees change as time passes',
      })
      .option('limit', { type: 'number', describe: 'Calls a minute before it answers 429' })
      .option('app-key', { type: 'string', describe: 'Default: made up and printed' })
      .option('secret-key', { type: 'string', describe: 'Default: made up and printed' })
      .example('$0 sandbox --port 8090 --data ./practice.db', 'a clinic to develop against'),
  handler: (argv) => sandbox(io, argv as unknown as Arguments),
});

async function sandbox(io: Io, given: Arguments): Promise<void> {
  const { port, controlPort, data, faults, life, limit, appKey, secretKey } = given;
  const running = await startSandbox({
    port,
    controlPort,
    life,
    ...(data && { data }),
    ...(faults && { faults: parseFaults(readFileSync(faults, 'utf8'), faults) }),
    ...(limit && { limiter: { kind: 'fixed_window', limit, windowSeconds: 60 } }),
    ...(appKey && secretKey && { credentials: { app_key: appKey, secret_key: secretKey } }),
  });
  const { url, controlUrl, credentials } = running;
  if (given.json) printJson(io, { base_url: url, control_url: controlUrl, ...credentials });
  else {
    const paint = painter(io);
    print(io, `${paint('bold', 'The sandbox is open.')} Ctrl-C closes it.`);
    print(
      io,
      `  base_url    ${url}\n  app_key     ${credentials.app_key}\n  secret_key  ${credentials.secret_key}`,
    );
    print(io, `  control     ${controlUrl}`);
  }
  if (!io.signal.aborted) await once(io.signal, 'abort');
  await running.close();
}
