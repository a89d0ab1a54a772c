import type { CommandModule } from 'yargs';
import { type Instant, instant } from '../../platform/clock.ts';
import type { ConfigArguments } from '../configuration.ts';
import { Exit, exit, type Io, print, printJson, table } from '../io.ts';
import { withStore } from '../with-store.ts';

interface Arguments extends ConfigArguments {
  json?: boolean;
  since?: string;
  limit: number;
}

/** `clinic-sync audit [--since --json]` */
export const auditCommand = (io: Io): CommandModule => ({
  command: 'audit',
  describe: 'Who signed in, who decided what, who read patients’ data',
  builder: (yargs) =>
    yargs
      .option('since', { type: 'string', describe: 'From this day or moment on (UTC), such as 2026-03-01' })
      .option('limit', { type: 'number', default: 100, describe: 'At most so many, the newest' })
      .example('$0 audit --since 2026-03-01', 'everything since the first of March'),
  handler: (argv) => audit(io, argv as unknown as Arguments),
});

async function audit(io: Io, { since, limit, ...given }: Arguments): Promise<void> {
  const from = since === undefined ? undefined : moment(since);
  await withStore(io, given, async ({ store }) => {
    const entries = await store.audit.list({ ...(from && { since: from }), limit });
    if (given.json) return printJson(io, entries);
    if (entries.length === 0) return print(io, 'Nothing is in the audit yet.');
    const rows = entries.map(({ at, actor, role, action, subject, result, address }) => [
      at,
      actor,
      role,
      action,
      subject ?? '',
      result,
      address ?? '',
    ]);
    print(io, table([['AT', 'WHO', 'ROLE', 'WHAT', 'OF', 'RESULT', 'FROM'], ...rows]));
  });
}

function moment(text: string): Instant {
  const ms = Date.parse(text);
  if (Number.isNaN(ms))
    throw new Exit(exit.usage, `${text} is no day or moment; write 2026-03-01 or 2026-03-01T09:00Z.`);
  return instant(ms);
}
