import { zonesInstead } from '../domain/clinics/zones-of-country.ts';
import { isLoopback } from '../platform/network/networks.ts';
import { unusableProxies } from '../platform/network/outgoing-proxy.ts';
import type { ClinicSettings, ConnectorSettings } from './config.ts';
import type { HttpConfig } from './http.ts';
import { isUnencrypted } from './mail.ts';
import type { NotifyTarget } from './notify.ts';

interface Warning {
  path: readonly PropertyKey[];
  message: string;
  hint: string;
}

/**
 * Warns of what is valid but probably unintended: the unchanged starter file, one clinic twice, or a page open to
 * anyone.
 */
export function warningsOf(
  clinics: readonly ClinicSettings[],
  http: HttpConfig,
  targets: readonly NotifyTarget[],
): Warning[] {
  const starter = clinics.flatMap(({ key, base_url, app_key, secret_key }) => {
    const left = [
      ['base_url', new URL(base_url).hostname === 'clinic.example'],
      ['app_key', app_key === 'paste-the-app-key'],
      ['secret_key', secret_key === 'paste-the-secret-key'],
    ] as const;
    const hint = 'Write the clinic’s own; they are in its settings, under API access.';
    return left
      .filter(([, isLeft]) => isLeft)
      .map(([name]) => ({ path: ['clinics', key, name], message: 'is still the starter file’s', hint }));
  });
  return [
    ...starter,
    ...sameClinics(clinics),
    ...foreignZones(clinics),
    ...openAddresses(http),
    ...targets.flatMap(openTarget),
  ];
}

/** Named without its address, which may hold a password. */
export const unusedProxy = (environment: Readonly<Record<string, string | undefined>>): Warning[] =>
  unusableProxies(environment).map((name) => ({
    path: [name],
    message: 'is set in the environment and cannot be used: all calls go out directly',
    hint: 'Write http://HOST:PORT or https://HOST:PORT into it; SOCKS is not supported.',
  }));

/** What a script does at an address, it does with the rights of whoever is signed in there. */
export const scriptsBesideTheDesk = (
  connectors: readonly ConnectorSettings[],
  { intake }: HttpConfig,
): Warning[] =>
  connectors.flatMap(({ name, scriptHosts = [] }) => {
    if (intake !== undefined || scriptHosts.length === 0) return [];
    const message = `runs scripts of ${scriptHosts.join(', ')} at the address where people sign in`;
    const hint =
      'Give the form an address of its own, http.listen: { intake: ADDRESS:PORT, admin: ADDRESS:PORT }, ' +
      'under another host name; or let it use altcha.';
    return [{ path: ['connectors', name], message, hint }];
  });

/** What a second clinic changes for the forms that were there before. */
export const clinicless = (connectors: readonly ConnectorSettings[]): Warning[] =>
  connectors.flatMap(({ name, clinics: [first = '', ...others], clinicHint }) =>
    clinicHint === undefined || others.length === 0
      ? []
      : [
          {
            path: ['connectors', name],
            message: `serves ${others.length + 1} clinics, and nothing says which: a lead that names none is held`,
            hint: `Set clinics: [${first}], or ${clinicHint}.`,
          },
        ],
  );

/** Dates, opening hours and the ends of months depend on the zone. */
function foreignZones(clinics: readonly ClinicSettings[]): Warning[] {
  return clinics.flatMap(({ key, timezone, country }) => {
    const zones = country === undefined ? undefined : zonesInstead(timezone, country);
    if (zones === undefined) return [];
    const message = `is ${timezone}, whose clocks show another time than those of ${country}`;
    return [{ path: ['clinics', key, 'timezone'], message, hint: `Its zones: ${zones.join(', ')}.` }];
  });
}

function sameClinics(clinics: readonly ClinicSettings[]) {
  const isSame = (one: ClinicSettings, other: ClinicSettings) =>
    one.base_url === other.base_url && one.app_key === other.app_key;
  return clinics.flatMap((one, index) => {
    const first = clinics.slice(0, index).find((other) => isSame(one, other));
    if (first === undefined) return [];
    const shared = `has the address and the app key of ${first.key}`;
    const message = `${shared}: duplicates are found among the bookings of one key only`;
    return [{ path: ['clinics', one.key], message, hint: 'Keep one of them, or correct the other.' }];
  });
}

/** Messages that others may read on their way. */
function openTarget({ name, use, includePatient, settings: { mail, url } }: NotifyTarget) {
  const what = includePatient ? 'names and phones of patients' : 'messages';
  if (use === 'email' && isUnencrypted(mail)) {
    const hint = 'Set tls: required, or sign in with a user: then it is always encrypted.';
    return [{ path: ['notify', name], message: `may send ${what} unencrypted to ${mail.host}`, hint }];
  }
  const address = URL.parse(url);
  if (!includePatient || address?.protocol !== 'http:' || isLoopback(address.hostname)) return [];
  const message = `sends ${what} unencrypted to ${address.host}`;
  return [{ path: ['notify', name], message, hint: 'Use an https address.' }];
}

function openAddresses({ host, people, signInHeader, oidc, publicUrl, trustProxy }: HttpConfig) {
  if (isLoopback(host)) return [];
  const path = ['http', 'listen'];
  if (people.length === 0 && signInHeader === undefined && oidc === undefined) {
    const message = `lets other machines reach ${host}, and the status page is open to all of them`;
    return [{ path, message, hint: 'Set http.admin_token or http.users.' }];
  }
  if (publicUrl?.protocol === 'https:' || trustProxy) return [];
  const message = `lets other machines reach ${host}, where tokens travel unencrypted`;
  return [{ path, message, hint: 'Put a TLS proxy in front, and set http.public_url to its address.' }];
}
