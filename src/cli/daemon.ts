import type { Config } from '../config/config.ts';

const PATIENCE_MS = 4_000;
const ANYWHERE: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/** An address of the daemon on this machine. */
export function daemonUrl({ host: listens, port }: Config['http'], path: string): string {
  const host = ANYWHERE[listens] ?? listens;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}${path}`;
}

/** `silent`: something accepts the connection, but does not answer within 4 s. Undefined: nothing does. */
export async function askDaemon(url: string): Promise<Response | 'silent' | undefined> {
  try {
    return await fetch(url, { signal: AbortSignal.timeout(PATIENCE_MS) });
  } catch (error) {
    return error instanceof DOMException && error.name === 'TimeoutError' ? 'silent' : undefined;
  }
}
