import type { Config } from '../config/config.ts';
import { parsedJson } from '../platform/json.ts';
import { askLoopback } from '../platform/network/ask.ts';

const PATIENCE_MS = 4_000;
const ANYWHERE: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/** An address of the daemon on this machine. */
export function daemonUrl({ host: listens, port }: Config['http'], path: string): string {
  const host = ANYWHERE[listens] ?? listens;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}${path}`;
}

export const askDaemon = (url: string) => askLoopback(url, PATIENCE_MS);

export interface DaemonFault {
  /** `away`: nothing listens. */
  state: 'hangs' | 'not ready' | 'away';
  sentence: string;
}

/** Why a daemon that has the database open does not work. It may know what no other process can see. */
export async function daemonFault(http: Config['http']): Promise<DaemonFault | undefined> {
  const url = daemonUrl(http, '/readyz');
  const asked = await askDaemon(url);
  if (asked === 'silent') return { state: 'hangs', sentence: `The daemon hangs: ${url} does not answer.` };
  if (asked === undefined)
    return { state: 'away', sentence: `A daemon runs, but nothing listens at ${url}.` };
  const { ok, message } = Object(parsedJson(asked.text)) as { ok?: unknown; message?: unknown };
  if (ok !== false || typeof message !== 'string') return undefined;
  return { state: 'not ready', sentence: `The daemon is not ready: ${message}` };
}
