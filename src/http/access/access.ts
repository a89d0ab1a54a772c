import { createHmac, randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { isIPv6 } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { ADMIN, type OpenIdIssuer, type Person, type SignInHeader } from '../../domain/people.ts';
import { type Role, roles } from '../../domain/role.ts';
import { type TokenKey, tokenKey } from '../../domain/token.ts';
import { sameSecret } from '../../platform/constant-time.ts';
import { networkList } from '../../platform/network/networks.ts';
import { requestOrigin } from '../../platform/network/request-origin.ts';
import type { SessionCookie } from './cookies.ts';
import type { Sessions } from './sessions.ts';

/** Who starts a session. `by` is stored with their actions. */
export interface Bearer {
  by: string;
  role: Role;
  person: string;
  key: string;
}

export interface Visitor {
  /** Stored with their actions. */
  by: string;
  role: Role;
  /** The id of the browser's session; null for a token or the proxy's header. */
  session: string | null;
  /** Signs their forms; null for a program with a token, which other sites cannot forge. */
  formKey: string | null;
  /** True for the admin token, whose holder may name the person it acts for. */
  namesItself: boolean;
  /** True when a proxy signed them in. */
  isFromProxy?: true;
}

export type Access = ReturnType<typeof createAccess>;

interface AccessOptions {
  people: readonly Person[];
  signInHeader: SignInHeader | undefined;
  oidc: OpenIdIssuer | undefined;
  sessions: Sessions;
}

const MAX_NAME = 60;

/**
 * In their sessions, people of a provider are one person for each role, whose key is the configuration: whoever changes
 * the provider, its secret or a role ends them.
 */
const peopleOf = (oidc: OpenIdIssuer): (Person & { key: TokenKey })[] =>
  roles.map((role) => ({ name: `oidc ${role}`, role, key: tokenKey(JSON.stringify([role, oidc])) }));

/** Authenticates requests. Without tokens, a proxy's header and a provider, no one can sign in. */
export function createAccess({ people, signInHeader, oidc, sessions }: AccessOptions) {
  const ofProvider = oidc === undefined ? [] : peopleOf(oidc);
  const named = (name: string) => [...ofProvider, ...people].find((person) => person.name === name);
  const nameFromProxy = proxyReader(signInHeader);
  /** Signs the forms of people whose proxy signs them in; a restart invalidates open pages. */
  const bootKey = randomBytes(32).toString('base64url');
  /** Hidden in every form, so that another site cannot make a signed-in browser act. */
  const formToken = (visitor: Visitor | undefined) =>
    visitor?.formKey ? createHmac('sha256', visitor.formKey).update('form').digest('base64url') : '';

  /** The owner of a token; undefined when it is wrong. `name` is used only for the admin token. */
  const bearerOf = (token: string, name: string): Bearer | undefined => {
    const key = tokenKey(token);
    // Compares all of them, so that timing does not reveal the position in the list.
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
    // The suffix keeps a name from passing for a user, the admin token, the daemon or the command line.
    const by = `${name} (proxy)`;
    return { by, role, session: null, formKey: `${bootKey}\n${name}`, namesItself: false, isFromProxy: true };
  };

  return {
    enabled: people.length > 0 || signInHeader !== undefined || oidc !== undefined,
    /** False when people come only through a proxy or a provider and no token exists. */
    takesTokens: people.some(({ key }) => key !== undefined),
    bearerOf,
    /** Whoever the provider says has this role. The suffix keeps a name from passing for another, as with a proxy. */
    accountOf(name: string, role: Role): Bearer | undefined {
      const found = ofProvider.find((one) => one.role === role);
      return found && { by: `${name} (oidc)`, role, person: found.name, key: found.key };
    },
    /** Undefined for a stranger. */
    async identify(request: FastifyRequest, cookie: SessionCookie): Promise<Visitor | undefined> {
      const bearer = bearerToken(request.headers);
      if (bearer !== undefined) return ofToken(bearer);
      const value = cookie.read(request.headers);
      return (value !== undefined && (await ofCookie(request, value))) || ofProxy(request);
    },
    /** Resolves to the session cookie's value and ends the session it replaces. Throws `Failure` transient. */
    async startSession({ person, by, key }: Bearer, address: string, replaces: string | null) {
      const value = await sessions.start({ person, by, address, key });
      if (replaces !== null) await sessions.end([replaces]);
      return value;
    },
    formToken,
    isFormToken: (visitor: Visitor | undefined, given: string) =>
      Boolean(visitor?.formKey) && sameSecret(given, formToken(visitor)),
  };
}

/** Holders of the admin token name themselves, and the history shows that they did. */
export function adminName(given: string): string {
  // Brackets are reserved: they mark people of a proxy and of the admin token in the audit.
  const name = personName(given.replace(/[()]/g, ' '));
  return name === '' ? 'admin' : `admin (${name})`;
}

/** Reads the name from the authenticating proxy's header, if sent exactly once and from a trusted address. */
function proxyReader(header: SignInHeader | undefined): (message: IncomingMessage) => string | undefined {
  if (header === undefined) return () => undefined;
  const networks = networkList(header.from);
  const wanted = header.name.toLowerCase();
  return ({ headersDistinct, socket: { remoteAddress = '' } }) => {
    const [header = '', ...more] = headersDistinct[wanted] ?? [];
    const name = fromUtf8(header);
    // A proxy that appends to the visitor's own header would let visitors choose a name.
    if (name === '' || more.length > 0) return undefined;
    // Names that look alike must not become one person.
    if (name !== personName(name)) return undefined;
    return networks.check(remoteAddress, isIPv6(remoteAddress) ? 'ipv6' : 'ipv4') ? name : undefined;
  };
}

/** Node reads headers as Latin-1, but most proxies write UTF-8. */
function fromUtf8(header: string): string {
  const text = Buffer.from(header, 'latin1').toString('utf8');
  return text.includes('\ufffd') ? header : text;
}

/** Pages that reload themselves, load changes or wait for them do not count as activity. */
const isActivity = ({ query, headers }: FastifyRequest): boolean =>
  (query as { auto?: unknown }).auto === undefined &&
  headers['x-update'] === undefined &&
  headers.accept !== 'text/event-stream';

export const bearerToken = (headers: IncomingHttpHeaders): string | undefined =>
  headers.authorization?.match(/^Bearer +(\S+)$/i)?.[1];

/** One printable line. */
export const personName = (given: string): string =>
  given
    .toWellFormed()
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, MAX_NAME);

/** False when another site, or a page that hides its address, made the browser send this. */
export function fromThisSite(headers: IncomingHttpHeaders, publicHost: string | undefined): boolean {
  const from = requestOrigin(headers, publicHost);
  return from === 'same' || (from === 'unsaid' && headers.origin === undefined);
}
