import { isNode, LineCounter, parseDocument } from 'yaml';
import { z } from 'zod';
import { Failure } from '../../../src/platform/failure.ts';
import { ScriptedFault } from './script.ts';

const List = z.array(ScriptedFault);
const Wrapped = z.strictObject({ faults: List }).transform(({ faults }) => faults);

/**
 * Reads a fault script from the text of a YAML or JSON file: a list, or an object with a list `faults`. Throws
 * `Failure` refused that lists all errors with their lines.
 */
export function readFaultScript(text: string, file: string): ScriptedFault[] {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const refuse = (problems: string[]) =>
    new Failure({
      kind: 'refused',
      message: `The fault script ${file} cannot be used:\n${problems.map((problem) => `  ${problem}`).join('\n')}`,
      hint: 'The kinds of fault are listed in sandbox/clinic/README.md and by GET /fault-kinds on the control channel.',
    });
  if (document.errors.length > 0)
    throw refuse(document.errors.map(({ message }) => message.split('\n')[0] ?? ''));

  const value: unknown = document.toJS();
  // Checked in the form in which it was written, so that paths and messages refer to what the author sees.
  const parsed = Array.isArray(value) ? List.safeParse(value) : Wrapped.safeParse(value);
  if (parsed.success) return parsed.data;
  throw refuse(
    parsed.error.issues.map(({ path, message }) => {
      const line = lineOf(path);
      const where = path
        .map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`))
        .join('');
      return `${line === undefined ? '' : `line ${line}: `}${where.replace(/^\./, '') || 'the file'}: ${message}`;
    }),
  );

  /** The line of the innermost part of the path that exists in the file. */
  function lineOf(path: readonly PropertyKey[]): number | undefined {
    for (let depth = path.length; depth >= 0; depth -= 1) {
      const node: unknown = document.getIn(path.slice(0, depth), true);
      if (isNode(node) && node.range) return lines.linePos(node.range[0]).line;
    }
    return undefined;
  }
}
