import type { Role } from './role.ts';
import type { TokenKey } from './token.ts';

/** Who may sign in. */
export interface Person {
  /** `ADMIN` for whoever has the admin token: they say themselves who they are. */
  name: string;
  role: Role;
  /** Undefined for people who come through the authenticating proxy alone. */
  key: TokenKey | undefined;
}

/** In the place of a name, for the admin token. */
export const ADMIN = '';

/** A proxy in front that has signed people in and names them in a header. */
export interface SignInHeader {
  name: string;
  /** Networks the proxy's own connections come from; from elsewhere the header is anybody's writing. */
  from: readonly string[];
  /** Of people who are not configured by name. */
  role: Role;
}
