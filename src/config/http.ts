import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import {
  network,
  secretFile,
  secretHint,
  textSetting,
  weaknessOf,
  webAddress,
  wholeNumber,
} from '../domain/clinics/setting.ts';
import { ADMIN, type OpenIdIssuer, type Person, type SignInHeader } from '../domain/people.ts';
import { tokenKey } from '../domain/token.ts';
import { OidcSetting, oidcConfig, RoleName } from './oidc.ts';
import type { ReadSecret, Report } from './secrets.ts';

/** How many proxies are in front (0 for none), or their networks. */
type TrustProxy = number | readonly string[];

const TrustProxySetting = z
  .union([z.boolean(), wholeNumber(0, 10), z.array(network).min(1)])
  .default(false)
  .describe(
    'Reverse proxies in front: how many (`true` is 1), or their networks, such as `[10.0.0.0/8]`. The ' +
      'visitor’s address is the one that the outermost of them saw. In a container: CLINIC_SYNC_TRUST_PROXY.',
  );

const trustProxyOf = (setting: z.infer<typeof TrustProxySetting>): TrustProxy =>
  typeof setting === 'boolean' ? Number(setting) : setting;

/** A list in an environment variable. */
const listed = (text: string): string[] => text.split(',').map((one) => one.trim());

/** The setting as text (an environment variable): `true`, `1`, `10.0.0.0/8,192.168.1.2`. */
export function trustProxyFromText(text: string): unknown {
  if (/^(true|false)$/i.test(text)) return text.toLowerCase() === 'true';
  return /^\d+$/.test(text) ? Number(text) : listed(text);
}

const LISTEN = /^(\[[0-9a-fA-F:]+\]|[^:\s]+):(\d{1,5})$/;

const Listen = z
  .string()
  .refine((given) => addressOf(given) !== undefined, 'must be ADDRESS:PORT with a port up to 65535');

const User = z.strictObject({
  name: z
    .string()
    .min(1)
    .max(60)
    .regex(/^[^\p{C}\s]+(?: [^\p{C}\s]+)*$/u, 'must be one line without leading or trailing blanks')
    .refine(
      (name) => !/^(admin|link of|oidc)( |$)/i.test(name),
      'must not begin with admin, link of or oidc, which are names of the admin token, links and a provider',
    )
    .describe('Stored with what they do.'),
  role: RoleName,
  token: z.string().optional().describe('At least 16 characters.'),
  token_file: secretFile('token'),
});

export const HttpSettings = z.strictObject({
  listen: z
    .union([
      Listen,
      z.strictObject({
        intake: Listen.describe('For bookings that come in, at /in/.'),
        admin: Listen.describe('For everything else.'),
      }),
    ])
    .default('127.0.0.1:8080')
    .describe(
      'One address for all, or one for bookings that come in (/in/) and one for the rest: `{ intake: ' +
        '"0.0.0.0:8081", admin: "127.0.0.1:8080" }`. In a container, CLINIC_SYNC_LISTEN sets it, so leave it ' +
        'out there.',
    ),
  public_url: webAddress()
    .optional()
    .describe(
      'The public address when a proxy is in front; may have a path. https makes session cookies Secure.',
    ),
  allowed_hosts: z
    .array(textSetting)
    .default([])
    .describe(
      'More host names it answers to, besides public_url, localhost and the listen address; "*": any.',
    ),
  status: z
    .enum(['public', 'signed_in'])
    .optional()
    .describe(
      'For people who are not signed in: `public` (counts) or `signed_in` (one word). Default: `public` ' +
        'while sign-in is not set up, else `signed_in`.',
    ),
  admin_token: z
    .string()
    .default('')
    .describe(
      'Signs in with every right. At least 16 characters; make one with: openssl rand -hex 16. Without it ' +
        'and `users` there is no sign-in.',
    ),
  admin_token_file: secretFile('admin token'),
  users: z
    .array(User)
    .default([])
    .describe(
      'Better: a token and a role for each person. `viewer`: figures. `desk`: patients and decisions about ' +
        'bookings. `admin`: all.',
    ),
  sign_in_header: z
    .strictObject({
      name: z
        .string()
        .regex(/^[A-Za-z][A-Za-z0-9-]*$/, 'is not a header name')
        .describe('The header that holds the name, such as Remote-User.'),
      from: z
        .array(network)
        .min(1)
        .describe('Networks of the proxy; from anywhere else the header is ignored.'),
      role: RoleName.default('viewer').describe('The role of people who are not among users.'),
    })
    .optional()
    .describe('An authenticating proxy in front that names people in a header.'),
  oidc: OidcSetting.optional(),
  metrics: z
    .strictObject({
      per_clinic: z
        .boolean()
        .default(true)
        .describe(
          'One series per clinic. `false` exports their sums instead, and the worst of times: otherwise ' +
            '`/metrics` is several MB with hundreds of clinics.',
        ),
    })
    .prefault({})
    .describe('What `/metrics` says.'),
  trust_proxy: TrustProxySetting,
});
type HttpSettings = z.infer<typeof HttpSettings>;

const defaults = HttpSettings.parse({});
const withoutFaults = <S extends z.ZodRawShape>(shape: S, otherwise: Record<string, unknown>) =>
  z.object(
    Object.fromEntries(
      Object.entries(shape).map(([name, schema]) => [
        name,
        (schema as z.ZodType).catch(() => otherwise[name]),
      ]),
    ),
  );
