/**
 * Served at `/assets/live.js`. When notified of a change, it loads the page again and replaces the parts that differ,
 * so that the reader's place, focus and open lists stay, and shows what became of an action that took long. It skips
 * parts with typed text, a ticked box, or the pointer over them, and parts before a button under the pointer, which
 * would move away from it.
 */
export const liveScript = `'use strict';
(() => {
  const base = document.currentScript.src.replace(/assets\\/live\\.js.*$/, '');
  let loading = false, again = false, timer;
  const typing = (part) => part.contains(document.activeElement) && document.activeElement.matches('input:not([type=checkbox]), textarea, select');
  const busy = (part) => typing(part) || part.querySelector('details.sure[open], input:checked, a:hover, button:hover, input:hover, summary:hover');
  async function load() {
    if (loading) { again = true; return; }
    loading = true;
    const pointed = document.querySelector('main button:hover');
    const moves = (part) => pointed && part.compareDocumentPosition(pointed) & Node.DOCUMENT_POSITION_FOLLOWING;
    try {
      const answer = await fetch(location.href, { headers: { accept: 'text/html', 'x-update': '1' } });
      if (answer.redirected) return location.reload();
      if (!answer.ok) return;
      const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
      for (const part of document.querySelectorAll('[data-live]')) {
        const fresh = page.getElementById(part.id);
        if (!fresh || busy(part) || moves(part) || fresh.outerHTML === part.outerHTML) continue;
        const open = [...part.querySelectorAll('details')].map((one) => one.open);
        const focused = part.contains(document.activeElement) ? [...part.querySelectorAll('a, button, summary, input')].indexOf(document.activeElement) : -1;
        fresh.querySelectorAll('details').forEach((one, n) => { one.open = open[n] || false; });
        part.replaceWith(fresh);
        if (focused >= 0) fresh.querySelectorAll('a, button, summary, input')[focused]?.focus({ preventScroll: true });
      }
      const told = page.getElementById('told'), shown = document.getElementById('told');
      if (told && told.textContent !== shown?.textContent) shown ? shown.replaceWith(told) : document.getElementById('main').prepend(told);
      document.title = page.title;
      const icon = document.querySelector('link[rel=icon]'), freshIcon = page.querySelector('link[rel=icon]');
      if (icon && freshIcon) icon.href = freshIcon.href;
    } catch {} finally {
      loading = false;
      if (again) { again = false; soon(); }
    }
  }
  function soon() { clearTimeout(timer); timer = setTimeout(load, 300); }
  let stream;
  function connect() {
    if (stream || document.hidden) return;
    stream = new EventSource(base + 'live');
    stream.onmessage = soon;
    // A browser does not reopen a stream that was refused.
    stream.onerror = () => {
      if (stream?.readyState !== EventSource.CLOSED) return;
      stream = undefined;
      setTimeout(() => { connect(); soon(); }, 30000);
    };
  }
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) { stream?.close(); stream = undefined; } else { connect(); soon(); }
  });
  connect();
})();
`;
