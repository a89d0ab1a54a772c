import { buildParts, type Parts } from '../app/parts.ts';
import { systemClock } from '../platform/clock.ts';
import { silentLog } from '../platform/log.ts';
import { auditing } from './audited.ts';
import { type ConfigArguments, requireConfig } from './configuration.ts';
import type { Io } from './io.ts';
import { packageVersion } from './package.ts';

/** Everything the daemon is made of, beside a running daemon, for one command; nothing of it runs by itself. */
export async function withParts<T>(
  io: Io,
  given: ConfigArguments,
  use: (parts: Parts) => Promise<T>,
): Promise<T> {
  const config = await requireConfig(io, given);
  const parts = await buildParts({
    config,
    clock: systemClock,
    log: silentLog,
    version: packageVersion(),
    mode: 'tool',
    loops: false,
  });
  try {
    return await auditing(io, parts.store, () => use(parts));
  } finally {
    await parts.close();
  }
}
