import type { Argv, CommandModule, InferredOptionTypes, Options } from 'yargs';
import type { Audited, Io } from './io.ts';

/** Options of every command. */
export interface CommonArguments {
  config?: string | undefined;
  json?: boolean | undefined;
}

type Arguments = Record<string, Options>;
/** `dry-run` → `dryRun`, as yargs does. */
type CamelCase<Key> = Key extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail> & string>}`
  : Key;
type Given<A extends Arguments> = CommonArguments & {
  [K in keyof A as CamelCase<K>]: InferredOptionTypes<A>[K];
};

export interface Command extends Described<Arguments> {
  audit?: Audited | undefined;
  hasNoJson?: true;
  /** Of a group. */
  commands?: readonly Command[];
  module(io: Io): CommandModule;
}

interface Described<A extends Arguments> {
  /** In yargs' notation, `approve <ref>`; brackets mark positional arguments. */
  name: string;
  describe: string;
  args?: A;
  /** Command lines, each with its purpose. */
  examples: Record<string, string>;
}

interface Runnable<A extends Arguments, Opened> extends Described<A> {
  /**
   * For a command that calls a clinic or a connector, or is about the configuration; all others need only the database.
   */
  needsSecrets?: true;
  /** It prints no data, or JSON in any case. */
  hasNoJson?: true;
  /** Left out by commands that decide nothing and show no patient. */
  audit?: Audited;
  /** Opens what the command needs, and closes it however the command ends. */
  open?: (io: Io, given: CommonArguments, use: (opened: Opened) => Promise<void>) => Promise<void>;
  run(io: Io, given: Given<A>, opened: Opened): Promise<void>;
}

/** A command whose argument types are inferred from their descriptions. */
export const command = <const A extends Arguments = Record<never, never>, Opened = undefined>(
  spec: Runnable<A, Opened>,
): Command => ({
  ...spec,
  module: (io) => ({
    command: spec.name,
    describe: spec.describe,
    builder: (yargs) => {
      if (spec.hasNoJson) yargs.hide('json');
      return described(yargs, spec, helpWidth(io));
    },
    async handler(argv) {
      io.invocation = { argv, needsSecrets: spec.needsSecrets ?? false, audited: spec.audit };
      // What yargs parsed by `args` has the types that `args` infers.
      const given = argv as unknown as Given<A>;
      if (spec.open) await spec.open(io, given, (opened) => spec.run(io, given, opened));
      else await spec.run(io, given, undefined as Opened);
    },
  }),
});

const either = (names: readonly string[]) =>
  new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(names);

/** A command that only has subcommands. */
export const group = ({
  commands,
  ...spec
}: Described<Arguments> & { commands: readonly Command[] }): Command => ({
  ...spec,
  commands,
  module: (io) => ({
    command: spec.name,
    describe: spec.describe,
    builder: (yargs) =>
      commands
        .reduce((all, one) => all.command(one.module(io)), described(yargs, spec, helpWidth(io)))
        .demandCommand(1, `Say which: ${either(commands.map(firstWord))}.`),
    handler: () => {},
  }),
});

/** `approve` of `approve <ref>` */
export const firstWord = ({ name }: Pick<Command, 'name'>): string => name.split(' ', 1)[0] ?? '';

const positionals = (name: string) => new Set([...name.matchAll(/[<[]([\w-]+)/g)].map(([, word]) => word));

/** What completion scripts pass: yargs' name for it, because scripts made by yargs are in people's profiles. */
export const COMPLETE = '--get-yargs-completions';

/** Options of every command. */
export const globals = {
  config: { type: 'string', global: true, requiresArg: true, describe: 'Configuration file' },
  json: { type: 'boolean', global: true, describe: 'Print data as JSON' },
  'env-file': {
    type: 'string',
    global: true,
    requiresArg: true,
    describe: 'File of NAME=value lines to read as well, such as systemd’s EnvironmentFile',
  },
} as const satisfies Arguments;
const ofYargs: Arguments = {
  version: { describe: 'Show version number' },
  help: { describe: 'Show help' },
};

/** What words name, as far as they do: `bookings show`, but of `status extra` only `status`. */
export interface NamedCommand {
  words: string[];
  command: Command | undefined;
  /** What may follow. */
  commands: readonly Command[];
  options: Arguments;
}

export function commandOf(argv: readonly string[], all: readonly Command[]): NamedCommand {
  const words: string[] = [];
  let [command, commands]: [Command | undefined, readonly Command[]] = [undefined, all];
  let options: Arguments = { ...globals, ...ofYargs };
  for (const word of argv.slice(0, 2)) {
    const next = commands.find((one) => firstWord(one) === word);
    if (next === undefined) break;
    words.push(word);
    const positional = positionals(next.name);
    const own = Object.entries(next.args ?? {}).filter(([name]) => !positional.has(name));
    const { json, ...others } = options;
    options = { ...(next.hasNoJson ? others : options), ...Object.fromEntries(own) };
    [command, commands] = [next, next.commands ?? []];
  }
  return { words, command, commands, options };
}

function described(yargs: Argv, { name, args = {}, examples }: Described<Arguments>, width: number): Argv {
  const positional = positionals(name);
  for (const [key, { coerce, ...options }] of Object.entries(args)) {
    if (coerce) yargs.coerce(key, coerce);
    if (!positional.has(key)) yargs.option(key, options);
    else if (options.describe || options.type || options.choices)
      yargs.positional(key, options as Parameters<Argv['positional']>[1]);
  }
  for (const [line, purpose] of Object.entries(examples))
    addExample(yargs, `clinic-sync ${line}`, { purpose, width });
  return yargs;
}

/** Columns of a help text. */
export const helpWidth = ({ columns }: Pick<Io, 'columns'>): number => Math.min(columns, 110);

/** A line that yargs would wrap cannot be copied: it gets rows of its own, with its purpose as a comment. */
function addExample(yargs: Argv, line: string, { purpose, width }: { purpose: string; width: number }): void {
  if (line.length <= width / 2) {
    yargs.example(line, purpose);
    return;
  }
  for (const row of rowsOf(line, width)) yargs.example(row, '');
  if (purpose !== '') yargs.example(`# ${purpose}`, '');
}

