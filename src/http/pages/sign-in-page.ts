import { html } from '../../platform/html.ts';
import { icon, layout } from './layout.ts';

interface SignInPage {
  /** Where to go afterwards. */
  next: string;
  fault?: string;
  /** Whether there is an admin token; only its holders give a name. */
  asksName: boolean;
}

export const signInPage = ({ next, fault, asksName }: SignInPage): string =>
  layout({
    title: 'Sign in',
    body: html`<section class="card narrow"><h1>Sign in</h1>
${fault !== undefined && html`<p class="notice is-bad" role="alert">${icon('bad')}<span>${fault}</span></p>`}
<form method="post" action="/admin/sign-in"><input type="hidden" name="next" value="${next}">
<label>Your token <span class="faint">from the person who set up clinic-sync</span><input type="password" name="token" autocomplete="current-password" required autofocus></label>
${asksName && html`<label>Your name <span class="faint">only with the shared admin token; kept with what you decide</span><input name="name" autocomplete="name" maxlength="60"></label>`}
<button>Sign in</button></form></section>`,
  });
