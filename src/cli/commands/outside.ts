import { type CheckLine, ok, warn } from '../../connector.ts';
import { DOCTOR_HEADER } from '../../http/doctor-pass.ts';
import { asFailure } from '../../platform/failure.ts';
import { fetchWithin } from '../../platform/network/fetch-once.ts';
import { networkFault, redirectTo } from '../../platform/network/unreachable.ts';

interface Outside {
  /** The public address, without a trailing slash. */
  publicUrl: string;
  /** False when only `/in/` is public. */
  isWhole: boolean;
  /** Proves to the daemon that it may say what arrives of a request. */
  pass: string;
  /** The same server, past all proxies; undefined when no daemon runs here. */
  own: string | undefined;
  /** Connectors that serve a form. */
  forms: readonly string[];
  signal: AbortSignal;
}

interface Answer {
  status: number;
  headers: Headers;
  text: string;
}

const LONGEST_MS = 10_000;
const MOST_REDIRECTS = 5;

/** Opens what visitors open through the public address, from this machine, and compares it with what was sent. */
export async function outsideLines({
  publicUrl,
  isWhole,
  pass,
  own,
  forms,
  signal,
}: Outside): Promise<CheckLine[]> {
  const load = (address: string) => loadPage(new URL(address), pass, signal);
  const [first = ''] = isWhole ? ['/livez'] : forms.map(formPath);
  const alive = await load(`${publicUrl}${first}`);
  if (typeof alive === 'string')
    return [
      warn(
        `from this machine, ${publicUrl} ${alive}`,
        'If it answers elsewhere, this machine cannot reach its own public address, and nothing more can be checked.',
      ),
    ];
  const lines = isWhole ? [pathLine(`${publicUrl}${first}`, first, alive, '"ok"')] : [];
  lines.push(...proxyLines(new URL(publicUrl), alive));
  for (const name of forms) {
    const path = formPath(name);
    const folder = path.replace(/\/form$/, '');
    const [form, again] = [await load(`${publicUrl}${path}`), await load(`${publicUrl}${path}`)];
    const scripts = await Promise.all(
      ['form.js', 'embed.js'].map(async (file) => ({
        address: `${publicUrl}${folder}/${file}`,
        seen: await load(`${publicUrl}${folder}/${file}`),
        sent: own === undefined ? undefined : await load(`${own}${folder}/${file}`),
      })),
    );
    lines.push(...formLines(`${publicUrl}${path}`, path, form, again), ...scripts.flatMap(scriptLines));
  }
  return lines;
}

/** As a browser would, which follows redirects. A text continues the address: `refused the connection`. */
async function loadPage(
  address: URL,
  pass: string,
  signal: AbortSignal,
  redirects = MOST_REDIRECTS,
): Promise<Answer | string> {
  try {
    const headers = { accept: 'text/html', [DOCTOR_HEADER]: pass };
    const answer = await fetchWithin(LONGEST_MS, address.href, { signal, headers });
    const { status } = answer;
    const location = status >= 300 && status < 400 ? answer.headers.get('location') : null;
    const target = location === null ? null : URL.parse(location, address.href);
    // The pass is shown to nobody else.
    if (target?.hostname === address.hostname && redirects > 0)
      return loadPage(target, pass, signal, redirects - 1);
    return { status, headers: answer.headers, text: await answer.text() };
  } catch (error) {
    const { what, detail } = networkFault(error, { name: address.host }) ?? {
      what: 'does not answer',
      detail: asFailure(error, 'Asking it').message,
    };
    return detail === undefined ? what : `${what} (${detail})`;
  }
}

const formPath = (name: string): string => `/in/${encodeURIComponent(name)}/form`;

/** What arrived of a request; undefined when the answer is not our daemon's. */
const arrivedOf = (answer: Answer): URLSearchParams | undefined => {
  const arrived = answer.headers.get(DOCTOR_HEADER);
  return arrived ? new URLSearchParams(arrived) : undefined;
};

/** Whether an address leads to `path` here. `mark` is a part of the right answer. */
function pathLine(address: string, path: string, answer: Answer | string, mark: string): CheckLine {
  const came = typeof answer === 'string' ? answer : cameOf(answer);
  const arrived = typeof answer === 'string' ? undefined : arrivedOf(answer)?.get('path');
  if (arrived != null && arrived !== path)
    return warn(
      `${address} arrives as ${arrived} instead of ${path}`,
      'Let the proxy cut off exactly the path of `http.public_url`.',
    );
  if (typeof answer !== 'string' && answer.status === 200 && answer.text.includes(mark))
    return ok(`from this machine, ${address} leads here`);
  return warn(
    `${address} does not lead to this server (${came})`,
    'Let the proxy forward that path as it is, or set `http.public_url` to the path that it forwards.',
  );
}

