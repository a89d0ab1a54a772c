import { parseEnv } from 'node:util';
import yargs from 'yargs';
import { COMPLETE, type Command, command, firstWord, globals, helpWidth } from './command.ts';
import { commands, headings, load } from './commands.ts';
import { Exit, exit, failureText, type Io, onScreen, readNamed } from './io.ts';
import { overview } from './overview.ts';
import { packageVersion } from './package.ts';
import { explained, NO_COMMAND } from './usage.ts';

/** Runs one command line and resolves to the exit code. Never throws. */
export async function runCli(argv: readonly string[], outside: Io): Promise<number> {
  const io = onScreen(outside);
  const named = argv.filter((word) => Object.hasOwn(commands, word));
  const found = argv[0] === named[0] ? await load(named.slice(0, 1)) : await withOthers(named);

  if (argv[0] === COMPLETE) {
    const { completionsOf } = await import('./completion.ts');
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
    if (text !== '') io.out(`${text.replace(LIST, () => listOf(found, helpWidth(io)))}\n`);
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

/** Those that are named, and of all others what the help says. */
async function withOthers(named: readonly string[]): Promise<Command[]> {
  const loaded = new Map((await load(named)).map((one) => [firstWord(one), one]));
  const all = await overview();
  return all.map(
    (one) => loaded.get(firstWord(one)) ?? command({ ...one, examples: {}, run: async () => {} }),
  );
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

/** Stands in the help for the list of commands, because yargs knows no groups of them. */
const LIST = '(commands)';

function listOf(found: readonly Command[], width: number): string {
  const left = Math.max(...found.map(({ name }) => name.length)) + 4;
  return found
    .map((one) => {
      const heading = headings[firstWord(one)];
      const rows = wrapped(one.describe, width - left).join(`\n${' '.repeat(left)}`);
      return `${heading === undefined ? '' : `\n${heading}:\n`}${`  ${one.name}`.padEnd(left)}${rows}`;
    })
    .join('\n')
    .trimStart();
}

function wrapped(text: string, width: number): string[] {
  const rows = [''];
  for (const word of text.split(' ')) {
    const longer = `${rows.at(-1)} ${word}`.trimStart();
    if (longer.length <= width) rows[rows.length - 1] = longer;
    else rows.push(word);
  }
  return rows;
}

const ABOUT = 'Synchronizes a dental clinic’s other tools with its practice system.';

function parserOf(io: Io, found: readonly Command[], argv: readonly string[]) {
  const isAll = found.length > 1;
  const parser = yargs([])
    .scriptName('clinic-sync')
    // Without it, half of every help text would be in the terminal's language.
    .locale('en')
    .usage(`$0 <command>\n\n${ABOUT}${isAll ? `\n\n${LIST}` : ''}`)
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
  for (const one of found) parser.command({ ...one.module(io), ...(isAll && { describe: false }) });
  return parser;
}
