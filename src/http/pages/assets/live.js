/*
 * When notified of a change, loads the page again and replaces the parts that differ, so that the reader's place, focus
 * and open lists stay, and shows what became of an action that took long. It skips parts with typed text, a ticked box,
 * or the pointer over them, and parts before a button under the pointer, which would move away from it.
 */
(() => {
  const script = /** @type {HTMLScriptElement} */ (document.currentScript);
  const base = script.src.replace(/assets\/live\.js.*$/, '');
  const FOCUSABLE = 'a, button, summary, input';
  const TYPED_INTO = 'input:not([type=checkbox]), textarea, select';
  const BUSY = 'details.sure[open], input:checked, a:hover, button:hover, input:hover, summary:hover';
  let isLoading = false;
  let isOutdated = false;
  /** @type {number | undefined} */
  let timer;

  /** @param {Element} part */
  function isBusy(part) {
    const [active, pointed] = [document.activeElement, document.querySelector('main button:hover')];
    if (active?.matches(TYPED_INTO) && part.contains(active)) return true;
    if (pointed && part.compareDocumentPosition(pointed) & Node.DOCUMENT_POSITION_FOLLOWING) return true;
    return part.querySelector(BUSY) !== null;
  }

  /** @type {(part: Element, page: Document) => void} */
  function update(part, page) {
    const fresh = page.getElementById(part.id);
    if (!fresh || isBusy(part) || fresh.outerHTML === part.outerHTML) return;
    const open = [...part.querySelectorAll('details')].map((list) => list.open);
    const { activeElement } = document;
    const focused = activeElement ? [...part.querySelectorAll(FOCUSABLE)].indexOf(activeElement) : -1;
    fresh.querySelectorAll('details').forEach((list, n) => {
      list.open = open[n] || false;
    });
    part.replaceWith(fresh);
    /** @type {NodeListOf<HTMLElement>} */
    const choices = fresh.querySelectorAll(FOCUSABLE);
    choices[focused]?.focus({ preventScroll: true });
  }

  /** @param {Document} page */
  function updateHead(page) {
    document.title = page.title;
    /** @type {HTMLLinkElement[]} */
    const [icon, fresh] = [document, page].flatMap((one) => one.querySelector('link[rel=icon]') ?? []);
    if (fresh) icon.href = fresh.href;
  }

  /** @param {Document} page */
  function updateNotice(page) {
    const [shown, fresh] = [document, page].map((one) => one.getElementById('told'));
    if (!fresh || fresh.textContent === shown?.textContent) return;
    shown ? shown.replaceWith(fresh) : document.getElementById('main')?.prepend(fresh);
  }

  async function load() {
    if (isLoading) {
      isOutdated = true;
      return;
    }
    isLoading = true;
    try {
      const answer = await fetch(location.href, { headers: { accept: 'text/html', 'x-update': '1' } });
      if (answer.redirected) return location.reload();
      if (!answer.ok) return;
      const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
      for (const part of document.querySelectorAll('[data-live]')) update(part, page);
      updateNotice(page);
      updateHead(page);
    } catch {
      // The next message tries again.
    } finally {
      isLoading = false;
      if (isOutdated) {
        isOutdated = false;
        soon();
      }
    }
  }
  function soon() {
    clearTimeout(timer);
    timer = setTimeout(load, 300);
  }

  /** @type {EventSource | undefined} */
  let stream;
  function connect() {
    if (stream || document.hidden) return;
    stream = new EventSource(`${base}live`);
    stream.onmessage = soon;
    // A browser does not reopen a stream that was refused.
    stream.onerror = () => {
      if (stream?.readyState !== EventSource.CLOSED) return;
      stream = undefined;
      setTimeout(() => {
        connect();
        soon();
      }, 30_000);
    };
  }
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) {
      stream?.close();
      stream = undefined;
    } else {
      connect();
      soon();
    }
  });
  connect();
})();
