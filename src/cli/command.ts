import type { Argv, CommandModule, InferredOptionTypes, Options } from 'yargs';
import type { Io } from './io.ts';

/** What every command line may carry. */
export interface CommonArguments {
  config?: string | undefined;
  json?: boolean | undefined;
}

type Arguments = Record<string, Options>;
/** `dry-run` → `dryRun`, as yargs names it, too. */
type CamelCase<Key> = Key extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail> & string>}`
  : Key;
type Given<A extends Arguments> = CommonArguments & {
  [K in keyof A as CamelCase<K>]: InferredOptionTypes<A>[K];
};

/** A command once it knows where it reads and writes. */
export type Command = (io: Io) => CommandModule;

interface Described<A extends Arguments> {
  /** As yargs reads it, `approve <ref>`; what stands in brackets is an argument without a name. */
  name: string;
  describe: string;
  args?: A;
  /** Command lines and what each is for. */
  examples: Record<string, string>;
}

interface Runnable<A extends Arguments, Opened> extends Described<A> {
  /** Opens what the command works on, and closes it however the command ends. */
  open?: (io: Io, given: CommonArguments, use: (opened: Opened) => Promise<void>) => Promise<void>;
  run(io: Io, given: Given<A>, opened: Opened): Promise<void>;
}

/** One command. The types of its arguments follow from their description. */
export const command =
  <const A extends Arguments = Record<never, never>, Opened = undefined>(
    spec: Runnable<A, Opened>,
  ): Command =>
  (io) => ({
    command: spec.name,
    describe: spec.describe,
    builder: (yargs) => described(yargs, spec),
    async handler(argv) {
      // What yargs parsed by `args` has the types that `args` infers.
      const given = argv as unknown as Given<A>;
      if (spec.open) await spec.open(io, given, (opened) => spec.run(io, given, opened));
      else await spec.run(io, given, undefined as Opened);
    },
  });

const either = new Intl.ListFormat('en-GB', { type: 'disjunction' });

/** A command that only has commands of its own. */
export const group =
  (spec: Described<Arguments> & { commands: readonly Command[] }): Command =>
  (io) => {
    const commands = spec.commands.map((one) => one(io));
    const names = commands.map((one) => String(one.command).split(' ')[0] ?? '');
    return {
      command: spec.name,
      describe: spec.describe,
      builder: (yargs) =>
        commands
          .reduce((all, one) => all.command(one), described(yargs, spec))
          .demandCommand(1, `Say which: ${either.format(names)}.`),
      handler: () => {},
    };
  };

function described(yargs: Argv, { name, args = {}, examples }: Described<Arguments>): Argv {
  const positional = new Set([...name.matchAll(/[<[]([\w-]+)/g)].map(([, word]) => word));
  for (const [key, { coerce, ...options }] of Object.entries(args)) {
    if (coerce) yargs.coerce(key, coerce);
    if (!positional.has(key)) yargs.option(key, options);
    // Nothing to explain: the usage names it.
    else if (options.describe || options.type || options.choices)
      yargs.positional(key, options as Parameters<Argv['positional']>[1]);
  }
  for (const [line, purpose] of Object.entries(examples)) yargs.example(`$0 ${line}`, purpose);
  return yargs;
}

/** A booking, however its reference was typed from a phone call. */
export const refArgument = { type: 'string', coerce: (ref: string) => ref.toUpperCase() } as const;

export const alsoArgument = (describe: string) =>
  ({
    array: true,
    string: true,
    default: [],
    coerce: (refs: string[]) => refs.map((ref) => ref.toUpperCase()),
    describe,
  }) as const;

export const clinicArgument = {
  type: 'string',
  describe: 'The clinic, when several are configured',
} as const;

/** An argument without a name, such as a connector’s; yargs makes a number of a word that looks like one. */
export const optionalWord = { coerce: (given: unknown) => String(given) } as const;
export const word = { ...optionalWord, demandOption: true } as const;

/** A number that can be listened on; anything else is a fault of the command line. */
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

/** An argument that is true when it is named. */
export const flag = (describe: string) => ({ type: 'boolean', default: false, describe }) as const;
