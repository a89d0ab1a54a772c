import type { Role } from './role.ts';
import type { TokenKey } from './token.ts';

/** Who may sign in. */
export interface Person {
  /** `ADMIN` for the admin token, whose users state their own name. */
  name: string;
  role: Role;
  /** Undefined for users who sign in only through the authenticating proxy. */
  key: TokenKey | undefined;
}

/** The name of the admin token's user. */
export const ADMIN = '';

/** A provider of OpenID Connect that signs people in. */
export interface OpenIdIssuer {
  /** Its identifier, exactly as it spells it. */
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** A claim, or the way to one within others: `realm_access.roles`. */
  roleClaim: string;
  /** By value of the claim. */
  roles: Readonly<Record<string, Role>>;
  /** Where it sends people back to; below the public address. */
  redirectUri: string;
}

/** The path of the redirect URI. */
export const OIDC_CALLBACK = '/admin/sign-in/oidc/callback';

/** An authenticating proxy that passes the signed-in user's name in a header. */
export interface SignInHeader {
  name: string;
  /** Networks from which the proxy connects; a header from elsewhere is not trusted. */
  from: readonly string[];
  /** For users who are not configured by name. */
  role: Role;
}
