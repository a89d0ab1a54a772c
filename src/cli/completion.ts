import { findKind, kindNames } from '../../connectors/registry.ts';
import { openDatabase } from '../app/database.ts';
import { loadConfig } from '../config/load.ts';
import { systemClock } from '../platform/clock.ts';
import { silentLog } from '../platform/log.ts';
import { COMPLETE, type Command, commandOf, firstWord } from './command.ts';
import type { Io } from './io.ts';
import { packageVersion } from './package.ts';

/** Each script passes the words up to the cursor and its own shell, because only zsh takes descriptions. */
export const completionScripts = {
  bash: `# Completes clinic-sync in bash: clinic-sync completion bash >> ~/.bashrc
_clinic_sync() {
  local IFS=$'\\n'
  COMPREPLY=($(SHELL=bash ZSH_NAME= clinic-sync ${COMPLETE} "\${COMP_WORDS[@]:0:COMP_CWORD+1}" 2>/dev/null))
}
complete -o bashdefault -o default -F _clinic_sync clinic-sync
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

export const isZsh = ({ environment: { SHELL = '', ZSH_NAME = '' } }: Pick<Io, 'environment'>): boolean =>
  `${SHELL}${ZSH_NAME}`.includes('zsh');

/** People decide about the newest bookings. */
const REFS = 50;

/**
 * What may follow these words, one per line; for zsh with a description after a colon. Never throws, prints nothing
 * else.
 */
export async function completionsOf(
  io: Io,
  given: readonly string[],
  all: readonly Command[],
): Promise<string[]> {
  const typed = given.at(-1) ?? '';
  const { commands, options } = commandOf(given.slice(0, -1), all);
  const isOption = typed.startsWith('-');
  const before = given.at(-2) ?? '';
  const choices = (!isOption && before.startsWith('--') && options[before.slice(2)]?.choices) || [];
  const values = isOption || choices.length > 0 ? choices : await valuesOf(io, given).catch(() => []);
  const named = isOption
    ? Object.entries(options).map(([name, { describe }]) => [`--${name}`, describe ?? ''] as const)
    : commands.map((one) => [firstWord(one), one.describe] as const);
  const found = [
    ...values.map((value) => [String(value), ''] as const),
    ...(choices.length > 0 ? [] : named),
  ];
  const fitting = new Map(found.filter(([word]) => word.startsWith(typed)));
  return [...fitting].map(([word, about]) => (isZsh(io) && about !== '' ? `${word}:${about}` : word));
}

const ofConnectors = ['connectors', 'deliveries'];
const withoutNames = ['list', 'kinds'];

/** Refs, and names of connectors and notification targets, where a command takes one. */
async function valuesOf(io: Io, [group = '', verb = '', ...rest]: readonly string[]): Promise<string[]> {
  if (rest.length === 0 || withoutNames.includes(verb)) return [];
  const loaded = await loadConfig({
    file: undefined,
    environment: io.environment,
    findKind,
    knownKinds: kindNames,
    secrets: 'optional',
  });
  if (!loaded.ok) return [];
  const { config } = loaded;
  if (ofConnectors.includes(group)) return config.connectors.map(({ name }) => name);
  if (group === 'notify')
    return config.connectors.flatMap(({ name }) => (name.startsWith('notify.') ? name.slice(7) : []));
  if (group !== 'bookings' || verb === 'add' || verb === 'resume') return [];
  const options = { clock: systemClock, log: silentLog, version: packageVersion(), mode: 'tool' as const };
  const store = await openDatabase(config.store, options);
  try {
    return (await store.bookings.list({ limit: REFS })).map(({ ref }) => ref);
  } finally {
    await store.close();
  }
}
