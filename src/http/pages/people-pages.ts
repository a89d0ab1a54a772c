import type { AuditEntry, Session } from '../../domain/audit.ts';
import { html } from '../../platform/html.ts';
import { actionButton, layout, type Viewer } from './layout.ts';
import { table } from './table.ts';
import { exactTime, timeTag } from './time.ts';

interface SessionsPage {
  sessions: readonly Session[];
  /** The session of this browser. */
  own: string | null | undefined;
  viewer: Viewer;
  now: number;
}

export function sessionsPage({ sessions, own, viewer, now }: SessionsPage): string {
  const endButton = ({ id, by }: Session, which: 'end' | 'end-all', label: string) =>
    actionButton(viewer, {
      action: `/admin/sessions/${id}/${which}`,
      label,
      about: `of ${by}`,
      back: '/sessions',
      quiet: true,
    });
  /** On the first of a person's sessions, if there are more. */
  const endAllButton = (session: Session) => {
    const [first, ...more] = sessions.filter(({ by }) => by === session.by);
    return (
      first === session && more.length > 0 && endButton(session, 'end-all', `End all ${more.length + 1}`)
    );
  };
  const columns = [
    {
      title: 'Who',
      cell: ({ id, by }: Session) =>
        html`${by}${id === own && html` <span class="faint">this browser</span>`}`,
    },
    { title: 'From', cell: ({ address }: Session) => html`<code>${address}</code>` },
    { title: 'Since', cell: ({ started_at }: Session) => timeTag(started_at, now) },
    { title: 'Last used', cell: ({ seen_at }: Session) => timeTag(seen_at, now) },
    { title: 'Ends', cell: ({ ends_at }: Session) => timeTag(ends_at, now) },
    {
      title: 'End it',
      cell: (session: Session) =>
        html`<div class="buttons">${endButton(session, 'end', 'End')}${endAllButton(session)}</div>`,
    },
  ];
  return layout({
    title: 'Sessions',
    viewer,
    body: html`<h1>Sessions</h1>
<p class="lead">A session ends after 12 hours, or after one hour without doing anything.</p>
<section class="card" aria-label="Sessions">${
      sessions.length === 0
        ? html`<p class="empty">No browser is signed in.</p>`
        : table('Sessions', columns, sessions)
    }</section>`,
  });
}

interface AuditPage {
  entries: readonly (AuditEntry & { n: number })[];
  /** Older rows exist before this one. */
  more: number | undefined;
  viewer: Viewer;
}

export function auditPage({ entries, more, viewer }: AuditPage): string {
  const columns = [
    { title: 'What', cell: ({ action }: AuditEntry) => html`<code>${action}</code>` },
    { title: 'Subject', cell: ({ subject }: AuditEntry) => subject && subjectLink(subject) },
    {
      title: 'Who',
      cell: ({ actor, role }: AuditEntry) =>
        html`${actor}${role !== 'none' && html` <span class="faint">${role}</span>`}`,
    },
    { title: 'When', cell: ({ at }: AuditEntry) => exactTime(at) },
    { title: 'Result', cell: ({ result }: AuditEntry) => result },
    { title: 'From', cell: ({ address }: AuditEntry) => address && html`<code>${address}</code>` },
  ];
  return layout({
    title: 'Audit',
    viewer,
    body: html`<h1>Audit</h1>
<p class="lead">Who signed in, who decided what, and who read patients&rsquo; data. The newest first.</p>
<section class="card" aria-label="Audit">${
      entries.length === 0 ? html`<p class="empty">Nothing yet.</p>` : table('Audit', columns, entries)
    }${more !== undefined && html`<p class="hint"><a href="/audit?before=${more}">Older</a></p>`}</section>`,
  });
}

const subjectLink = (subject: string) =>
  /^CS-\w+$/.test(subject)
    ? html`<a href="/bookings/${subject}">${subject}</a>`
    : html`<code>${subject}</code>`;
