import type { CheckedLine } from '../../../connector.ts';
import type { Role } from '../../../domain/role.ts';
import type { Health } from '../../../domain/status/report.ts';
import { problemWords } from '../../../domain/texts/problem.ts';
import { type Asset, assetOf } from '../../../platform/text/asset.ts';
import { type Html, html, type Part, toText, verbatim } from '../../../platform/text/html.ts';
import { ownName } from '../../../platform/text/languages.ts';
import { type Locale, localeOf } from '../../../platform/text/locale.ts';
import { printable } from '../../../platform/text/printable.ts';
import { languages } from '../../../texts/texts.ts';
import { may } from '../../access/roles.ts';

/** Fine, needs attention, broken. */
export type Tone = 'ok' | 'attention' | 'bad';

export const toneOf: Record<Health, Tone> = { ok: 'ok', trouble: 'attention', stale: 'bad' };

/** The reader of a page. */
export interface Viewer {
  /** False when neither a token nor a user is configured. */
  canSignIn: boolean;
  /** Undefined when not signed in. */
  by: string | undefined;
  role: Role | undefined;
  /** False when a proxy signs people in and out. */
  canSignOut: boolean;
  formToken: string;
  /** The outcome of their last action; shown on one page, and on those that update themselves. */
  notice: PageNotice | undefined;
  locale: Locale;
  /** The page's address, for links to its other languages. */
  here: string;
}

export interface PageNotice {
  tone: Tone;
  message: string;
  /** Set when the action can be undone for ten seconds. */
  undo?: readonly { ref: string; seen: string }[];
  /** The lines of a check. */
  lines?: readonly CheckedLine[] | undefined;
  /** The form that was refused, with the page that has it: shown there once more as it was filled in. */
  typed?: { page: string; fields: Readonly<Record<string, string>> };
}

/** What was typed into a form of this page that was then refused, by field. */
export const typedOn = ({ notice, here }: Viewer): Readonly<Record<string, string>> =>
  notice?.typed?.page === here ? notice.typed.fields : {};

interface Page {
  title: string;
  viewer?: Viewer;
  /** For a page without a viewer, or about a clinic with its own clock; default: the viewer's. */
  locale?: Locale;
  /** Colour of the tab icon. */
  tone?: Tone;
  refreshSeconds?: number;
  /** Loads the desk's keyboard shortcuts. */
  script?: boolean;
  /**
   * Parts with `data-live` follow changes. Without JavaScript the page reloads, unless `scripted`: it has reader's
   * input.
   */
  live?: boolean | 'scripted';
  /** Without a header, for the clinic's visitors. */
  bare?: boolean;
  body: Part;
  footer?: Part;
}

const tabColours: Record<Tone, string> = { ok: '#18794e', attention: '#b7791f', bad: '#c0362c' };
const tabPicture = assetOf(new URL('../assets/tab.svg', import.meta.url));

const tabIcon = (tone: Tone | undefined): string => {
  const picture = tone === undefined ? tabPicture : tabPicture.replace('#0b6e6e', tabColours[tone]);
  return `data:image/svg+xml,${picture.replaceAll('\n', '').replace(/[<>#"]/g, encodeURIComponent)}`;
};

/** A picture within the page, which names no namespace. */
const inline = (picture: Asset): Html =>
  verbatim(picture.replaceAll('\n', '').replace(' xmlns="http://www.w3.org/2000/svg"', '') as Asset);

const logo = inline(assetOf(new URL('../assets/logo.svg', import.meta.url)));
/** A shape per tone, so that nothing depends on colour alone. */
const shapes: Record<Tone, Html> = {
  ok: inline(assetOf(new URL('../assets/ok.svg', import.meta.url))),
  attention: inline(assetOf(new URL('../assets/attention.svg', import.meta.url))),
  bad: inline(assetOf(new URL('../assets/bad.svg', import.meta.url))),
};
export const icon = (tone: Tone): Html => shapes[tone];

export function layout({
  title,
  viewer,
  tone,
  refreshSeconds,
  script,
  live,
  bare,
  body,
  footer,
  ...page
}: Page): string {
  const locale = page.locale ?? viewer?.locale ?? localeOf('en');
  const text = html`
    <!doctype html>
    <html lang="${locale.lang}" dir="${locale.dir}">
      <head>
        <meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark"><meta name="robots" content="noindex">
        ${
          refreshSeconds !== undefined &&
          html`<meta http-equiv="refresh" content="${refreshSeconds}; url=?auto">`
        }
        ${script && html`<script src="/assets/desk.js" defer></script>`}
        ${live === true && html`<noscript><meta http-equiv="refresh" content="30; url=?auto"></noscript>`}
        ${live && html`<script src="/assets/live.js" defer></script>`}
        <title>${title}${!bare && ' · clinic-sync'}</title><link rel="icon" href="${tabIcon(tone)}">
        <link rel="stylesheet" href="/assets/status.css">
      </head>
      <body>
        ${
          !bare &&
          html`
            <a class="skip" href="#main">${locale.t('skip')}</a>
            <header class="top">
              <div class="wide">
                <a class="brand" href="/">${logo}<span>clinic-sync</span></a>
                ${viewer && navigation(viewer, locale)}
              </div>
            </header>
          `
        }
        <main id="main" class="wide">
          ${viewer?.notice && notice(viewer.notice, { ...viewer, locale })}${body}
        </main>
        ${
          (footer || viewer) &&
          html`
            <footer class="wide foot">
              ${viewer?.by !== undefined && !isDaily(viewer) && html`<p>${pageLinks(behind, viewer, locale)}</p>`}
              ${footer}
              ${
                viewer &&
                html`<p>${locale.t('times_in', { zone: locale.zone })}</p>${languageLinks(viewer.here, locale)}`
              }
            </footer>
          `
        }
      </body>
    </html>
  `;
  // A name with bidi overrides would read differently from how it is stored.
  return printable(toText(text).replace(/\r\n?/g, '\n'));
}

