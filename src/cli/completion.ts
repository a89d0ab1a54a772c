import { findKind, kindNames } from '../../connectors/registry.ts';
import { openDatabase } from '../app/database.ts';
import { loadConfig } from '../config/load.ts';
import { systemClock } from '../platform/clock.ts';
import { silentLog } from '../platform/log.ts';
import type { Io } from './io.ts';
import { packageVersion } from './package.ts';
import { commandOf, describedCommands, type HelpOf } from './usage.ts';

/** The option that the scripts pass: yargs' name for it, because scripts made by yargs are in people's profiles. */
export const COMPLETE = '--get-yargs-completions';

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
 * What may follow these words, one per line; for zsh with a description after a colon. Read from the help, so that no
 * command is forgotten. Never throws, and prints nothing else.
 */
export async function completionsOf(io: Io, given: readonly string[], helpOf: HelpOf): Promise<string[]> {
  const typed = given.at(-1) ?? '';
  try {
    const words = await commandOf(given.slice(0, -1), helpOf);
    const help = await helpOf(words);
    const isOption = typed.startsWith('-');
    const choices = isOption ? [] : choicesOf(given.at(-2) ?? '', help);
    const values = isOption || choices.length > 0 ? choices : await valuesOf(io, given).catch(() => []);
    const described = isOption ? describedOptions : describedCommands;
    const named = choices.length > 0 ? [] : described(help);
    const found: (readonly [string, string])[] = [...values.map((value) => [value, ''] as const), ...named];
    const fitting = new Map(found.filter(([word]) => word.startsWith(typed)));
    return [...fitting].map(([word, about]) => (isZsh(io) && about !== '' ? `${word}:${about}` : word));
  } catch {
    return [];
  }
}

/** `      --state   Only this state  [choices: …]` */
const OPTION = /^ +(?:-\w, )?(--[a-z-]+)(?: {2,}(\S.*?))?(?: {2,}\[.*)?$/gm;

const describedOptions = (help: string): [name: string, about: string][] =>
  [...help.matchAll(OPTION)].map(([, name = '', about = '']) => [name, about]);

/** The values that the option before the cursor can have: `[choices: "held", "booked"]` */
function choicesOf(option: string, help: string): string[] {
  if (!option.startsWith('--')) return [];
  const [, after = ''] = help.split(` ${option} `);
  const [own = ''] = after.split(/\n +(?:-\w, )?--/);
  const [, listed = ''] = /\[choices: ([^[\]]*)\]/.exec(own) ?? [];
  return [...listed.matchAll(/"([^"]*)"/g)].map(([, choice = '']) => choice);
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
