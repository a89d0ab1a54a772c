import { createHmac, randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { isIPv6 } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { ADMIN, type Person, type SignInHeader } from '../../domain/people.ts';
import type { Role } from '../../domain/role.ts';
import { tokenKey } from '../../domain/token.ts';
import { sameSecret } from '../../platform/constant-time.ts';
import { networkList } from '../../platform/networks.ts';
import type { SessionCookie } from './cookies.ts';
import type { Sessions } from './sessions.ts';

/** Somebody who has shown who they are. */
export interface Visitor {
  /** Stored with what they do. */
  by: string;
  role: Role;
  /** The browser's session; null for a token or the proxy's header. */
  session: string | null;
  /** What their forms are signed with; null for a program with a token, which no other site can make send. */
  formKey: string | null;
  /** May say for whom it acts: the admin token alone. */
  namesItself: boolean;
}

/** Who may act. Without a token, a user or a proxy's header nobody can. */
export interface Access {
  readonly enabled: boolean;
  /** False when people come through a proxy alone, and there is no token to sign in with. */
  readonly takesTokens: boolean;
  /** Undefined for everybody who has not shown who they are. */
  identify(request: FastifyRequest, cookie: SessionCookie): Promise<Visitor | undefined>;
  /** The session cookie's value and who it is for; undefined when the token is wrong. The session it replaces ends. */
  signIn(given: {
    token: string;
    name: string;
    address: string;
    replaces: string | null;
  }): Promise<{ value: string; by: string; role: Role } | undefined>;
  /** Goes into every form, so that another site cannot make a signed-in browser act. */
  formToken(visitor: Visitor | undefined): string;
  isFormToken(visitor: Visitor, given: string): boolean;
}

interface AccessOptions {
  people: readonly Person[];
  signInHeader: SignInHeader | undefined;
  sessions: Sessions;
}

const MAX_NAME = 60;

export function createAccess({ people, signInHeader, sessions }: AccessOptions): Access {
  const ofToken = (token: string): Person | undefined => {
    const key = tokenKey(token);
    // All are compared, so that the time does not say how far down the list one is.
    return people.filter((person) => person.key !== undefined && sameSecret(key, person.key))[0];
  };
  const named = (name: string) => people.find((person) => person.name === name);
  const throughProxy = proxyReader(signInHeader);
  /** Forms of people whose proxy signs them in; a restart only makes a page older than it be loaded again. */
  const bootKey = randomBytes(32).toString('base64url');

  const sign = (formKey: string) => createHmac('sha256', formKey).update('form').digest('base64url');

  return {
    enabled: people.length > 0 || signInHeader !== undefined,
    takesTokens: people.some(({ key }) => key !== undefined),
    async identify(request, cookie) {
      const bearer = bearerToken(request.headers);
      if (bearer !== undefined) {
        const person = ofToken(bearer);
        if (person === undefined) return undefined;
        const namesItself = person.name === ADMIN;
        return { by: person.name || 'admin', role: person.role, session: null, formKey: null, namesItself };
      }
      const value = cookie.read(request.headers);
      const session =
        value === undefined
          ? undefined
          : await sessions.find(value, (name) => named(name)?.key, isActivity(request));
      const owner = session && named(session.person);
      if (value !== undefined && session !== undefined && owner !== undefined)
        return {
          by: session.by,
          role: owner.role,
          session: session.id,
          formKey: value,
          namesItself: false,
        };
      const name = throughProxy(request.raw);
      if (name === undefined || signInHeader === undefined) return undefined;
      const role = named(name)?.role ?? signInHeader.role;
      // The audit must not show a proxy's account as the admin token.
      const by = /^admin( |$)/i.test(name) ? `${name} (proxy)` : name;
      return { by, role, session: null, formKey: `${bootKey}\n${name}`, namesItself: false };
    },
    async signIn({ token, name, address, replaces }) {
      const person = ofToken(token);
      if (person?.key === undefined) return undefined;
      const by = person.name === ADMIN ? adminName(name) : person.name;
      const value = await sessions.start({ person: person.name, by, address, key: person.key });
      if (replaces !== null) await sessions.end(replaces);
      return { value, by, role: person.role };
    },
    formToken: (visitor) => (visitor?.formKey ? sign(visitor.formKey) : ''),
    isFormToken: ({ formKey }, given) => formKey !== null && sameSecret(given, sign(formKey)),
  };
}

/** Under the admin token people name themselves, and the history shows that they did. */
export function adminName(given: string): string {
  const name = personName(given);
  return name === '' ? 'admin' : `admin (${name})`;
}

/** The name that the authenticating proxy gives, once, from one of its addresses. */
function proxyReader(header: SignInHeader | undefined): (message: IncomingMessage) => string | undefined {
  if (header === undefined) return () => undefined;
  const networks = networkList(header.from);
  const wanted = header.name.toLowerCase();
  return ({ headersDistinct, socket: { remoteAddress = '' } }) => {
    const [name = '', ...more] = headersDistinct[wanted] ?? [];
    // A proxy that adds its header beside the visitor's would let everybody choose who they are.
    if (personName(name) === '' || more.length > 0) return undefined;
    const trusted = networks.check(remoteAddress, isIPv6(remoteAddress) ? 'ipv6' : 'ipv4');
    return trusted ? personName(name) : undefined;
  };
}

/** A page that reloads itself is not somebody at work. */
const isActivity = ({ query }: FastifyRequest): boolean => (query as { auto?: unknown }).auto === undefined;

export const bearerToken = (headers: IncomingHttpHeaders): string | undefined =>
  headers.authorization?.match(/^Bearer +(\S+)$/i)?.[1];

/** A name for the history: one line, printable. */
const personName = (given: string): string =>
  given
    .toWellFormed()
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, MAX_NAME);

/**
 * False when another site made the browser send this. Browsers that send Sec-Fetch-Site cannot be made to lie; others
 * send Origin with every POST. Only the host is compared: behind a proxy the scheme differs.
 */
export function fromThisSite(headers: IncomingHttpHeaders, hosts: readonly (string | undefined)[]): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  if (headers.origin === undefined) return true;
  return URL.canParse(headers.origin) && hosts.includes(new URL(headers.origin).host);
}
