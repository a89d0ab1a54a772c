import { parseEnv } from 'node:util';
import yargs from 'yargs';
import { type Command, globals, helpWidth } from './command.ts';
import { COMPLETE, completionsOf } from './completion.ts';
import { Exit, exit, failureText, type Io, onScreen, readNamed } from './io.ts';
import { packageVersion } from './package.ts';
import { explained, NO_COMMAND } from './usage.ts';

/** Every command; only the file of the one to run is loaded. */
const commands: Record<string, () => Promise<Command>> = {
  run: async () => (await import('./commands/run.ts')).run,
  demo: async () => (await import('./commands/demo.ts')).demo,
  sync: async () => (await import('./commands/sync.ts')).sync,
  status: async () => (await import('./commands/status.ts')).status,
  health: async () => (await import('./commands/health.ts')).health,
  doctor: async () => (await import('./commands/doctor.ts')).doctor,
  config: async () => (await import('./commands/config.ts')).config,
  bookings: async () => (await import('./commands/bookings/bookings.ts')).bookings,
  appointments: async () => (await import('./commands/bookings/appointments.ts')).appointments,
  changes: async () => (await import('./commands/changes.ts')).changes,
  history: async () => (await import('./commands/bookings/history.ts')).history,
  report: async () => (await import('./commands/reports/report.ts')).report,
  deliveries: async () => (await import('./commands/deliveries.ts')).deliveries,
  connectors: async () => (await import('./commands/connectors.ts')).connectors,
  notify: async () => (await import('./commands/notify.ts')).notify,
  silence: async () => (await import('./commands/silence.ts')).silence,
  guards: async () => (await import('./commands/guards.ts')).guards,
  audit: async () => (await import('./commands/audit.ts')).audit,
  verify: async () => (await import('./commands/verify.ts')).verify,
  fleet: async () => (await import('./commands/fleet.ts')).fleet,
  sessions: async () => (await import('./commands/sessions.ts')).sessions,
  backup: async () => (await import('./commands/backup.ts')).backup,
  people: async () => (await import('./commands/people.ts')).people,
  restore: async () => (await import('./commands/restore.ts')).restore,
  migrate: async () => (await import('./commands/migrate.ts')).migrate,
  erase: async () => (await import('./commands/bookings/erase.ts')).erase,
  openapi: async () => (await import('./commands/openapi.ts')).openapi,
  sandbox: async () => (await import('./commands/sandbox.ts')).sandbox,
  completion: async () => (await import('./commands/completion.ts')).completion,
};

export const load = (names: readonly string[] = Object.keys(commands)): Promise<Command[]> =>
  Promise.all(names.flatMap((name) => commands[name]?.() ?? []));

/** Runs one command line and resolves to the exit code. Never throws. */
export async function runCli(argv: readonly string[], outside: Io): Promise<number> {
  const io = onScreen(outside);
  const [first = ''] = argv;
  const found = await load(Object.hasOwn(commands, first) ? [first] : undefined);

  if (first === COMPLETE) {
    const completions = await completionsOf(io, argv.slice(2), found);
    io.out(completions.map((line) => `${line}\n`).join(''));
    return exit.ok;
  }

  try {
    let text = '';
    await parserOf(io, found, argv).parseAsync(
      [...argv],
      {},
      (_error: unknown, _argv: unknown, output: string) => {
        text = output;
      },
    );
    if (text !== '') io.out(`${text}\n`);
    return exit.ok;
  } catch (error) {
    if (!(error instanceof Exit)) {
      io.err(`${failureText(error)}\n`);
      return exit.needsPerson;
    }
    const { code, message } = error.code === exit.usage ? explained(error.message, argv, found) : error;
    if (message !== '') io.err(`${message}\n`);
    return code;
  }
}

/** yargs makes a list of an option that is given again. */
function assertGivenOnce(argv: readonly string[], given: Record<string, unknown>, yargs: unknown): void {
  // The parser itself and `getOptions` are missing from the types.
  const { key: options, array: lists } = (yargs as { getOptions(): Options }).getOptions();
  const isOption = (name: string) => argv.some((word) => word.split('=', 1)[0] === `--${name}`);
  const twice = Object.keys(options).find(
    (name) => Array.isArray(given[name]) && !lists.includes(name) && isOption(name),
  );
  if (twice !== undefined) throw new Exit(exit.usage, `--${twice} can be given only once.`);
}

interface Options {
  key: Record<string, unknown>;
  array: readonly string[];
}

function parserOf(io: Io, found: readonly Command[], argv: readonly string[]) {
  const parser = yargs([])
    .scriptName('clinic-sync')
    // Without it, half of every help text would be in the terminal's language.
    .locale('en')
    .usage('$0 <command>\n\nSynchronizes a dental clinic’s other tools with its practice system.')
    .options(globals)
    .example('$0 demo', 'everything at once, with a built-in clinic')
    .demandCommand(1, NO_COMMAND)
    .strict()
    .wrap(helpWidth(io))
    .version(packageVersion())
    .help()
    // Before the values are read, because none of them may be a list then.
    .middleware((given, yargs?: unknown) => assertGivenOnce(argv, given, yargs), true)
    .middleware((given) => {
      if (given.envFile === undefined) return;
      const file = readNamed(given.envFile, { as: `--env-file ${given.envFile}`, code: exit.config });
      // The environment wins over the file.
      io.environment = { ...parseEnv(file.toString('utf8')), ...io.environment };
    })
    .check((given) => {
      const odd = Object.keys(given).find((name) => Number.isNaN(given[name]));
      if (odd !== undefined) throw new Exit(exit.usage, `--${odd} needs a number.`);
      return true;
    })
    .exitProcess(false)
    .fail((message, error) => {
      // Errors of yargs itself are about the command line, too.
      throw error && error.name !== 'YError' ? error : new Exit(exit.usage, message);
    });
  for (const one of found) parser.command(one.module(io));
  return parser;
}
