import { type CheckLine, ok, warn } from '../../connector.ts';

interface Outside {
  /** The public address, without a trailing slash. */
  publicUrl: string;
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

/** Opens what visitors open through the public address, from this machine, and compares it with what was sent. */
export async function outsideLines({ publicUrl, own, forms, signal }: Outside): Promise<CheckLine[]> {
  const load = async (address: string): Promise<Answer | string> => {
    try {
      const limit = AbortSignal.any([signal, AbortSignal.timeout(LONGEST_MS)]);
      const answer = await fetch(address, { signal: limit, headers: { accept: 'text/html' } });
      return { status: answer.status, headers: answer.headers, text: await answer.text() };
    } catch (error) {
      const { cause = error } = error as { cause?: unknown };
      return cause instanceof Error ? cause.message : 'no answer';
    }
  };
  const alive = await load(`${publicUrl}/livez`);
  if (typeof alive === 'string')
    return [
      warn(
        `from this machine, ${publicUrl} does not answer: ${alive}`,
        'If it answers elsewhere, this machine cannot reach its own public address, and nothing more can be checked.',
      ),
    ];
  const lines = [pathLine(`${publicUrl}/livez`, alive, '"ok"')];
  for (const name of forms) {
    const folder = `/in/${encodeURIComponent(name)}`;
    const [form, again] = [
      await load(`${publicUrl}${folder}/form`),
      await load(`${publicUrl}${folder}/form`),
    ];
    const scripts = await Promise.all(
      ['form.js', 'embed.js'].map(async (file) => ({
        address: `${publicUrl}${folder}/${file}`,
        seen: await load(`${publicUrl}${folder}/${file}`),
        sent: own === undefined ? undefined : await load(`${own}${folder}/${file}`),
      })),
    );
    lines.push(...formLines(`${publicUrl}${folder}/form`, form, again), ...scripts.flatMap(scriptLines));
  }
  return lines;
}

/** Whether an address leads here. `mark` is a part of the right answer. */
function pathLine(address: string, answer: Answer | string, mark: string): CheckLine {
  if (typeof answer !== 'string' && answer.status === 200 && answer.text.includes(mark))
    return ok(`from this machine, ${address} leads here`);
  const came = typeof answer === 'string' ? answer : `${answer.status}, ${answer.text.length} characters`;
  return warn(
    `${address} does not lead to this server (${came})`,
    'Let the proxy forward that path as it is, or set `http.public_url` to the path that it forwards.',
  );
}

const idOf = ({ text }: Answer): string | undefined => /name="submission_id" value="([^"]+)"/.exec(text)?.[1];

function formLines(address: string, form: Answer | string, again: Answer | string): CheckLine[] {
  const first = pathLine(address, form, '<form method="post"');
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
        `${address} has the referrer policy ${referrer === '' ? 'of the browser' : referrer}; campaigns may not be seen`,
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

/** What to switch off, by the proxy that the answer names. */
function remedyOf({ headers }: Answer, what: 'cache' | 'script'): string {
  const server = headers.get('server')?.toLowerCase() ?? '';
  const known = remedies.find(({ name }) => server.includes(name));
  return (
    known?.[what] ??
    (what === 'cache' ? 'Exclude /in/ from caching.' : 'Exclude /in/ from what rewrites scripts.')
  );
}

const remedies = [
  {
    name: 'cloudflare',
    cache: 'Cloudflare: add a cache rule that bypasses the cache for /in/.',
    script: 'Cloudflare: add a configuration rule that switches Rocket Loader and minification off for /in/.',
  },
  {
    name: 'nginx',
    cache: 'nginx: `proxy_cache off;` for /in/, and no `proxy_hide_header Cache-Control`.',
    script: 'nginx: no `sub_filter` and no PageSpeed for /in/.',
  },
  {
    name: 'varnish',
    cache: 'Varnish: `return (pass)` for /in/.',
    script: 'Varnish: no module that changes bodies for /in/.',
  },
] as const;
