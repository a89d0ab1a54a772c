import { html, type Part } from '../../platform/text/html.ts';
import type { Locale } from '../../platform/text/locale.ts';
import { icon, layout } from './parts/layout.ts';

interface SignInPage {
  locale: Locale;
  /** Where to go afterwards. */
  next: string;
  fault?: Part;
  /** Signs people in beside tokens. `problem`: why nobody can go there now. */
  provider?: { name: string; href: string; problem?: Part } | undefined;
  takesTokens: boolean;
  /** Whether an admin token exists; only its holders give a name. */
  asksName: boolean;
}

const alert = (text: Part) =>
  html`<p class="notice is-bad" role="alert">${icon('bad')}<span>${text}</span></p>`;

export function signInPage({ locale, next, fault, provider, takesTokens, asksName }: SignInPage): string {
  const { t } = locale;
  return layout({
    title: t('sign_in'),
    locale,
    body: html`
      <section class="card narrow">
        <h1>${t('sign_in')}</h1>
        ${fault !== undefined && alert(fault)}
        ${provider !== undefined && providerPart(provider, locale)}
        ${
          takesTokens &&
          html`
            <form method="post" action="/admin/sign-in">
              <input type="hidden" name="next" value="${next}">
              <label>
                ${t('sign_in_token')} <span class="faint">${t('sign_in_token_hint')}</span>
                <input type="password" name="token" autocomplete="current-password" required${
                  provider === undefined && html` autofocus`
                }>
              </label>
              ${
                asksName &&
                html`
                  <label>
                    ${t('sign_in_name')} <span class="faint">${t('sign_in_name_hint')}</span>
                    <input name="name" autocomplete="name" maxlength="60">
                  </label>
                `
              }
              <button${provider !== undefined && html` class="quiet"`}>${t('sign_in')}</button>
            </form>
          `
        }
      </section>
    `,
  });
}

function providerPart({ name, href, problem }: SignInPage['provider'] & {}, { t }: Locale): Part {
  if (problem !== undefined) return alert(html`${t('provider_down', { name })} ${problem}`);
  return html`<a class="button" href="${href}">${t('sign_in_with', { name })}</a>`;
}

interface NoRolePage {
  /** The person, as the provider calls them. */
  name: string;
  provider: string;
  /** The claim that decides the role, and its values. */
  claim: string;
  values: readonly string[];
  /** The provider left them out. */
  isTooMany: boolean;
}

const MOST_VALUES = 50;

/** For people whom the provider knows and who have no role here; they see what whoever gives them one has to know. */
export function noRolePage(locale: Locale, { name, provider, claim, values, isTooMany }: NoRolePage): string {
  const { t } = locale;
  const shown = values.slice(0, MOST_VALUES);
  const sent =
    shown.length === 0
      ? html`<p>${t(isTooMany ? 'no_role_too_many' : 'no_role_empty', { claim, provider })}</p>`
      : html`
        <p>${t('no_role_values', { claim })}</p>
        <ul>${shown.map((value) => html`<li><code>${value}</code></li>`)}</ul>
      `;
  return layout({
    title: t('no_role'),
    locale,
    body: html`
      <section class="message">
        <h1>${t('no_role')}</h1>
        <p>${t('no_role_ask', { name, provider })}</p>
        ${sent}
        <p><a href="/admin/sign-in">${t('sign_in')}</a></p>
      </section>
    `,
  });
}
