import { READ } from '../audited.ts';
import { command } from '../command.ts';
import { answerList, inPages, limitArgument } from '../list.ts';
import { sinceArgument } from '../since.ts';
import { withStore } from '../with-app.ts';

export const audit = command({
  name: 'audit',
  describe: 'Who signed in, who decided what, who read patients’ data',
  args: {
    since: sinceArgument,
    limit: limitArgument('At most this many, the newest', 100),
  },
  examples: { 'audit --since 2026-03-01': 'everything since the first of March' },
  audit: { action: READ },
  open: withStore,
  async run(io, { since, limit, ...given }, { store }) {
    const page = (count: number, last?: { n: number }) =>
      store.audit.list({ ...(since && { since }), limit: count, ...(last && { before: last.n }) });
    await answerList(io, given, {
      rows: inPages(page, { limit }),
      none: 'The audit is empty.',
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