function navigation(viewer: Viewer, locale: Locale): Html | undefined {
  const { canSignIn, canSignOut, by, formToken } = viewer;
  const { t } = locale;
  if (!canSignIn) return undefined;
  if (by === undefined)
    return html`<nav aria-label="${t('nav_account')}"><a href="/admin/sign-in">${t('sign_in')}</a></nav>`;
  const who = html`<span class="faint">${by}</span>`;
  return html`
    <nav aria-label="${t('nav_pages')}">
      ${pageLinks([...navigable, ...(isDaily(viewer) ? behind : [])], viewer, locale)}
      ${
        canSignOut
          ? html`
            <form method="post" action="/admin/sign-out">
              ${formField(formToken)}<button class="link">${t('sign_out')} ${who}</button>
            </form>
          `
          : who
      }
    </nav>
  `;
}

/** Pages of the menu; each person is offered those they may open, at the end of the page what only admins use daily. */
const navigable = [
  ['/bookings', 'nav_bookings'],
  ['/reports', 'nav_reports'],
  ['/fees', 'nav_fees'],
] as const;
const behind = [
  ['/change-log', 'nav_changes'],
  ['/incidents', 'nav_incidents'],
  ['/sessions', 'nav_sessions'],
  ['/audit', 'nav_audit'],
] as const;

const isDaily = ({ role }: Viewer): boolean => may(role, '/audit');

/** Those that this person may open. */
function pageLinks(
  pages: readonly (typeof navigable | typeof behind)[number][],
  { role, here }: Viewer,
  { t }: Locale,
) {
  const [place] = here.split('?');
  return pages
    .filter(([path]) => may(role, path))
    .map(
      ([path, name]) =>
        html`<a href="${path}"${path === place && html` aria-current="page"`}>${t(name)}</a> `,
    );
}

/** The same page in the other languages, each in its own. */
function languageLinks(here: string, { lang, t }: Locale): Html {
  const links = languages.map((one) => {
    const address = `${here}${here.includes('?') ? '&' : '?'}lang=${one}`;
    return html`
      <li>
        <a href="${address}" lang="${one}" hreflang="${one}"${one === lang && html` aria-current="true"`}>
          ${ownName(one)}
        </a>
      </li>
    `;
  });
  return html`
    <details class="languages">
      <summary>${t('language')}: ${ownName(lang)}</summary>
      <ul>${links}</ul>
    </details>
  `;
}

/** What a check found, then what the last run left undone. */
function checkList(lines: readonly CheckedLine[], locale: Locale): Html {
  const left = lines.findIndex(({ ran }) => ran !== undefined);
  const [ran] = lines.flatMap((line) => line.ran ?? []);
  return html`
    <ul class="checks card">
      ${lines.map(
        (line, at) =>
          html`
            ${
              at === left &&
              html`
                <li>
                  <strong>${locale.t('check_left')}</strong>
                  ${ran !== undefined && html` <span class="faint">· ${locale.moment(ran)}</span>`}
                </li>
              `
            }
            <li>
              ${badge(checkTone[line.level], locale.t(`check_${line.level}`))} ${checkWords(line, locale)}
            </li>
          `,
      )}
    </ul>
  `;
}

function checkWords({ what, hint, said }: CheckedLine, locale: Locale): Html {
  const words = locale.isSource ? undefined : problemWords(said, locale);
  if (words !== undefined) return html`<span>${words}</span>`;
  return html`<span lang="en" dir="ltr">${what}${hint && html` <span class="faint">${hint}</span>`}</span>`;
}

const checkTone = { ok: 'ok', warn: 'attention', fail: 'bad' } as const;

const notice = (
  { tone, message, undo = [], lines = [], typed }: PageNotice,
  { formToken, locale, here }: Viewer,
): Html =>
  html`
    <div class="notice ${toneClass[tone]}" id="told" role="${tone === 'ok' ? 'status' : 'alert'}"
      tabindex="-1"${typed === undefined && html` autofocus`}>
      ${icon(tone)}<span>${message}</span>
      ${
        undo.length > 0 &&
        html`
          <form method="post" action="/admin/bookings/many/undo" data-undo>
            ${formField(formToken, here)}
            <input type="hidden" name="picks"
              value="${undo.map(({ ref, seen }) => `${ref}.${seen}`).join(' ')}">
            <button class="quiet">${locale.t('undo')}</button>
          </form>
        `
      }
    </div>
    ${lines.length > 0 && checkList(lines, locale)}
  `;

export const hidden = (name: string, value: string): Html =>
  html`<input type="hidden" name="${name}" value="${value}">`;

/** What every form has; `back` is where its action leads. */
export const formField = (formToken: string, back?: string): Html =>
  html`${hidden('form_token', formToken)}${back !== undefined && hidden('back', back)}`;

export const toneClass: Record<Tone, string> = { ok: 'is-ok', attention: 'is-attention', bad: 'is-bad' };

/** A tone as shape, colour and word. */
export const badge = (tone: Tone, text: string): Html =>
  html`<span class="badge ${toneClass[tone]}">${icon(tone)}${text}</span>`;
