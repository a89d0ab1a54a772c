import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import type { CommandModule } from 'yargs';
import { kindNames } from '../../../connectors/registry.ts';
import { configSchema } from '../../config/json-schema.ts';
import { masked } from '../../config/masking.ts';
import { type ConfigArguments, faultsText, load, usableKinds } from '../configuration.ts';
import { counted, Exit, exit, type Io, print, printJson } from '../io.ts';
import { packageFolder } from '../package.ts';

type Arguments = ConfigArguments & { json?: boolean; file?: string };

/** `clinic-sync config check | schema | show | init` */
export const configCommand = (io: Io): CommandModule => ({
  command: 'config',
  describe: 'Check, show or start a configuration',
  builder: (yargs) =>
    yargs
      .command(
        'check',
        'Name every fault at once, with its line',
        (sub) => sub.example('$0 config check --json', 'for a script'),
        (argv) => check(io, argv as Arguments),
      )
      .command(
        'schema',
        'Print the JSON Schema, for editors',
        (sub) => sub.example('$0 config schema > clinic-sync.schema.json', 'for your editor'),
        () => schema(io),
      )
      .command(
        'show',
        'Print the effective values, secrets masked',
        (sub) => sub.example('$0 config show', 'what really counts, defaults included'),
        (argv) => show(io, argv as Arguments),
      )
      .command(
        'init [file]',
        'Write a commented starter file',
        (sub) =>
          sub
            .positional('file', {
              type: 'string',
              default: './clinic-sync.yaml',
              describe: 'Where to write it',
            })
            .example('$0 config init', 'writes ./clinic-sync.yaml'),
        (argv) => init(io, argv as Arguments),
      )
      .example('$0 config check --config clinic-sync.yaml', 'all faults at once')
      .demandCommand(1, 'Say which: check, schema, show or init.'),
  handler: () => {},
});

async function check(io: Io, given: Arguments): Promise<void> {
  const loaded = await load(io, given);
  if (given.json) {
    const { warnings } = loaded.ok ? loaded : { warnings: [] };
    printJson(io, loaded.ok ? { ok: true, origin: loaded.config.origin, faults: [], warnings } : loaded);
  }
  if (loaded.ok) {
    const { origin, clinics, connectors } = loaded.config;
    if (!given.json) {
      if (loaded.warnings.length > 0) io.err(faultsText(io, origin, loaded.warnings, 'warning'));
      print(
        io,
        `${origin}: ok (${counted(clinics.length, 'clinic')}, ${counted(connectors.length, 'connector')})`,
      );
    }
    return;
  }
  if (!given.json) io.err(faultsText(io, loaded.origin, loaded.faults));
  throw new Exit(exit.config);
}

async function schema(io: Io): Promise<void> {
  const kinds = await usableKinds(kindNames);
  printJson(io, configSchema([...kinds.values()]));
}

async function show(io: Io, given: Arguments): Promise<void> {
  const loaded = await load(io, given);
  if (!loaded.ok) {
    io.err(faultsText(io, loaded.origin, loaded.faults));
    throw new Exit(exit.config);
  }
  const trusted = loaded.config.connectors.filter(({ isolate }) => !isolate);
  const kinds = await usableKinds(trusted.map(({ use }) => use));
  const values = masked(loaded.shown, kinds);
  if (given.json) printJson(io, values);
  else io.out(`# from ${loaded.config.origin}\n${stringify(values)}`);
}

async function init(io: Io, { file = './clinic-sync.yaml' }: Arguments): Promise<void> {
  if (existsSync(file)) {
    io.err(`${file} exists already; nothing was written. Name another file: clinic-sync config init FILE\n`);
    throw new Exit(exit.config);
  }
  writeFileSync(file, readFileSync(join(packageFolder(), 'config', 'clinic-sync.example.yaml'), 'utf8'), {
    flag: 'wx',
  });
  print(
    io,
    `Wrote ${file}. Fill in base_url, the two keys and the timezone, then: clinic-sync doctor --config ${file}`,
  );
}
