import { invalid } from './refusal.ts';

/** `a,b(c,d/e),f.g` as a tree; an empty branch selects everything below it. */
export interface FieldMask {
  [field: string]: FieldMask;
}

/** Throws a refusal if `text` is not a valid mask. */
export function parseMask(text: string): FieldMask {
  let at = 0;
  const mask = list();
  if (at !== text.length) throw invalid(`Request contains an invalid argument: fields at ${at}`);
  return mask;

  function list(): FieldMask {
    const found: FieldMask = {};
    do merge(found, item());
    while (take(','));
    return found;
  }

  function item(): FieldMask {
    const name = /^(\*|[A-Za-z][A-Za-z0-9]*)/.exec(text.slice(at))?.[0];
    if (name === undefined) throw invalid(`Request contains an invalid argument: fields at ${at}`);
    at += name.length;
    if (take('.') || take('/')) return { [name]: item() };
    if (!take('(')) return { [name]: {} };
    const inner = list();
    if (!take(')')) throw invalid(`Request contains an invalid argument: fields at ${at}`);
    return { [name]: inner };
  }

  function take(mark: string): boolean {
    if (text[at] !== mark) return false;
    at += 1;
    return true;
  }
}

function merge(into: FieldMask, more: FieldMask): void {
  for (const [name, inner] of Object.entries(more)) {
    const known = into[name];
    if (known) merge(known, inner);
    else into[name] = inner;
  }
}

const isWhole = (mask: FieldMask) => Object.keys(mask).length === 0 || '*' in mask;

/** The part of `value` selected by the mask; lists are masked item by item. */
export function maskedFields(value: unknown, mask: FieldMask): unknown {
  if (isWhole(mask)) return value;
  if (Array.isArray(value)) return value.map((item) => maskedFields(item, mask));
  if (typeof value !== 'object' || value === null) return value;
  const shown: Record<string, unknown> = {};
  for (const [name, inner] of Object.entries(mask)) {
    const found = (value as Record<string, unknown>)[name];
    if (found !== undefined) shown[name] = maskedFields(found, inner);
  }
  return shown;
}

/** Whether the mask selects anything at this path. */
export function selects(mask: FieldMask, path: readonly string[]): boolean {
  const [name, ...rest] = path;
  if (name === undefined || isWhole(mask)) return true;
  const inner = mask[name];
  return inner !== undefined && selects(inner, rest);
}
