import { type Instant, instant } from '../../platform/clock.ts';
import { command } from '../command.ts';
import { Exit, exit } from '../io.ts';
import { answerList, inPages, limitArgument } from '../list.ts';
import { withStore } from '../with-app.ts';

export const audit = command({
  name: 'audit',
  describe: 'Who signed in, who decided what, who read patients’ data',
  args: {
    since: {
      type: 'string',
      describe: 'From this day or moment on (UTC), such as 2026-03-01',
      coerce: moment,
    },
    limit: limitArgument('At most this many, the newest', 100),
  },
  examples: { 'audit --since 2026-03-01': 'everything since the first of March' },
  open: withStore,
  async run(io, { since, limit, ...given }, { store }) {
    const page = (count: number, last?: { n: number }) =>
      store.audit.list({ ...(since && { since }), limit: count, ...(last && { before: last.n }) });
    await answerList(io, given, {
      rows: inPages(page, { limit }),
      none: 'Nothing is in the audit yet.',
      columns: {
        AT: 'at',
        WHO: 'actor',
        ROLE: 'role',
        WHAT: 'action',
        OF: 'subject',
        RESULT: 'result',
        FROM: 'address',
      },
    });
  },
});

function moment(text: string): Instant {
  const ms = Date.parse(text);
  if (Number.isNaN(ms))
    throw new Exit(exit.usage, `${text} is no day or moment; write 2026-03-01 or 2026-03-01T09:00Z.`);
  return instant(ms);
}
