import { randomBytes } from 'node:crypto';
import type { Store } from '../store/store.ts';

const SCOPE = 'http';

/** A secret of this installation, created on first use and stable from then on. Throws `Failure` transient. */
export async function installationKey(
  { keyValue }: Pick<Store, 'keyValue'>,
  name: 'visitor_key' | 'one_tap_key',
): Promise<string> {
  // Another daemon may create one at the same moment.
  return (await keyValue.get(SCOPE, name)) ?? (await keyValue.keep(SCOPE, name, newKey()));
}

const newKey = () => randomBytes(32).toString('base64url');
