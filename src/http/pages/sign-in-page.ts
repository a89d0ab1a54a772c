import { html } from '../../platform/text/html.ts';
import type { Locale } from '../../platform/text/locale.ts';
import { icon, layout } from './parts/layout.ts';

interface SignInPage {
  locale: Locale;
  /** Where to go afterwards. */
  next: string;
  fault?: string;
  /** Whether an admin token exists; only its holders give a name. */
  asksName: boolean;
}

export function signInPage({ locale, next, fault, asksName }: SignInPage): string {
  const { t } = locale;
  return layout({
    title: t('sign_in'),
    locale,
    body: html`
      <section class="card narrow">
        <h1>${t('sign_in')}</h1>
        ${
          fault !== undefined &&
          html`<p class="notice is-bad" role="alert">${icon('bad')}<span>${fault}</span></p>`
        }
        <form method="post" action="/admin/sign-in">
          <input type="hidden" name="next" value="${next}">
          <label>
            ${t('sign_in_token')} <span class="faint">${t('sign_in_token_hint')}</span>
            <input type="password" name="token" autocomplete="current-password" required autofocus>
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
          <button>${t('sign_in')}</button>
        </form>
      </section>
    `,
  });
}
