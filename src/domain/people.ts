import type { Role } from './role.ts';
import type { TokenKey } from './token.ts';

/** Who may sign in. */
export interface Person {
  /** `ADMIN` for the admin token, whose users state their own name. */
  name: string;
  role: Role;
  /** Undefined for people who come through the authenticating proxy alone. */
  key: TokenKey | undefined;
}

/** Stands in for a name with the admin token. */
export const ADMIN = '';

/** An authenticating proxy that names signed-in people in a header. */
export interface SignInHeader {
  name: string;
  /** Networks of the proxy's own connections; from elsewhere the header is not trusted. */
  from: readonly string[];
  /** For people who are not configured by name. */
  role: Role;
}
