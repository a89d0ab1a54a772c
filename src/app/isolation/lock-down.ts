/**
 * Node's permission model restricts files, processes and addons, but not signals: `process.kill` could end the daemon, and
 * SIGUSR1 would open its inspector. To be called before the connector's code is loaded; `process.binding`, the other way
 * to these functions, is refused by the permission model.
 */
export function lockDown(): void {
  const own = process as Partial<Record<'kill' | '_kill' | '_debugProcess' | '_debugEnd' | 'ppid', unknown>>;
  for (const name of ['kill', '_kill', '_debugProcess', '_debugEnd', 'ppid'] as const) delete own[name];
}
