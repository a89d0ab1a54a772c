import type { Document, LineCounter } from 'yaml';
import { isNode } from 'yaml';
import { z } from 'zod';
import { closest } from '../platform/text/closest.ts';

type Path = readonly PropertyKey[];

/** One fault in the configuration. */
export interface ConfigFault {
  /** `clinics.main.base_url` */
  path: string;
  line?: number;
  column?: number;
  message: string;
  /** What to write instead. */
  hint?: string;
}

/** Where a value came from, as far as the loader knows. */
export interface Source {
  document?: Document.Parsed;
  lines?: LineCounter;
}

export const pathText = (path: Path): string =>
  path
    .map((key) => (typeof key === 'number' ? `[${key}]` : `.${shown(String(key))}`))
    .join('')
    .replace(/^\./, '') || '(file)';

/** Masks a key that contains a value: without a blank after the colon (`secret:VALUE`), that value may be a secret. */
const shown = (key: string): string => (key.includes(':') ? `${nameOf(key)}:…` : key);
const nameOf = (key: string): string => key.slice(0, `${key}:`.indexOf(':'));

/** A fault at a path, with the line of the nearest part of the file that exists. */
export function faultAt(
  { document, lines }: Source,
  path: Path,
  message: string,
  hint?: string,
): ConfigFault {
  const fault: ConfigFault = { path: pathText(path), message };
  if (hint !== undefined) fault.hint = hint;
  if (document === undefined || lines === undefined) return fault;

  for (let depth = path.length; depth >= 0; depth -= 1) {
    const node = document.getIn(path.slice(0, depth), true);
    if (!isNode(node) || !node.range) continue;
    const { line, col } = lines.linePos(node.range[0]);
    return { ...fault, line, column: col };
  }
  return fault;
}

/** Zod's issues in words for whoever wrote the file. */
export function faultsOf(
  source: Source,
  issues: readonly z.core.$ZodIssue[],
  schema: z.ZodType,
  base: Path = [],
): ConfigFault[] {
  return issues.flatMap((issue) => {
    const path = [...base, ...issue.path];
    if (issue.code === 'invalid_union') return faultsOf(source, meant(issue), schema, path);
    if (issue.code !== 'unrecognized_keys') return [faultAt(source, path, inWords(issue), hintFor(issue))];

    const known = keysAt(schema, issue.path);
    return issue.keys.map((key) => {
      if (key.includes(':')) {
        const hint = 'Put a blank after the colon.';
        return faultAt(source, [...path, key], 'is a name and its value in one', hint);
      }
      const near = closest(key, known);
      const hint = near ? `Did you mean ${near}?` : `Known here: ${known.join(', ')}.`;
      return faultAt(source, [...path, key], 'is not a known setting', hint);
    });
  });
}

/** Of the possible shapes of a value, the faults of the one it comes closest to. */
const meant = ({ errors }: z.core.$ZodIssueInvalidUnion): readonly z.core.$ZodIssue[] =>
  errors.find((issues) => !issues.some(({ code, path }) => code === 'invalid_type' && path.length === 0)) ??
  errors[0] ??
  [];

function inWords(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type') {
    if (issue.message.endsWith('received undefined')) return `is required (${article(issue.expected)})`;
    return `must be ${article(issue.expected)}`;
  }
  if (issue.code === 'invalid_value')
    return `must be ${issue.values.length > 1 ? 'one of: ' : ''}${issue.values.map(String).join(', ')}`;
  if (issue.code === 'too_small' || issue.code === 'too_big') return outOfRange(issue);
  if (issue.code === 'invalid_format' && issue.format === 'url') return 'must be an http or https address';
  if (issue.code === 'invalid_key') return `has a name that ${issue.issues[0]?.message ?? 'is not allowed'}`;
  return issue.message;
}

function outOfRange(issue: z.core.$ZodIssueTooSmall | z.core.$ZodIssueTooBig): string {
  const unit = issue.origin === 'string' ? ' characters' : '';
  if (issue.code === 'too_big') return `must be at most ${issue.maximum}${unit}`;
  return unit !== '' && issue.minimum === 1
    ? 'must not be empty'
    : `must be at least ${issue.minimum}${unit}`;
}

function hintFor(issue: z.core.$ZodIssue): string | undefined {
  if (issue.code !== 'invalid_type') return undefined;
  const { expected, message } = issue;
  if (expected === 'string' && message.endsWith('received number')) return 'Put it in quotes.';
  if (expected !== 'string' && message.endsWith('received null'))
    return 'Nothing is below it: indent what belongs to it further than its name.';
  return undefined;
}

const names: Record<string, string> = {
  record: 'a mapping',
  object: 'a mapping',
  array: 'a list',
  int: 'a whole number',
  boolean: 'true or false',
};
const article = (type: string): string => names[type] ?? `a ${type}`;

interface SchemaNode {
  properties?: Record<string, SchemaNode>;
  additionalProperties?: SchemaNode | boolean;
  items?: SchemaNode;
}

/** Settings that the schema knows at a path. */
function keysAt(schema: z.ZodType, path: Path): string[] {
  let node = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as SchemaNode | undefined;
  for (const key of path) {
    const more = node?.additionalProperties;
    node = node?.properties?.[String(key)] ?? node?.items ?? (typeof more === 'object' ? more : undefined);
  }
  return Object.keys(node?.properties ?? {});
}
