import { findKind, kindNames } from '../../connectors/registry.ts';
import { openDatabase } from '../app/choose-database.ts';
import { loadConfig } from '../config/load.ts';
import { systemClock } from '../platform/clock.ts';
import { silentLog } from '../platform/log.ts';
import { COMPLETE, type Command, commandOf, firstWord } from './command.ts';
import type { Io } from './io.ts';
import { packageVersion } from './package.ts';

/** Each script passes the words up to the cursor and its own shell, because each takes descriptions in its own way. */
export const completionScripts = {
  bash: `# Completes clinic-sync in bash: clinic-sync completion bash >> ~/.bashrc
_clinic_sync() {
  local IFS=$'\\n'
  COMPREPLY=($(SHELL=bash ZSH_NAME= clinic-sync ${COMPLETE} "\${COMP_WORDS[@]:0:COMP_CWORD+1}" 2>/dev/null))
}
complete -o bashdefault -o default -F _clinic_sync clinic-sync
`,
  fish: `# Completes clinic-sync in fish: clinic-sync completion fish > ~/.config/fish/completions/clinic-sync.fish
function __clinic_sync
  set -l typed (commandline -ct)
  env SHELL=fish ZSH_NAME= clinic-sync ${COMPLETE} (commandline -opc) "$typed" 2>/dev/null
end
complete -c clinic-sync -a '(__clinic_sync)'
`,
  zsh: `#compdef clinic-sync
# Completes clinic-sync in zsh: clinic-sync completion zsh >> ~/.zshrc (after compinit)
_clinic_sync() {
  local -a found
  found=("\${(@f)$(SHELL=zsh clinic-sync ${COMPLETE} "\${(@)words[1,CURRENT]}" 2>/dev/null)}")
  if [[ -n "$found" ]]; then _describe 'values' found; else _default; fi
}
if [[ "\${zsh_eval_context[-1]}" == loadautofunc ]]; then _clinic_sync "$@"; else compdef _clinic_sync clinic-sync; fi
`,
} as const;

type Shell = keyof typeof completionScripts;
export const shells = Object.keys(completionScripts) as Shell[];

export const shellOf = ({ environment: { SHELL = '', ZSH_NAME = '' } }: Pick<Io, 'environment'>): Shell =>
  shells.find((one) => `${SHELL}${ZSH_NAME}`.includes(one)) ?? 'bash';

/** Between a word and its description; bash takes none. */
const separators: Partial<Record<Shell, string>> = { zsh: ':', fish: '\t' };

/** People decide about the newest bookings. */
const REFS = 50;

/**
 * What may follow these words, one per line; with a description where the shell takes one. Never throws, prints nothing
 * else.
 */
export async function completionsOf(
  io: Io,
  given: readonly string[],
  all: readonly Command[],
): Promise<string[]> {
  const typed = given.at(-1) ?? '';
  const { command, commands, options } = commandOf(given.slice(0, -1), all);
  const isOption = typed.startsWith('-');
  const before = given.at(-2) ?? '';
  const choices = (!isOption && before.startsWith('--') && options[before.slice(2)]?.choices) || [];
  const values =
    isOption || choices.length > 0 || !command ? choices : await valuesOf(io, given, command).catch(() => []);
  const named = isOption
    ? Object.entries(options).map(([name, { describe }]) => [`--${name}`, describe ?? ''] as const)
    : commands.map((one) => [firstWord(one), one.describe] as const);
  const found = [
    ...values.map((value) => [String(value), ''] as const),
    ...(choices.length > 0 ? [] : named),
  ];
  const fitting = new Map(found.filter(([word]) => word.startsWith(typed)));
  const separator = separators[shellOf(io)];
  return [...fitting].map(([word, about]) =>
    separator !== undefined && about !== '' ? `${word}${separator}${about}` : word,
  );
}

/** Names of connectors, notification targets and clinics, and refs, where a command takes one. */
async function valuesOf(io: Io, [group = '']: readonly string[], { name }: Command): Promise<string[]> {
  const [, wanted = ''] = /[<[](\w+?)s?[.\]>]/.exec(name) ?? [];
  if (!['name', 'ref', 'clinic'].includes(wanted)) return [];
  const loaded = await loadConfig({
    file: undefined,
    environment: io.environment,
    findKind,
    knownKinds: kindNames,
    secrets: 'optional',
  });
  if (!loaded.ok) return [];
  const { config } = loaded;
  const names = config.connectors.map((connector) => connector.name);
  if (wanted === 'clinic') return config.clinics.map(({ key }) => key);
  if (wanted === 'name' && group !== 'notify') return names;
  if (wanted === 'name') return names.flatMap((one) => (one.startsWith('notify.') ? one.slice(7) : []));
  const options = { clock: systemClock, log: silentLog, version: packageVersion(), mode: 'tool' as const };
  const store = await openDatabase(config.store, options);
  try {
    return (await store.bookings.list({ limit: REFS })).map(({ ref }) => ref);
  } finally {
    await store.close();
  }
}
