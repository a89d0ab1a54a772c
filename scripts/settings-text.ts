// Texts about settings on the pages and in the example file, generated from the schema alone.
import { stringify } from 'yaml';

/** The parts of a JSON Schema that are read here. */
export interface Setting {
  title?: string;
  description?: string;
  default?: unknown;
  properties?: Record<string, Setting>;
  required?: string[];
  items?: Setting;
  additionalProperties?: Setting | boolean;
  anyOf?: Setting[];
}

/** A value on one line, quoted where a plain `*` would look like YAML. */
const inline = (value: unknown): string =>
  typeof value === 'string' && value.includes('*') ? JSON.stringify(value) : flow(value);
const flow = (value: unknown): string =>
  stringify(value, { collectionStyle: 'flow', flowCollectionPadding: false, lineWidth: 0 }).trim();

const isEmpty = (value: unknown): boolean => ['""', '[]', '{}'].includes(JSON.stringify(value));
const isGroup = ({ properties }: Setting): boolean => properties !== undefined;

/** A list of an object's settings, a secret and its file in one entry; nested groups have their own lists. */
export function settingsList({ properties = {}, required = [] }: Setting): string {
  const fileOf = (name: string) => properties[`${name}_file`]?.description?.startsWith('File that holds');
  const files = new Set(Object.keys(properties).flatMap((name) => (fileOf(name) ? `${name}_file` : [])));
  const shown = Object.entries(properties).filter(([name]) => !files.has(name));
  return shown
    .flatMap(([name, setting]) => {
      const names = fileOf(name) ? `\`${name}\`, \`${name}_file\`` : `\`${name}\``;
      const isNothing = setting.default === undefined || isGroup(setting) || isEmpty(setting.default);
      const value = isNothing ? '' : ` (\`${inline(setting.default)}\`)`;
      const about = required.includes(name) ? ' (required)' : value;
      return wrapped(`${names}${about}: ${setting.description ?? ''}`, '- ', '  ');
    })
    .join('\n');
}

/** The setting at a path such as `http` or `clinics.*.schedule`, where `*` enters a list or an object with any keys. */
export function settingAt(schema: Setting, path: string): Setting {
  const found = path.split('.').reduce<Setting | undefined>((node, key) => {
    if (key !== '*') return node?.properties?.[key];
    const more = node?.additionalProperties;
    return node?.items ?? (typeof more === 'object' ? more : undefined);
  }, schema);
  if (found === undefined) throw new Error(`The schema has no setting ${path}.`);
  return found;
}

const PLACE = /<!-- settings of ([\w.*-]+) -->\n[\s\S]*?<!-- end -->/g;

/** Fills the lists of a page between `<!-- settings of PATH -->` and `<!-- end -->`. */
export const fillLists = (page: string, schema: Setting): string =>
  page.replace(
    PLACE,
    (_, path: string) =>
      `<!-- settings of ${path} -->\n${settingsList(settingAt(schema, path))}\n<!-- end -->`,
  );

const WIDTH = 118;

function wrapped(text: string, first: string, further: string): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < WIDTH) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(`${last === undefined ? first : further}${word}`);
  }
  return lines;
}

/** Wraps a sentence into comment lines, without Markdown. */
export const comment = (text: string, indent: string): string[] =>
  wrapped(text.replaceAll('`', ''), `${indent}# `, `${indent}# `);

/** A setting's value in the example, active or commented out. */
export interface Sample {
  value: string;
  commented?: boolean;
}

/**
 * An object's settings as YAML, each below its description, with its default or sample. `path` is its place in the
 * file. Throws on a setting with neither.
 */
export function exampleOf(
  { properties = {} }: Setting,
  path: string,
  samples: Readonly<Record<string, Sample>>,
): string[] {
  const depth = path === '' ? 0 : path.split('.').length;
  const indent = '  '.repeat(depth);
  return Object.entries(properties).flatMap(([name, setting]) => {
    const place = path === '' ? name : `${path}.${name}`;
    const about = setting.description === undefined ? [] : comment(setting.description, indent);
    const sample = samples[place];
    if (sample === undefined && isGroup(setting))
      return [...about, `${indent}${name}:`, ...exampleOf(setting, place, samples)];
    if (sample === undefined && setting.default === undefined)
      throw new Error(`The example needs a sample for ${place}.`);
    const value = sample?.value ?? inline(setting.default);
    return [
      ...about,
      `${indent}${sample?.commented ? '# ' : ''}${name}:${value.startsWith('\n') ? '' : ' '}${value}`,
    ];
  });
}

/** Comments out lines of YAML below a key. */
export const commentedOut = (lines: readonly string[], depth: number): string[] => {
  const indent = '  '.repeat(depth);
  return lines.map((line) => `${indent}# ${line.slice(indent.length)}`);
};
