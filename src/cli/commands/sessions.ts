import { isSessionOver, NO_SUCH, type Session } from '../../domain/audit.ts';
import { instant, systemClock } from '../../platform/clock.ts';
import { localeOf } from '../../platform/text/locale.ts';
import type { Store } from '../../store/store.ts';
import { command, group } from '../command.ts';
import { answer, counted, Exit, exit, type Invocation } from '../io.ts';
import { answerList } from '../list.ts';
import { withStore } from '../with-app.ts';

/** Characters of an id shown in the list. */
const SHOWN = 10;

async function openSessions(store: Store): Promise<Session[]> {
  const now = systemClock.now();
  return (await store.sessions.list(instant(now))).filter((session) => !isSessionOver(session, now));
}

/** As it can be typed: a hyphen at the beginning would make it an option. */
const typed = (id: string): string => id.replace(/^-/, '.');
const isCalled = (session: Session, id: string): boolean => typed(session.id).startsWith(typed(id));

const withoutProof = ({ proof: _proof, id, ...shown }: Session) => ({ id: typed(id), ...shown });

const list = command({
  name: 'list',
  describe: 'Who is signed in, since when, last used when, and from where',
  examples: { 'sessions list': 'who is signed in' },
  audit: { action: 'sessions.read' },
  open: withStore,
  async run(io, given, { store }) {
    await answerList(io, given, {
      rows: (await openSessions(store)).map(withoutProof),
      none: localeOf('en').t('sessions_none'),
      columns: {
        ID: ({ id }) => id.slice(0, SHOWN),
        WHO: 'by',
        SINCE: 'started_at',
        'LAST USED': 'seen_at',
        ENDS: 'ends_at',
        FROM: 'address',
      },
    });
  },
});

const ended = { 'sessions end --of Rima': 'Rima lost her phone' };

const end = command({
  name: 'end [id]',
  describe: 'Sign out one browser, or all of a person',
  args: {
    id: { type: 'string', describe: 'From the list; its beginning is enough' },
    of: { type: 'string', requiresArg: true, describe: 'All of this person’s browsers' },
  },
  examples: ended,
  audit: { action: 'session.end', subject: ownerOf },
  async run(io, { id, of, ...given }) {
    if ((id === undefined) === (of === undefined))
      throw new Exit(exit.usage, 'Give either the ID of a session or --of NAME.');
    await withStore(io, given, async ({ store }) => {
      const found = (await openSessions(store)).filter((one) =>
        id === undefined ? one.person === of || one.by === of : isCalled(one, id),
      );
      if (found.length === 0)
        throw new Exit(exit.needsPerson, 'There is no such session; see: clinic-sync sessions list');
      if (id !== undefined && found.length > 1)
        throw new Exit(exit.usage, `${id} is the beginning of ${found.length} sessions; write more of it.`);
      await store.sessions.end(found.map(({ id: one }) => one));
      const whose = [...new Set(found.map(({ by }) => by))].join(', ');
      const what = `${counted(found.length, 'session')} of ${whose} ended`;
      answer(io, given, found.map(withoutProof), `${what}; a running daemon knows within two seconds.`);
    });
  },
});

/** The session's user, because a session id means nothing once the session is gone. */
async function ownerOf({ id, of }: Invocation['argv'], store: Store): Promise<string | null> {
  const open = await store.sessions.list(instant(systemClock.now()));
  const isMeant = (session: Session) =>
    typeof of === 'string' ? session.by === of : isCalled(session, String(id));
  return open.find(isMeant)?.by ?? NO_SUCH;
}

export const sessions = group({
  name: 'sessions',
  describe: 'Browsers that are signed in',
  commands: [list, end],
  examples: ended,
});
