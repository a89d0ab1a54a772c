import type { ConnectorKind } from '../connector.ts';
import type { ConfigFile } from './config.ts';
import { targetSecrets } from './notify.ts';

const MASK = '********';
const secretsOfAClinic = ['app_key', 'secret_key'];

/** The effective configuration without secrets, also inside lists. */
export function masked(config: ConfigFile, kinds: ReadonlyMap<string, ConnectorKind>): unknown {
  const hide = (settings: Record<string, unknown>, secrets: readonly string[]) =>
    Object.fromEntries(
      Object.entries(settings).map(([key, value]) => [key, secrets.includes(key) && value ? MASK : value]),
    );

  const hideWithin = (target: Record<string, unknown>) =>
    Object.fromEntries(
      Object.entries(hide(target, targetSecrets)).map(([key, value]) => [
        key,
        key === 'oauth' ? hideAddresses(hide(value as Record<string, unknown>, targetSecrets)) : value,
      ]),
    );
  const clinics = Object.entries(config.clinics).map(([key, clinic]) => [
    key,
    hide(clinic, secretsOfAClinic),
  ]);
  const connectors = Object.entries(config.connectors).map(([name, connector]) => {
    const kind = kinds.get(connector.use);
    // A third-party connector that did not load has not declared its secrets, so none of its settings are shown.
    const secrets = kind ? kind.secrets : Object.keys(connector).filter((key) => key !== 'use');
    return [name, hideAddresses(hide(connector, secrets))];
  });
  const notify = Object.entries(config.notify).map(([name, target]) => [
    name,
    hideAddresses(hideWithin(target ?? {})),
  ]);
  return {
    ...config,
    notify: Object.fromEntries(notify),
    clinics: Object.fromEntries(clinics),
    connectors: Object.fromEntries(connectors),
    store: hide(usedStore(config.store), ['postgres']),
    http: {
      ...hide(config.http, ['admin_token']),
      users: config.http.users.map((user) => hide(user, ['token'])),
      ...(config.http.oidc && { oidc: hide(config.http.oidc, ['client_secret']) }),
    },
  };
}

/** With a server's address, the settings of the database file have no effect. */
const usedStore = ({ sqlite, min_free, ...server }: ConfigFile['store']): Record<string, unknown> =>
  Object.keys(server).length > 0 ? server : { sqlite, min_free };

/** Anyone who knows a webhook's address can post to it, so its path is hidden like a secret. */
const hideAddresses = (settings: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(settings).map(([key, value]) => [key, /(^|_)url$/.test(key) ? hostOf(value) : value]),
  );

function hostOf(value: unknown): unknown {
  const url = typeof value === 'string' ? URL.parse(value) : null;
  if (url === null) return value;
  return url.pathname === '/' && url.search === '' ? url.origin : `${url.origin}/${MASK}`;
}
