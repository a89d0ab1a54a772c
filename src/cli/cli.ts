import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import yargs, { type CommandModule } from 'yargs';
import { Exit, exit, failureText, type Io, onScreen } from './io.ts';
import { nodeFault } from './node-version.ts';
import { packageVersion } from './package.ts';
import { explained, NO_COMMAND } from './usage.ts';

/** Every command, one file each; only the file of the one that runs is loaded. */
const commands: Record<string, (io: Io) => Promise<CommandModule>> = {
  run: async (io) => (await import('./commands/run.ts')).runCommand(io),
  demo: async (io) => (await import('./commands/demo.ts')).demoCommand(io),
  sync: async (io) => (await import('./commands/sync.ts')).syncCommand(io),
  status: async (io) => (await import('./commands/status.ts')).statusCommand(io),
  health: async (io) => (await import('./commands/health.ts')).healthCommand(io),
  doctor: async (io) => (await import('./commands/doctor.ts')).doctorCommand(io),
  config: async (io) => (await import('./commands/config.ts')).configCommand(io),
  bookings: async (io) => (await import('./commands/bookings.ts')).bookingsCommand(io),
  appointments: async (io) => (await import('./commands/appointments.ts')).appointmentsCommand(io),
  changes: async (io) => (await import('./commands/changes.ts')).changesCommand(io),
  history: async (io) => (await import('./commands/history.ts')).historyCommand(io),
  deliveries: async (io) => (await import('./commands/deliveries.ts')).deliveriesCommand(io),
  connectors: async (io) => (await import('./commands/connectors.ts')).connectorsCommand(io),
  guards: async (io) => (await import('./commands/guards.ts')).guardsCommand(io),
  audit: async (io) => (await import('./commands/audit.ts')).auditCommand(io),
  sessions: async (io) => (await import('./commands/sessions.ts')).sessionsCommand(io),
  backup: async (io) => (await import('./commands/backup.ts')).backupCommand(io),
  people: async (io) => (await import('./commands/people.ts')).peopleCommand(io),
  restore: async (io) => (await import('./commands/restore.ts')).restoreCommand(io),
  erase: async (io) => (await import('./commands/erase.ts')).eraseCommand(io),
  sandbox: async (io) => (await import('./commands/sandbox.ts')).sandboxCommand(io),
};

/** Runs one command line; resolves to the exit code. Never throws. */
export async function runCli(argv: readonly string[], outside: Io): Promise<number> {
  const io = onScreen(outside);
  // With an older Node the database would take the process down without a word.
  const tooOld = nodeFault(process.versions.node);
  if (tooOld !== undefined) {
    io.err(tooOld);
    return exit.needsPerson;
  }
  const [first = ''] = argv;
  const wanted = Object.hasOwn(commands, first) ? [first] : Object.keys(commands);
  const modules = await Promise.all(wanted.map((name) => commands[name]?.(io)));

  const parser = parserOf(io, modules);
  const helpOf = async (words: readonly string[]) => {
    let help = '';
    const known = Object.hasOwn(commands, words[0] ?? '')
      ? modules
      : await Promise.all(Object.values(commands).map((load) => load(io)));
    await parserOf(io, known)
      .parseAsync([...words, '--help'], {}, (_error: unknown, _argv: unknown, output: string) => {
        help = output;
      })
      .catch(() => {});
    return help;
  };

  try {
    let text = '';
    await parser.parseAsync([...argv], {}, (_error: unknown, _argv: unknown, output: string) => {
      text = output;
    });
    if (text !== '') io.out(`${text}\n`);
    return exit.ok;
  } catch (error) {
    if (!(error instanceof Exit)) {
      io.err(`${failureText(error)}\n`);
      return exit.needsPerson;
    }
    const { code, message } =
      error.code === exit.usage ? await explained(error.message, argv, helpOf) : error;
    if (message !== '') io.err(`${message}\n`);
    return code;
  }
}

function parserOf(io: Io, modules: readonly (CommandModule | undefined)[]) {
  const parser = yargs([])
    .scriptName('clinic-sync')
    // Otherwise half of every help is in the language of the terminal, the other half in ours.
    .locale('en')
    .usage('$0 <command>\n\nKeeps a dental clinic’s other tools in step with its practice system.')
    .option('config', { type: 'string', global: true, requiresArg: true, describe: 'Configuration file' })
    .option('json', { type: 'boolean', global: true, describe: 'Print data as JSON' })
    .option('env-file', {
      type: 'string',
      global: true,
      requiresArg: true,
      describe: 'File of NAME=value lines to read as well, such as systemd’s EnvironmentFile',
    })
    .example('$0 demo', 'everything at once, with a clinic of its own')
    .demandCommand(1, NO_COMMAND)
    .strict()
    .wrap(Math.min(io.columns, 110))
    .version(packageVersion())
    .help()
    .middleware((given) => {
      io.invocation = { command: given._.join(' '), argv: given };
      if (given.envFile !== undefined) io.environment = withFile(io.environment, given.envFile);
    })
    .check((given) => {
      const odd = Object.keys(given).find((name) => Number.isNaN(given[name]));
      if (odd !== undefined) throw new Exit(exit.usage, `--${odd} needs a number.`);
      return true;
    })
    .exitProcess(false)
    .fail((message, error) => {
      // yargs' own errors are about the command line, too.
      throw error && error.name !== 'YError' ? error : new Exit(exit.usage, message);
    });
  for (const module of modules) if (module) parser.command(module);

  return parser;
}

/** What the environment says itself comes first. */
function withFile(environment: NodeJS.ProcessEnv, file: string): NodeJS.ProcessEnv {
  try {
    return { ...parseEnv(readFileSync(file, 'utf8')), ...environment };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    throw new Exit(exit.config, `--env-file ${file} cannot be read (${code}).`);
  }
}