const UsableUser = withoutFaults(User.shape, {
  // Unreadable names must not count as duplicates.
  get name() {
    return randomUUID();
  },
  role: 'viewer',
});
const UsableHttp = withoutFaults(
  { ...HttpSettings.shape, users: z.array(UsableUser).default([]) },
  // With a sign-in header, even a faulty one, people need no token.
  { ...defaults, sign_in_header: { name: 'Remote-User', from: [], role: 'viewer' } },
);

/** Faulty settings, completed so that further faults can be found. Nothing may run with them. */
export const usableHttp = (given: unknown): HttpSettings => UsableHttp.parse(Object(given)) as HttpSettings;

/** The settings of `http` with secrets resolved. */
export interface HttpConfig {
  host: string;
  port: number;
  /** The address of `/in/`, when it has one of its own. */
  intake: { host: string; port: number } | undefined;
  people: Person[];
  signInHeader: SignInHeader | undefined;
  oidc: OpenIdIssuer | undefined;
  isPublic: boolean;
  publicUrl: URL | undefined;
  allowedHosts: string[];
  trustProxy: TrustProxy;
  metrics: { perClinic: boolean };
}

function addressOf(listen: string): { host: string; port: number } | undefined {
  const [, host = '', port = ''] = LISTEN.exec(listen) ?? [];
  if (host === '' || Number(port) > 65_535) return undefined;
  return { host: host.replace(/^\[|\]$/g, ''), port: Number(port) };
}

/** Completes the settings and reports faults that only show once secrets are read. */
export function httpConfig(http: HttpSettings, read: ReadSecret, report: Report): HttpConfig {
  const people = peopleOf(http, read, report);
  const { listen, status, public_url, sign_in_header, allowed_hosts, metrics, trust_proxy } = http;
  const anywhere = { host: '127.0.0.1', port: 8080 };
  const addresses = typeof listen === 'string' ? { admin: listen, intake: undefined } : listen;
  const canSignIn = people.length > 0 || sign_in_header !== undefined || http.oidc !== undefined;
  const publicUrl = public_url === undefined ? undefined : new URL(public_url);
  if (publicUrl) publicUrl.pathname = publicUrl.pathname.replace(/(?<=[^/])\/+$/, '');
  return {
    ...(addressOf(addresses.admin) ?? anywhere),
    intake: addresses.intake === undefined ? undefined : addressOf(addresses.intake),
    people,
    signInHeader: sign_in_header,
    oidc: oidcConfig(http.oidc, publicUrl, read, report),
    isPublic: (status ?? (canSignIn ? 'signed_in' : 'public')) === 'public',
    publicUrl,
    allowedHosts: allowed_hosts,
    trustProxy: trustProxyOf(trust_proxy),
    metrics: { perClinic: metrics.per_clinic },
  };
}

function peopleOf(http: HttpSettings, read: ReadSecret, report: Report): Person[] {
  const people: Person[] = [];
  const add = (path: readonly PropertyKey[], person: Omit<Person, 'key'>, token: string) => {
    const key = tokenKey(token);
    const weakness = weaknessOf(token);
    if (weakness !== undefined) report(path, weakness, secretHint);
    else if (people.some((other) => other.key === key))
      report(path, 'is also the token of another person', 'Give each their own token.');
    people.push({ ...person, key });
  };

  if (http.admin_token !== '' || http.admin_token_file !== undefined) {
    const token = read(['http', 'admin_token'], http.admin_token || undefined, http.admin_token_file);
    if (token !== '') add(['http', 'admin_token'], { name: ADMIN, role: 'admin' }, token);
  }
  for (const [index, { name, role, token, token_file }] of http.users.entries()) {
    const path = ['http', 'users', index] as const;
    if (people.some((other) => other.name === name))
      report([...path, 'name'], 'is used twice', 'Give each person a different name.');
    if (token === undefined && token_file === undefined && http.sign_in_header !== undefined) {
      people.push({ name, role, key: undefined });
      continue;
    }
    const secret = read([...path, 'token'], token, token_file);
    if (secret !== '' || token === '') add([...path, 'token'], { name, role }, secret);
  }
  return people;
}

/** Settings of `http` that containers may give as environment variables. */
export const httpVariables = {
  listen: 'CLINIC_SYNC_LISTEN',
  trust_proxy: 'CLINIC_SYNC_TRUST_PROXY',
  public_url: 'CLINIC_SYNC_PUBLIC_URL',
  allowed_hosts: 'CLINIC_SYNC_ALLOWED_HOSTS',
  status: 'CLINIC_SYNC_STATUS',
  admin_token: 'CLINIC_SYNC_ADMIN_TOKEN',
  admin_token_file: 'CLINIC_SYNC_ADMIN_TOKEN_FILE',
} as const satisfies { [K in keyof HttpSettings]?: string };

/** `http` settings from the environment; the file takes precedence. */
export function httpFromEnvironment(environment: NodeJS.ProcessEnv): Record<string, unknown> {
  const given = Object.entries(httpVariables).flatMap(([setting, variable]) => {
    const text = environment[variable];
    if (!text) return [];
    if (setting === 'trust_proxy') return [[setting, trustProxyFromText(text)]];
    return [[setting, setting === 'allowed_hosts' ? listed(text) : text]];
  });
  return Object.fromEntries(given);
}
