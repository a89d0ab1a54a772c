import { closest } from '../platform/text/closest.ts';
import { Exit, exit } from './io.ts';

export const NO_COMMAND = 'Name a command.';

/** The help of the command that these words name. */
export type HelpOf = (words: readonly string[]) => Promise<string>;

/** Explains a wrong command line: the fault, what was probably meant, and the help to read. */
export async function explained(fault: string, argv: readonly string[], helpOf: HelpOf): Promise<Exit> {
  const words = await commandOf(argv, helpOf);
  const help = await helpOf(words);
  // Without a command, yargs checks nothing else.
  const [first = ''] = argv;
  const alone = fault === NO_COMMAND && first.startsWith('--') && !optionsOf(help).includes(first.slice(2));
  const hint = [
    wordsOf(alone ? `Unknown argument: ${first.slice(2)}` : fault, help, (word) => argv.includes(word)),
    `Try: ${['clinic-sync', ...words, '--help'].join(' ')}`,
  ];
  return new Exit(exit.usage, hint.join('\n'));
}

/** The words that name a command: `bookings show`, but only `status` of `status extra`. */
export async function commandOf(argv: readonly string[], helpOf: HelpOf): Promise<string[]> {
  const words: string[] = [];
  for (const word of argv.slice(0, 2)) {
    if (!subcommands(await helpOf(words)).includes(word)) break;
    words.push(word);
  }
  return words;
}

/** `  clinic-sync bookings show <ref>  One booking …` */
const SUBCOMMAND = /^ {2}clinic-sync (?:[a-z]+ )??([a-z-]+)(?: [<[][^ ]*)*(?: {2,}(\S.*))?$/gm;

/** Subcommands in a help text, each with its description. */
export function describedCommands(help: string): [name: string, about: string][] {
  const [, listed = ''] = /^Commands:\n((?: .*\n?)+)/m.exec(help) ?? [];
  return [...listed.matchAll(SUBCOMMAND)].map(([, name = '', about = '']) => [name, about]);
}

const subcommands = (help: string): string[] => describedCommands(help).map(([name]) => name);

const optionsOf = (help: string): string[] => [...help.matchAll(/--([a-z-]+)/g)].map(([, name = '']) => name);

/** The missing argument, such as `<ref>` of `bookings show`, or a required option; undefined for other faults. */
function missingIn(fault: string, help: string): string | undefined {
  const [, option] = /^Missing required arguments?: ([^,]+)/.exec(fault) ?? [];
  if (option !== undefined) return `--${option}`;
  const [, got = '', least = ''] =
    /^Not enough non-option arguments: got (\d+), need at least (\d+)/.exec(fault) ?? [];
  if (least === '') return undefined;
  const [usage = ''] = help.trimStart().split('\n');
  const wanted = [...usage.matchAll(/<[^<>]+>/g)].map(([name]) => name.replace('..', ''));
  return wanted.slice(Number(got) - Number(least)).join(' ') || usage;
}

function exampleIn(help: string): string {
  const [, example] = /^Examples:\n +(clinic-sync .*?)(?: {2,}.*)?$/m.exec(help) ?? [];
  return example === undefined ? '' : ` For example: ${example}`;
}

function wordsOf(fault: string, help: string, isWord: (text: string) => boolean): string {
  const missing = missingIn(fault, help);
  if (missing !== undefined) return `${missing} is missing.${exampleIn(help)}`;
  const [, unknown] = /^Unknown (?:argument|command)s?: ([^,\s]+)/.exec(fault) ?? [];
  if (unknown === undefined) return fault;
  const option = closest(unknown, optionsOf(help));
  const commands = subcommands(help);
  const meant = closest(unknown, commands) ?? (option && `--${option}`);
  if (meant !== undefined) return `${fault}. Did you mean ${meant}?`;
  return isWord(unknown) && commands.length > 0
    ? `There is no command ${unknown}; there are: ${commands.join(', ')}.`
    : `${fault}.`;
}
