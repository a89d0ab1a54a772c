import yargs from 'yargs';
import { appointmentsCommand } from './appointments.ts';
import { backupCommand } from './backup.ts';
import { bookingsCommand } from './bookings.ts';
import { changesCommand } from './changes.ts';
import { configCommand } from './config.ts';
import { connectorsCommand } from './connectors.ts';
import { demoCommand } from './demo.ts';
import { deliveriesCommand } from './deliveries.ts';
import { guardsCommand } from './guards.ts';
import { historyCommand } from './history.ts';
import { runCommand } from './run.ts';
import { sandboxCommand } from './sandbox.ts';
import { statusCommand } from './status.ts';
import { syncCommand } from './sync.ts';
import { Exit, exit, failureText, type Io } from './io.ts';
import { packageVersion } from './package.ts';

/** Runs one command line; resolves to the exit code. Never throws. */
export async function runCli(argv: readonly string[], io: Io): Promise<number> {
  const parser = yargs([...argv])
    .scriptName('clinic-sync')
    .usage('$0 <command>\n\nKeeps a dental clinic’s other tools in step with its practice system.')
    .option('config', { type: 'string', global: true, describe: 'Configuration file' })
    .option('json', { type: 'boolean', global: true, describe: 'Print data as JSON' })
    .command(runCommand(io))
    .command(demoCommand(io))
    .command(syncCommand(io))
    .command(statusCommand(io))
    .command(configCommand(io))
    .command(bookingsCommand(io))
    .command(appointmentsCommand(io))
    .command(changesCommand(io))
    .command(historyCommand(io))
    .command(deliveriesCommand(io))
    .command(connectorsCommand(io))
    .command(guardsCommand(io))
    .command(backupCommand(io))
    .command(sandboxCommand(io))
    .demandCommand(1, 'Say what to do.')
    .strict()
    .recommendCommands()
    .wrap(Math.min(io.columns, 110))
    .version(packageVersion())
    .help()
    .exitProcess(false)
    .fail((message, error) => {
      throw error ?? new Exit(exit.usage, message);
    });

  try {
    let text = '';
    await parser.parseAsync([...argv], {}, (_error: unknown, _argv: unknown, output: string) => {
      text = output;
    });
    if (text !== '') io.out(`${text}\n`);
    return Number(process.exitCode ?? exit.ok);
  } catch (error) {
    if (!(error instanceof Exit)) {
      io.err(`${failureText(error)}\n`);
      return exit.needsPerson;
    }
    if (error.message !== '') io.err(`${error.message}\nTry: clinic-sync --help\n`);
    return error.code;
  }
}
