import type { AuditEntry, Session } from '../../domain/audit.ts';
import { html } from '../../platform/text/html.ts';
import { downloads } from './parts/downloads.ts';
import { layout, type Viewer } from './parts/layout.ts';
import { operationButton } from './parts/operation-button.ts';
import { table } from './parts/table.ts';

interface SessionsPage {
  sessions: readonly Session[];
  /** The session of this browser. */
  own: string | null | undefined;
  viewer: Viewer;
  now: number;
}

export function sessionsPage({ sessions, own, viewer, now }: SessionsPage): string {
  const { t, time } = viewer.locale;
  const endButton = ({ id, by }: Session, which: 'end' | 'end-all', label: string) =>
    operationButton(viewer, `/admin/sessions/:id/${which}`, id, { label, about: by, back: '/sessions' });
  /** Shown on the first of a person's sessions, if there are more. */
  const endAllButton = (session: Session) => {
    const [first, ...more] = sessions.filter(({ by }) => by === session.by);
    return (
      first === session &&
      more.length > 0 &&
      endButton(session, 'end-all', t('session_end_all', { count: more.length + 1 }))
    );
  };
  const columns = [
    {
      title: t('who'),
      cell: ({ id, by }: Session) =>
        html`${by}${id === own && html` <span class="faint">${t('session_here')}</span>`}`,
    },
    { title: t('from_address'), cell: ({ address }: Session) => html`<code>${address}</code>` },
    { title: t('since'), cell: ({ started_at }: Session) => time(started_at, now) },
    { title: t('session_used'), cell: ({ seen_at }: Session) => time(seen_at, now) },
    { title: t('session_ends'), cell: ({ ends_at }: Session) => time(ends_at, now) },
    {
      title: t('actions'),
      name: 'actions' as const,
      cell: (session: Session) =>
        html`<div class="buttons">${endButton(session, 'end', t('session_end'))}${endAllButton(session)}</div>`,
    },
  ];
  return layout({
    title: t('nav_sessions'),
    viewer,
    body: html`<h1>${t('nav_sessions')}</h1>
<p class="lead">${t('sessions_lead')}</p>
<section class="card" aria-label="${t('nav_sessions')}">${table(
      t('nav_sessions'),
      columns,
      sessions,
      t('sessions_none'),
    )}</section>`,
  });
}

interface AuditPage {
  entries: readonly (AuditEntry & { n: number })[];
  /** Set when older rows exist before this one. */
  more: number | undefined;
  viewer: Viewer;
}

export function auditPage({ entries, more, viewer }: AuditPage): string {
  const { t, moment } = viewer.locale;
  const columns = [
    { title: t('what'), cell: ({ action }: AuditEntry) => html`<code>${action}</code>` },
    { title: t('audit_subject'), cell: ({ subject }: AuditEntry) => subject && subjectLink(subject) },
    {
      title: t('who'),
      cell: ({ actor, role }: AuditEntry) =>
        html`
          ${actor}
          ${role !== 'none' && html` <span class="faint">${role === 'cli' ? 'CLI' : t(`role_${role}`)}</span>`}
        `,
    },
    { title: t('when'), cell: ({ at }: AuditEntry) => moment(at) },
    { title: t('result'), cell: ({ result }: AuditEntry) => result },
    { title: t('from_address'), cell: ({ address }: AuditEntry) => address && html`<code>${address}</code>` },
  ];
  return layout({
    title: t('nav_audit'),
    viewer,
    body: html`<h1>${t('nav_audit')}</h1>
<p class="lead">${t('audit_lead')}</p>
<section class="card" aria-label="${t('nav_audit')}">${table(
      t('nav_audit'),
      columns,
      entries,
      t('nothing_yet'),
    )}${more !== undefined && html`<p class="hint"><a href="/audit?before=${more}">${t('older')}</a></p>`}</section>
${downloads('/audit', viewer.locale)}`,
  });
}

const subjectLink = (subject: string) =>
  /^CS-\w+$/.test(subject)
    ? html`<a href="/bookings/${subject}">${subject}</a>`
    : html`<code>${subject}</code>`;