const MARGINS = 4;

/** Broken only before an option, as a shell reads it. */
function rowsOf(line: string, width: number): string[] {
  if (line.length <= width - MARGINS) return [line];
  const rows = [''];
  for (const part of line.split(/ (?=--)/)) {
    const longer = `${rows.at(-1)} ${part}`.trimStart();
    if (`${longer} \\`.length <= width - MARGINS) rows[rows.length - 1] = longer;
    else rows.push(part);
  }
  return rows.map((row, index) => (index < rows.length - 1 ? `${row} \\` : row));
}

/** A booking's ref in upper or lower case. */
export const refArgument = { type: 'string', coerce: (ref: string) => ref.toUpperCase() } as const;

const severalRefs = {
  array: true,
  string: true,
  coerce: (refs: string[]) => refs.map((ref) => ref.toUpperCase()),
} as const;

export const refsArgument = (describe: string) => ({ ...severalRefs, demandOption: true, describe }) as const;
export const alsoArgument = (describe: string) => ({ ...severalRefs, default: [], describe }) as const;

export const clinicArgument = {
  type: 'string',
  describe: 'The clinic, when several are configured',
} as const;

/** A positional argument, such as a connector’s name; yargs would turn digits into a number. */
export const optionalWord = { coerce: (given: unknown) => String(given) } as const;
export const word = { ...optionalWord, demandOption: true } as const;

/** A TCP port; anything else is a usage error. */
export const portArgument = (describe: string) =>
  ({
    type: 'number',
    requiresArg: true,
    describe,
    coerce(given: unknown) {
      const port = Number(given);
      if (!Number.isInteger(port) || port < 0 || port > 65_535)
        throw new TypeError('A port is a number from 0 to 65535.');
      return port;
    },
  }) as const;

export const flagArgument = (describe: string) => ({ type: 'boolean', default: false, describe }) as const;
