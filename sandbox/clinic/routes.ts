export const basePath = '/api/v1';

/** The eight endpoints of section 4, by their names in fault scripts and counters. */
export const endpoints = [
  'granttoken',
  'organization',
  'website',
  'treatments',
  'treatment',
  'dentists',
  'book',
  'status',
] as const;
export type Endpoint = (typeof endpoints)[number];

const table: Record<Endpoint, { method: 'GET' | 'POST'; path: RegExp }> = {
  granttoken: { method: 'POST', path: /^\/granttoken$/ },
  organization: { method: 'GET', path: /^\/organization$/ },
  website: { method: 'GET', path: /^\/website$/ },
  treatments: { method: 'GET', path: /^\/treatments$/ },
  treatment: { method: 'GET', path: /^\/treatments\/([^/]+)$/ },
  dentists: { method: 'GET', path: /^\/dentists$/ },
  book: { method: 'POST', path: /^\/appointments\/book$/ },
  status: { method: 'GET', path: /^\/appointments\/status\/([^/]+)$/ },
};

type SandboxRoute =
  | { kind: 'endpoint'; endpoint: Endpoint; id: string | undefined }
  | { kind: 'wrong_method'; allow: string }
  | { kind: 'unknown' };

/** `target`: the request target as received; a query is ignored (section 4: no endpoint has one). */
export function routeOf(method: string, target: string): SandboxRoute {
  const [path = ''] = target.split('?');
  if (!path.startsWith(`${basePath}/`)) return { kind: 'unknown' };
  const rest = path.slice(basePath.length);
  for (const endpoint of endpoints) {
    const entry = table[endpoint];
    const match = entry.path.exec(rest);
    if (match === null) continue;
    if (entry.method !== method) return { kind: 'wrong_method', allow: entry.method };
    return { kind: 'endpoint', endpoint, id: match[1] };
  }
  return { kind: 'unknown' };
}
