import type { LineCounter, YAMLParseError } from 'yaml';
import type { ConfigFault } from './faults.ts';

const LOOK = 'Look here and just before: indentation, brackets, and text with : # , { } [ ] put in quotes.';

/** Where a file is not YAML. Faults on the same or the next line count as one mistake. */
export function yamlFaults(
  errors: readonly YAMLParseError[],
  text: string,
  lines: LineCounter,
): ConfigFault[] {
  let former = Number.NEGATIVE_INFINITY;
  return errors.flatMap(({ code, message, pos: [start] }) => {
    const { line, col: column } = lines.linePos(start);
    const isEcho = line <= former + 1;
    former = line;
    if (isEcho) return [];
    const at = { path: '(file)', line, column };
    if (code !== 'DUPLICATE_KEY') return [{ ...at, ...notYaml(message) }];
    const [name = 'a name'] = text.slice(start).match(/^[^\s:]+/) ?? [];
    return [
      { ...at, message: `has ${name} twice`, hint: 'Give one of them another name, or make them one.' },
    ];
  });
}

/**
 * Drops quotations from the file: an unquoted secret may begin with `*`, `!` or `
 * `.
 */
export function notYaml(error: unknown): Pick<ConfigFault, 'message' | 'hint'> {
  const [problem = ''] = String(error instanceof Error ? error.message : error).split(/:\s|\n/);
  const unquoted = problem.replace(/^(Invalid escape sequence).*/, '$1');
  return { message: `is not valid YAML: ${unquoted}`, hint: LOOK };
}
