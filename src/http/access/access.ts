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

/** Who a token belongs to, and what is stored with what they do. */
export interface Bearer {
  by: string;
  role: Role;
  person: string;
  key: string;
}

/** Someone who has shown who they are. */
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

/** Who may act. Without a token, a user or a proxy's header no one can. */
export interface Access {
  readonly enabled: boolean;
  /** False when people come through a proxy alone, and there is no token to sign in with. */
  readonly takesTokens: boolean;
  /** Undefined for everyone who has not shown who they are. */
  identify(request: FastifyRequest, cookie: SessionCookie): Promise<Visitor | undefined>;
  /** Whose token it is; undefined when it is wrong. `name` counts under the admin token alone. */
  bearerOf(token: string, name: string): Bearer | undefined;
  /** The session cookie's value. The session it replaces ends. Throws `Failure` transient when it cannot be stored. */
  startSession(bearer: Bearer, address: string, replaces: string | null): Promise<string>;
  /** Goes into every form, so that another site cannot make a signed-in browser act. */
  formToken(visitor: Visitor | undefined): string;
  isFormToken(visitor: Visitor | undefined, given: string): boolean;
}

interface AccessOptions {
  people: readonly Person[];
  signInHeader: SignInHeader | undefined;
  sessions: Sessions;
}

const MAX_NAME = 60;

export function createAccess({ people, signInHeader, sessions }: AccessOptions): Access {
  const named = (name: string) => people.find((person) => person.name === name);
  const nameFromProxy = proxyReader(signInHeader);
  /** Signs forms of people whose proxy signs them in; after a restart an older page has to be loaded again. */
  const bootKey = randomBytes(32).toString('base64url');
  const formToken = (visitor: Visitor | undefined) =>
    visitor?.formKey ? createHmac('sha256', visitor.formKey).update('form').digest('base64url') : '';

  const bearerOf: Access['bearerOf'] = (token, name) => {
    const key = tokenKey(token);
    // All are compared, so that the time does not say how far down the list one is.
    const [person] = people.filter((one) => one.key !== undefined && sameSecret(key, one.key));
    if (person === undefined) return undefined;
    const by = person.name === ADMIN ? adminName(name) : person.name;
    return { by, role: person.role, person: person.name, key };
  };

  const ofToken = (token: string): Visitor | undefined => {
    const bearer = bearerOf(token, '');
    if (bearer === undefined) return undefined;
    const { by, role, person } = bearer;
    return { by, role, session: null, formKey: null, namesItself: person === ADMIN };
  };

  const ofCookie = async (request: FastifyRequest, value: string): Promise<Visitor | undefined> => {
    const session = await sessions.find(value, (name) => named(name)?.key, isActivity(request));
    const owner = session && named(session.person);
    if (session === undefined || owner === undefined) return undefined;
    return { by: session.by, role: owner.role, session: session.id, formKey: value, namesItself: false };
  };

  const ofProxy = ({ raw }: FastifyRequest): Visitor | undefined => {
    const name = nameFromProxy(raw);
    if (name === undefined || signInHeader === undefined) return undefined;
    const role = named(name)?.role ?? signInHeader.role;
    // The audit must not show a proxy's account as the admin token.
    const by = /^admin( |$)/i.test(name) ? `${name} (proxy)` : name;
    return { by, role, session: null, formKey: `${bootKey}\n${name}`, namesItself: false };
  };

  return {
    enabled: people.length > 0 || signInHeader !== undefined,
    takesTokens: people.some(({ key }) => key !== undefined),
    bearerOf,
    async identify(request, cookie) {
      const bearer = bearerToken(request.headers);
      if (bearer !== undefined) return ofToken(bearer);
      const value = cookie.read(request.headers);
      return (value !== undefined && (await ofCookie(request, value))) || ofProxy(request);
    },
    async startSession({ person, by, key }, address, replaces) {
      const value = await sessions.start({ person, by, address, key });
      if (replaces !== null) await sessions.end([replaces]);
      return value;
    },
    formToken,
    isFormToken: (visitor, given) => Boolean(visitor?.formKey) && sameSecret(given, formToken(visitor)),
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
    // A proxy that adds its header beside the visitor's would let visitors choose who they are.
    if (personName(name) === '' || more.length > 0) return undefined;
    const trusted = networks.check(remoteAddress, isIPv6(remoteAddress) ? 'ipv6' : 'ipv4');
    return trusted ? personName(name) : undefined;
  };
}

/** A page that reloads itself is no one at work. */
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
