import http from 'node:http';
import { isIP } from 'node:net';
import os from 'node:os';

type Environment = Readonly<Record<string, string | undefined>>;

/** Our own calls to ourselves never leave the machine, also where the daemon listens on one address of a network. */
function here(): string[] {
  const own = Object.values(os.networkInterfaces()).flatMap((all = []) => all.map(({ address }) => address));
  return ['localhost', '127.0.0.1', '::1', ...own];
}

interface OutgoingProxy {
  url: URL;
  /** `HTTPS_PROXY` */
  setting: string;
}

/** The proxy that calls to this address go through, as `curl` and others read the environment; undefined for none. */
export function proxyFor(
  { protocol, hostname, port }: URL,
  environment: Environment,
): OutgoingProxy | undefined {
  const setting = protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  const url = proxyUrl(settingIn(setting, environment));
  if (url === undefined) return undefined;
  const host = hostname.replace(/^\[|\]$/g, '').toLowerCase();
  const spared = [...here(), ...(settingIn('NO_PROXY', environment) ?? '').toLowerCase().split(/[\s,]+/)];
  const to = { host, port: port || (protocol === 'https:' ? '443' : '80') };
  return spared.some((one) => isSpared(one, to)) ? undefined : { url, setting };
}

/** Lower case first, as everywhere: CGI programs cannot be given those. */
const settingIn = (name: string, environment: Environment): string | undefined =>
  environment[name.toLowerCase()] || environment[name] || undefined;

/** Undefined also for what Node cannot use, such as SOCKS; `config check` warns of it. */
function proxyUrl(text: string | undefined): URL | undefined {
  if (text === undefined) return undefined;
  const url = URL.parse(text.includes('://') ? text : `http://${text}`);
  return url !== null && /^https?:$/.test(url.protocol) && url.hostname !== '' ? url : undefined;
}

/** `*`, a name with all below it, an address, each perhaps with a port. */
function isSpared(entry: string, { host, port }: { host: string; port: string }): boolean {
  if (entry === '*') return true;
  const [, name = '', only] = /^\[?(.*?)\]?(?::(\d+))?$/.exec(isIP(entry) === 6 ? `[${entry}]` : entry) ?? [];
  const suffix = name.replace(/^\*?\./, '');
  if (suffix === '' || (only !== undefined && only !== port)) return false;
  return host === suffix || (isIP(host) === 0 && host.endsWith(`.${suffix}`));
}

/** For the agent of one address, so that only `proxyFor` decides: Node reads NO_PROXY in a way of its own. */
export const proxyEnvFor = (proxy: OutgoingProxy | undefined) =>
  proxy === undefined ? {} : { proxyEnv: { http_proxy: proxy.url.href, https_proxy: proxy.url.href } };

/** `proxy.example:3128`; its user and password are nobody's concern. */
export const proxyName = ({ url }: OutgoingProxy): string => url.host;

/** What failed on the way to the proxy or there is not blamed on the host behind it. */
export function proxyFailure(error: unknown, proxy: OutgoingProxy | undefined): unknown {
  const { code, syscall } = Object(error) as NodeJS.ErrnoException;
  const isOfProxy = error instanceof AggregateError || /^(connect|getaddrinfo)$/.test(syscall ?? '');
  if (proxy === undefined || !(isOfProxy || code === 'ERR_PROXY_TUNNEL')) return error;
  return Object.assign(new Error('no way through the proxy'), { code: 'ERR_PROXY_TUNNEL' });
}

/** Settings that name a proxy which cannot be used. */
export const unusableProxies = (environment: Environment): string[] =>
  ['HTTPS_PROXY', 'HTTP_PROXY'].filter((name) => {
    const text = settingIn(name, environment);
    return text !== undefined && proxyUrl(text) === undefined;
  });

/** For all that is called by `fetch` and by agents that are not ours: Google, captchas. Resolves to what undoes it. */
export function useProxies(environment: Environment): (() => void) | undefined {
  const of = (setting: string) => proxyUrl(settingIn(setting, environment))?.href;
  const [https_proxy, http_proxy] = [of('HTTPS_PROXY'), of('HTTP_PROXY')];
  if (https_proxy === undefined && http_proxy === undefined) return undefined;
  // Node compares addresses of IPv6 as they stand in a URL.
  const ours = here().flatMap((one) => (isIP(one) === 6 ? [one, `[${one}]`] : [one]));
  const no_proxy = [...ours, settingIn('NO_PROXY', environment) ?? ''].filter(Boolean).join(',');
  // Newer than the oldest Node that runs this.
  return http.setGlobalProxyFromEnv?.({
    ...(https_proxy && { https_proxy }),
    ...(http_proxy && { http_proxy }),
    no_proxy,
  });
}

const PRIVATE = /(^|\.)(local|localhost|internal|intranet|lan|corp|home|private|test|invalid|arpa)$/;

/** Whether a name that only the proxy can look up may be left to it: it would also find what is inside its network. */
export const isPublicName = (host: string): boolean => host.includes('.') && !PRIVATE.test(host);
