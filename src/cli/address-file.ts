import { lstatSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { askLoopback } from '../platform/network/ask.ts';

/** Set in the image: where the daemon says at which address it answers. */
const VARIABLE = 'CLINIC_SYNC_ADDRESS_FILE';
const ON_THIS_MACHINE = /^http:\/\/(127\.0\.0\.1|\[::1\]):\d{1,5}\/readyz$/;
const PATIENCE_MS = 4_000;

/** Without the file, `health` reads the configuration. */
export function tellAddress(environment: NodeJS.ProcessEnv, url: string): void {
  const file = environment[VARIABLE];
  if (!file) return;
  try {
    rmSync(file, { force: true });
    if (ON_THIS_MACHINE.test(url)) writeFileSync(file, url, { flag: 'wx', mode: 0o600 });
  } catch {
    // A read-only disk, for example.
  }
}

/**
 * Whether the daemon is ready, asked without the configuration, whose reading took most of a health check's processor
 * time. Only a yes counts: an old file or a fault says nothing.
 */
export async function isKnownReady(environment: NodeJS.ProcessEnv): Promise<boolean> {
  const url = addressIn(environment[VARIABLE]);
  const answer = url === undefined ? undefined : await askLoopback(url, PATIENCE_MS);
  return typeof answer === 'object' && answer.ok;
}

function addressIn(file: string | undefined): string | undefined {
  if (!file) return undefined;
  try {
    const found = lstatSync(file);
    if (!found.isFile() || found.uid !== process.getuid?.()) return undefined;
    const url = readFileSync(file, 'utf8');
    return ON_THIS_MACHINE.test(url) ? url : undefined;
  } catch {
    return undefined;
  }
}
