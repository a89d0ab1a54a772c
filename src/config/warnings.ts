import type { ClinicSettings } from './config.ts';
import type { HttpConfig } from './http.ts';
import { isUnencrypted } from './mail.ts';
import type { NotifyTarget } from './notify.ts';

interface Warning {
  path: readonly PropertyKey[];
  message: string;
  hint: string;
}

/** Warns of what is valid but probably unintended: the unchanged starter file, one clinic twice, or a page open to anyone. */
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
  return [...starter, ...sameClinics(clinics), ...openAddresses(http), ...targets.flatMap(openTarget)];
}

const PROXIES = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy', 'ALL_PROXY', 'all_proxy'];

/** Named without its address, which may hold a password. */
export function unusedProxy(
  clinics: readonly Pick<ClinicSettings, 'key' | 'base_url'>[],
  environment: Readonly<Record<string, string | undefined>>,
): Warning[] {
  const found = PROXIES.find((name) => environment[name]);
  const far = clinics.find(({ base_url }) => !isLoopback(new URL(base_url).hostname));
  if (found === undefined || far === undefined) return [];
  const message = `is called directly, although ${found} is set: clinic-sync uses no outgoing proxy`;
  const hint = 'Let this machine reach the clinic, Google and the receivers without it.';
  return [{ path: ['clinics', far.key, 'base_url'], message, hint }];
}

function sameClinics(clinics: readonly ClinicSettings[]) {
  const isSame = (one: ClinicSettings, other: ClinicSettings) =>
    one.base_url === other.base_url && one.app_key === other.app_key;
  return clinics.flatMap((one, index) => {
    const first = clinics.slice(0, index).find((other) => isSame(one, other));
    if (first === undefined) return [];
    const message = `has the address and the app key of ${first.key}: duplicates are found among the bookings of one key only`;
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

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || host.startsWith('127.');

function openAddresses({ host, people, signInHeader, publicUrl, trustProxy }: HttpConfig) {
  if (isLoopback(host)) return [];
  const path = ['http', 'listen'];
  if (people.length === 0 && signInHeader === undefined) {
    const message = `lets other machines reach ${host}, and the status page is open to all of them`;
    return [{ path, message, hint: 'Set http.admin_token or http.users.' }];
  }
  if (publicUrl?.protocol === 'https:' || trustProxy) return [];
  const message = `lets other machines reach ${host}, where tokens travel unencrypted`;
  return [{ path, message, hint: 'Put a TLS proxy in front, and set http.public_url to its address.' }];
}
