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

/** An authenticating proxy that passes the signed-in user's name in a header. */
export interface SignInHeader {
  name: string;
  /** Networks from which the proxy connects; a header from elsewhere is not trusted. */
  from: readonly string[];
  /** For users who are not configured by name. */
  role: Role;
}
