import type { OpenIdIssuer } from '../../domain/people.ts';
import { type Role, roles } from '../../domain/role.ts';

export type AccountClaims = Readonly<Record<string, unknown>>;

/** The claim of that name, or on that way through others: names may have dots, as `https://clinic.example/roles`. */
export function claimAt(claims: unknown, path: string): unknown {
  if (typeof claims !== 'object' || claims === null) return undefined;
  if (Object.hasOwn(claims, path)) return (claims as AccountClaims)[path];
  for (let dot = path.indexOf('.'); dot >= 0; dot = path.indexOf('.', dot + 1)) {
    const name = path.slice(0, dot);
    const found =
      Object.hasOwn(claims, name) && claimAt((claims as AccountClaims)[name], path.slice(dot + 1));
    if (found !== undefined && found !== false) return found;
  }
  return undefined;
}

/** One value or several. An address that the provider has not verified is anybody's. */
export function claimValues(claims: AccountClaims, claim: string): string[] {
  if (claim === 'email' && String(claims.email_verified) !== 'true') return [];
  return [claimAt(claims, claim)].flat().filter((value) => typeof value === 'string');
}

/** The highest of the values' roles. */
export function roleOf(values: readonly string[], mapped: OpenIdIssuer['roles']): Role | undefined {
  const given = values.flatMap((value) => (Object.hasOwn(mapped, value) ? [mapped[value]] : []));
  return roles.findLast((role) => given.includes(role));
}

/** Entra leaves the groups out of a token that would have too many. */
export const isTooMany = (claims: AccountClaims, claim: string): boolean =>
  claims.hasgroups === true || claimAt(claims._claim_names, claim) !== undefined;

/** The first that can be shown as it is: names that look alike must not become one person. */
export function accountName(claims: AccountClaims, isName: (text: string) => boolean): string | undefined {
  const names = [claims.preferred_username, claims.email, claims.sub];
  return names.find((name) => typeof name === 'string' && name !== '' && isName(name)) as string | undefined;
}
