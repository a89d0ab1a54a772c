import { html, toText } from '../../model/html.ts';
import { icon, layout } from './layout.ts';

/** Asks for the admin token; `next` is where to go afterwards. */
export const signInPage = ({ next, fault }: { next: string; fault?: string }): string =>
  toText(
    layout({
      title: 'Sign in',
      body: html`<section class="card narrow"><h1>Sign in</h1>
${fault !== undefined && html`<p class="notice is-bad" role="alert">${icon('not_syncing')}<span>${fault}</span></p>`}
<form method="post" action="/admin/sign-in"><input type="hidden" name="next" value="${next}">
<label>Admin token <span class="faint">from the configuration, <code>http.admin_token</code></span><input type="password" name="token" autocomplete="current-password" required autofocus></label>
<label>Your name <span class="faint">is kept with what you decide</span><input name="name" autocomplete="name" maxlength="60"></label>
<button>Sign in</button></form></section>`,
    }),
  );
