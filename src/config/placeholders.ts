import { isScalar, visit } from 'yaml';
import { type ConfigFault, faultAt, type Source } from './faults.ts';

const PLACEHOLDER = /\$(\$)|\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g;

/** Private-use characters: meaningless to YAML and as long as the placeholder's, so that positions stay right. */
const OPEN = '\uE000';
const CLOSE = '\uE001';
const BARE = /\$\{([A-Za-z_][A-Za-z0-9_]*(?::-[^}\n]*)?)\}/g;
const GUARDED = new RegExp(`\\$${OPEN}([^${CLOSE}]*)${CLOSE}`, 'g');

/**
 * Hides the braces of placeholders from YAML, where inside flow collections they would end the value. The document must
 * go through `fillPlaceholders` afterwards.
 */
export const guardPlaceholders = (text: string): string =>
  text.replace(BARE, (_, inner: string) => `$${OPEN}${inner}${CLOSE}`);

const unguarded = (text: string): string => text.replace(GUARDED, (_, inner: string) => `\${${inner}}`);

/**
 * Replaces `${NAME}` and `${NAME:-default}` in the document's values with environment variables (`$$` is a dollar
 * sign). Only parsed values are changed, so a secret may contain any character without becoming YAML.
 */
export function fillPlaceholders(source: Source, environment: NodeJS.ProcessEnv): ConfigFault[] {
  const faults: ConfigFault[] = [];
  const { document } = source;
  if (document === undefined) return faults;

  visit(document, {
    Scalar(key, node, ancestors) {
      if (typeof node.value !== 'string') return;
      const text = unguarded(node.value);
      node.value = text;
      if (key === 'key') return;
      node.value = text.replace(
        PLACEHOLDER,
        (_, dollar: string | undefined, name: string, fallback: string | undefined) => {
          if (dollar !== undefined) return '$';
          const value = environment[name];
          if (value !== undefined && value !== '') return value;
          if (fallback !== undefined) return fallback;
          const message = `needs the environment variable ${name}, which is not set`;
          faults.push(
            faultAt(
              source,
              pathOf(ancestors as readonly unknown[]),
              message,
              `Set ${name}, or write \${${name}:-default}.`,
            ),
          );
          return `(${name} is not set)`;
        },
      );
    },
  });
  return faults;
}

/** The keys that lead to a node, from its ancestors. */
function pathOf(ancestors: readonly unknown[]): PropertyKey[] {
  return ancestors.flatMap((node) => {
    const key = (node as { key?: unknown } | null)?.key;
    return isScalar(key) ? [String(key.value)] : [];
  });
}
