import { hash } from 'node:crypto';
import { html, toText } from '../../../src/platform/html.ts';

/** Tells the page that frames the form how high it is. Only websites named in `frame-ancestors` can be that page. */
export const heightScript = html`<script>let isFollowing = document.querySelector('.summary') !== null || document.querySelector('form') === null;
const tell = () => parent.postMessage({ clinicSyncHeight: document.documentElement.offsetHeight, clinicSyncTop: isFollowing }, '*');
addEventListener('message', tell);
new ResizeObserver(() => { tell(); isFollowing = false; }).observe(document.documentElement);</script>`;

/** CSP source that allows this script and no other. */
export const heightScriptSource = `'sha256-${hash('sha256', toText(heightScript).replace(/<\/?script>/g, ''), 'base64')}'`;

/** `embed.js` for the surrounding website: sizes the frame and passes on the campaign of the page. */
export const embedScript = (campaign: readonly string[]): string => `(() => {
  const form = new URL('form', document.currentScript.src);
  const frames = [...document.querySelectorAll('iframe')].filter((frame) => frame.src.startsWith(form.href));
  const here = new URLSearchParams(location.search);
  for (const frame of frames) {
    const src = new URL(frame.src);
    for (const name of ${JSON.stringify(campaign)})
      if (here.has(name) && !src.searchParams.has(name)) src.searchParams.set(name, here.get(name));
    const from = document.referrer;
    if (src.href !== frame.src || (from && new URL(from).origin !== location.origin)) {
      src.searchParams.set('landing_page', location.origin + location.pathname);
      if (from) src.searchParams.set('referrer', from.split(/[?#]/)[0]);
    }
    if (src.href !== frame.src) frame.src = src.href;
    else frame.contentWindow.postMessage('height', form.origin);
  }
  addEventListener('message', ({ origin, source, data }) => {
    const frame = origin === form.origin && frames.find((one) => one.contentWindow === source);
    const height = Number(data && data.clinicSyncHeight);
    if (!frame || !(height > 0 && height < 20000)) return;
    frame.style.height = Math.ceil(height) + 'px';
    if (data.clinicSyncTop && frame.getBoundingClientRect().top < 0) frame.scrollIntoView();
  });
})();
`;
