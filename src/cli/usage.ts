import { closest } from '../platform/text/closest.ts';
import { type Command, commandOf, firstWord, type NamedCommand } from './command.ts';
import { Exit, exit } from './io.ts';

export const NO_COMMAND = 'Name a command.';

/** Explains a wrong command line: the fault, what was probably meant, and the help to read. */
export function explained(fault: string, argv: readonly string[], all: readonly Command[]): Exit {
  const named = commandOf(argv, all);
  // Without a command, yargs checks nothing else.
  const [first = ''] = argv;
  const alone =
    fault === NO_COMMAND && first.startsWith('--') && !Object.hasOwn(named.options, first.slice(2));
  const hint = [
    wordsOf(alone ? `Unknown argument: ${first.slice(2)}` : fault, named, (word) => argv.includes(word)),
    `Try: ${['clinic-sync', ...named.words, '--help'].join(' ')}`,
  ];
  return new Exit(exit.usage, hint.join('\n'));
}

/** The missing argument, such as `<ref>` of `bookings show`, or a required option; undefined for other faults. */
function missingIn(fault: string, { words, command }: NamedCommand): string | undefined {
  const [, option] = /^Missing required arguments?: ([^,]+)/.exec(fault) ?? [];
  if (option !== undefined) return `--${option}`;
  const [, got = '', least = ''] =
    /^Not enough non-option arguments: got (\d+), need at least (\d+)/.exec(fault) ?? [];
  if (least === '') return undefined;
  const usage = command?.name ?? '';
  const wanted = [...usage.matchAll(/<[^<>]+>/g)].map(([name]) => name.replace('..', ''));
  return (
    wanted.slice(Number(got) - Number(least)).join(' ') ||
    ['clinic-sync', ...words.slice(0, -1), usage].join(' ')
  );
}

function exampleOf({ command }: NamedCommand): string {
  const [example] = Object.keys(command?.examples ?? {});
  return example === undefined ? '' : ` For example: clinic-sync ${example}`;
}

function wordsOf(fault: string, named: NamedCommand, isWord: (text: string) => boolean): string {
  const missing = missingIn(fault, named);
  if (missing !== undefined) return `${missing} is missing.${exampleOf(named)}`;
  const [, unknown] = /^Unknown (?:argument|command)s?: ([^,\s]+)/.exec(fault) ?? [];
  if (unknown === undefined) return fault;
  const option = closest(unknown, Object.keys(named.options));
  const commands = named.commands.map(firstWord);
  const meant = closest(unknown, commands) ?? (option && `--${option}`);
  if (meant !== undefined) return `${fault}. Did you mean ${meant}?`;
  return isWord(unknown) && commands.length > 0
    ? `There is no command ${unknown}; there are: ${commands.join(', ')}.`
    : `${fault}.`;
}
