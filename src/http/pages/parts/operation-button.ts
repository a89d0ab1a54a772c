import { type Html, html } from '../../../platform/text/html.ts';
import type { TextName, Values } from '../../../texts/texts.ts';
import { may } from '../../access/roles.ts';
import { formField, hidden, type Viewer } from './layout.ts';

interface Looks {
  label: string;
  /** Asked first. */
  question?: string;
  /** Not what most people are here for. */
  quiet?: boolean;
  /** Tells equal buttons apart for those who do not see them. */
  about?: string;
  /** Where it leads; default: the page it is on. */
  back?: string;
  fields?: Readonly<Record<string, string>>;
}

/** Texts that name nothing. */
type Words = { [Name in TextName]: Values<Name, string> extends [] ? Name : never }[TextName];

/** The buttons of operations that need no more than their subject. */
const standard = {
  '/admin/connectors/:name/pause': { label: 'pause', quiet: true },
  '/admin/connectors/:name/resume': { label: 'resume' },
  '/admin/connectors/:name/check': { label: 'check', quiet: true },
  '/admin/connectors/:name/deliveries/retry': { label: 'retry' },
  '/admin/connectors/:name/deliveries/skip': { label: 'skip_it', question: 'skip_sure', quiet: true },
  '/admin/connectors/:name/deliveries/replay': { label: 'replay', quiet: true },
  '/admin/guards/:id/approve': { label: 'guard_let', question: 'guard_sure' },
  '/admin/clinics/:clinic/sync': { label: 'sync_now', quiet: true },
  '/admin/clinics/:clinic/resume-lane': { label: 'resume_bookings' },
  '/admin/silences/:clinic/answer': { label: 'open_again', quiet: true, fields: { until: 'today' } },
  '/admin/sessions/:id/end': { label: 'session_end', quiet: true },
  '/admin/sessions/:id/end-all': { label: 'session_end', quiet: true },
} satisfies Record<string, Omit<Looks, 'label' | 'question'> & { label: Words; question?: Words }>;

/** The address of an operation on a subject. */
export const operationPath = (path: string, subject: string): string =>
  path.replace(/:\w+/, encodeURIComponent(subject));

/** A button that does an operation, after its question if it has one; empty for people who may not. Needs no script. */
export function operationButton(
  viewer: Viewer,
  path: keyof typeof standard,
  subject: string,
  more: Partial<Looks> = {},
): Html {
  const { t } = viewer.locale;
  const { label, question, ...looks }: (typeof standard)[keyof typeof standard] & { question?: Words } =
    standard[path];
  const usual: Looks = { ...looks, label: t(label), ...(question && { question: t(question) }) };
  const { about, back = viewer.here, quiet = false, fields = {}, ...shown } = { ...usual, ...more };
  if (!may(viewer.role, path)) return html``;
  const action = operationPath(path, subject);
  const hiddenFields = Object.entries(fields).map(([name, value]) => hidden(name, value));
  const words = html`${shown.label}${about !== undefined && html`<span class="unseen"> ${about}</span>`}`;
  if (shown.question === undefined)
    return html`
      <form method="post" action="${action}">
        ${formField(viewer.formToken, back)}${hiddenFields}
        <button${quiet && html` class="quiet"`}>${words}</button>
      </form>
    `;
  return html`
    <details class="sure">
      <summary class="button${quiet && ' quiet'}">${words}</summary>
      <form method="post" action="${action}">
        ${formField(viewer.formToken, back)}${hiddenFields}
        <p>${shown.question}</p><button>${t('yes')}: ${shown.label}</button>
      </form>
    </details>
  `;
}
