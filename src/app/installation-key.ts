import { hkdfSync, randomBytes } from 'node:crypto';
import type { Config } from '../config/config.ts';
import type { Store } from '../store/store.ts';

const SCOPE = 'http';

/**
 * A key of this installation, from the secrets of its configuration and a salt in its database (RFC 5869): neither
 * suffices alone, so that whoever may read the database, or finds an old backup, cannot sign with it. It changes with
 * the tokens of the people who sign in; where there are none, with the clinics' keys. Throws `Failure` transient.
 */
export async function installationKey(
  { keyValue }: Pick<Store, 'keyValue'>,
  config: Pick<Config, 'http' | 'clinics'>,
  name: 'visitor_key' | 'one_tap_key',
): Promise<string> {
  // Another daemon may create one at the same moment.
  const salt = (await keyValue.get(SCOPE, name)) ?? (await keyValue.keep(SCOPE, name, newSalt()));
  return Buffer.from(hkdfSync('sha256', secretsOf(config), salt, `clinic-sync ${name}`, 32)).toString(
    'base64url',
  );
}

const newSalt = () => randomBytes(32).toString('base64url');

function secretsOf({ http, clinics }: Pick<Config, 'http' | 'clinics'>): string {
  const tokens = http.people.map(({ key }) => key);
  const secrets = tokens.length > 0 ? tokens : clinics.map(({ secret_key }) => secret_key);
  return secrets.toSorted().join('\n');
}
