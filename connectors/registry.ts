import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { isAbsolute, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ConnectorKind } from '../src/connector.ts';
import { Failure } from '../src/platform/failure.ts';

/** The built-in connector kinds; each is loaded when a configuration uses it. */
const kinds: Record<string, () => Promise<ConnectorKind>> = {
  csv: async () => (await import('./csv/csv.ts')).csv as ConnectorKind,
  'google-sheets': async () =>
    (await import('./google-sheets/google-sheets.ts')).googleSheets as ConnectorKind,
  webhook: async () => (await import('./webhook/webhook.ts')).webhook as ConnectorKind,
  'web-form': async () => (await import('./web-form/web-form.ts')).webForm as ConnectorKind,
};

export const kindNames: readonly string[] = Object.keys(kinds);

/**
 * The kind that `use:` names: a built-in one, a path (`./my-connector.ts` or absolute) or an installed package.
 * Undefined when nothing has that name. Rejects with `Failure` refused when it is not a valid connector.
 */
export async function findKind(use: string): Promise<ConnectorKind | undefined> {
  const own = Object.hasOwn(kinds, use) ? kinds[use] : undefined;
  if (own) return own();

  const file = entryOf(use);
  if (file === undefined) return undefined;
  if (!existsSync(file)) {
    const hint = `${file} is looked for; a relative path begins where clinic-sync is started.`;
    throw new Failure({ kind: 'refused', message: `The connector ${use} does not exist`, hint });
  }
  try {
    const module: unknown = await import(pathToFileURL(file).href);
    return kindIn(module, use);
  } catch (error) {
    if (error instanceof Failure) throw error;
    const name = error instanceof Error ? error.name : typeof error;
    const hint = 'Run it with node to see the fault; connectors/README.md says what a connector exports.';
    throw new Failure({
      kind: 'refused',
      message: `The connector ${use} does not load (${name})`,
      hint,
      cause: error,
    });
  }
}

/** The file that `use:` names: a path, or the entry of an installed package. Undefined when the package is missing. */
export const entryOf = (use: string): string | undefined =>
  use.startsWith('.') || isAbsolute(use) ? resolve(use) : installed(use);

function installed(name: string): string | undefined {
  try {
    return createRequire(join(process.cwd(), 'clinic-sync.js')).resolve(name);
  } catch {
    return undefined;
  }
}

function kindIn(module: unknown, use: string): ConnectorKind {
  const found = (module as { connector?: Partial<ConnectorKind> }).connector;
  if (typeof found?.create === 'function' && found.settings !== undefined) return found as ConnectorKind;
  const hint = 'Export `connector`, made with defineConnector().';
  throw new Failure({ kind: 'refused', message: `The module ${use} exports no connector`, hint });
}