const cameOf = ({ status, headers, text }: Answer): string =>
  `${status}${redirectTo(headers.get('location') ?? undefined)}, ${text.length} characters`;

/** Host and scheme as the proxies pass them on. */
function proxyLines({ host, protocol }: URL, answer: Answer): CheckLine[] {
  const arrived = arrivedOf(answer);
  if (arrived === undefined) return [];
  const lines: CheckLine[] = [];
  const seen = arrived.get('host') ?? '';
  if (seen.toLowerCase().replace(/:(?:80|443)$/, '') !== host)
    lines.push(warn(`the proxy passes on Host as ${seen} instead of ${host}`, remedyOf(answer, 'host')));
  if (protocol === 'https:' && !/\bhttps\b/i.test(arrived.get('scheme') ?? ''))
    lines.push(warn('the proxy does not say that visitors come over HTTPS', remedyOf(answer, 'scheme')));
  // A daemon of an earlier version does not say it; without TLS there may be no proxy.
  if (protocol === 'https:' && arrived.get('address') === '')
    lines.push(
      warn(
        'the proxy does not say where visitors come from: all share one address',
        remedyOf(answer, 'address'),
      ),
    );
  return lines.length > 0 ? lines : [ok('Host, scheme and address arrive as visitors have them')];
}

const idOf = ({ text }: Answer): string | undefined => /name="submission_id" value="([^"]+)"/.exec(text)?.[1];

function formLines(
  address: string,
  path: string,
  form: Answer | string,
  again: Answer | string,
): CheckLine[] {
  const first = pathLine(address, path, form, '<form method="post"');
  // A form of several clinics first asks for the clinic.
  if (typeof form === 'string' || first.level !== 'ok' || idOf(form) === undefined) return [first];
  const lines = [first];
  const isKept = typeof again !== 'string' && idOf(again) === idOf(form);
  if (isKept || !form.headers.get('cache-control')?.includes('no-store'))
    lines.push(warn(`${address} is cached, or its Cache-Control was changed`, remedyOf(form, 'cache')));
  const referrer = form.headers.get('referrer-policy') ?? '';
  if (referrer !== 'same-origin')
    lines.push(
      warn(
        `${address} has the referrer policy ` +
          `${referrer === '' ? 'of the browser' : referrer}; campaigns may ` +
          'not be seen',
        'Let the proxy leave Referrer-Policy as it is below /in/.',
      ),
    );
  return lines;
}

function scriptLines(one: {
  address: string;
  seen: Answer | string;
  sent: Answer | string | undefined;
}): CheckLine[] {
  const { address, seen, sent } = one;
  if (sent === undefined || typeof sent === 'string') return [];
  if (typeof seen !== 'string' && seen.text === sent.text) return [ok(`${address} arrives unchanged`)];
  return [
    warn(
      `${address} does not arrive as it was sent`,
      typeof seen === 'string' ? undefined : remedyOf(seen, 'script'),
    ),
  ];
}

type Change = 'host' | 'scheme' | 'address' | 'cache' | 'script';

/** What to set or switch off, by the proxy that the answer names. */
function remedyOf({ headers }: Answer, what: Change): string {
  const server = `${headers.get('server')} ${headers.get('via')}`.toLowerCase();
  return remedies.find(({ name }) => server.includes(name))?.[what] ?? anyProxy[what];
}

const anyProxy: Record<Change, string> = {
  host: 'Let the proxy pass on the Host header of the visitor.',
  scheme: 'Let the proxy set X-Forwarded-Proto.',
  address: 'Let the proxy set X-Forwarded-For, and set http.trust_proxy: 1.',
  cache: 'Exclude /in/ from caching.',
  script: 'Exclude /in/ from what rewrites scripts.',
};

const remedies: readonly ({ name: string } & Partial<Record<Change, string>>)[] = [
  {
    name: 'cloudflare',
    cache: 'Cloudflare: add a cache rule that bypasses the cache for /in/.',
    script: 'Cloudflare: add a configuration rule that switches Rocket Loader and minification off for /in/.',
  },
  {
    name: 'nginx',
    host: 'nginx: `proxy_set_header Host $http_host;`.',
    scheme: 'nginx: `proxy_set_header X-Forwarded-Proto $scheme;`.',
    address: 'nginx: `proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;`.',
    cache: 'nginx: `proxy_cache off;` for /in/, and no `proxy_hide_header Cache-Control`.',
    script: 'nginx: no `sub_filter` and no PageSpeed for /in/.',
  },
  {
    name: 'apache',
    host: 'Apache: `ProxyPreserveHost On`.',
    scheme: 'Apache: `RequestHeader set X-Forwarded-Proto https`.',
    script: 'Apache: no mod_pagespeed for /in/.',
  },
  {
    name: 'varnish',
    cache: 'Varnish: `return (pass)` for /in/.',
    script: 'Varnish: no module that changes bodies for /in/.',
  },
];
