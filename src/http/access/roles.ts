import { atLeast, type Role } from '../../domain/role.ts';

/** `open`: no role needed; the route itself decides what a stranger sees. */
type RequiredRole = Role | 'open';

/** The lowest role for each route. A trailing `*` covers everything below; unlisted routes are for admins. */
const table: readonly (readonly [RequiredRole, readonly string[]])[] = [
  [
    'open',
    [
      '/',
      '/livez',
      '/readyz',
      '/syncz',
      '/status.json',
      '/openapi.json',
      '/assets/*',
      '/in/*',
      '/links/*',
      '/admin/sign-in',
      '/admin/sign-in/*',
    ],
  ],
  // What is pasted there is a patient’s.
  ['desk', ['/connectors/:name/try']],
  ['viewer', ['/clinics/*', '/connectors/*', '/change-log', '/fees', '/fees/*', '/incidents', '/live']],
  ['viewer', ['/reports', '/reports/*']],
  ['viewer', ['/metrics', '/changes', '/sessions', '/admin/sessions/*', '/admin/sign-out']],
  ['desk', ['/bookings', '/bookings/*', '/admin/bookings/*', '/admin/silences/*']],
];

export const needOf = (path: string): RequiredRole =>
  table.find(([, paths]) => paths.some((one) => covers(one, path)))?.[0] ?? 'admin';

const covers = (pattern: string, path: string): boolean =>
  pattern.endsWith('*') ? path.startsWith(pattern.slice(0, -1)) : path === pattern;

/** Whether this role (undefined for a stranger) may open this page, or post to it. */
export function may(role: Role | undefined, path: string): boolean {
  const need = needOf(path);
  return need === 'open' || (role !== undefined && atLeast(role, need));
}
