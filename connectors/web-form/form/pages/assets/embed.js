/*
 * For the surrounding website: sizes frames and passes on the campaign of the page and whether it is dark. A frame is
 * found by its address or by its message, whenever it appears and wherever this script is: in the head, in a module,
 * joined with others, or loaded after the consent to it.
 */
/** @type {(connector: string, campaign: readonly string[]) => void} */
(connector, campaign) => {
  const once = `clinicSync ${connector}`;
  if (once in window) return;
  Object.assign(window, { [once]: true });

  const known = new Set();
  /** @param {HTMLIFrameElement} frame */
  const addressOf = (frame) => {
    try {
      const url = new URL(frame.src);
      const [page, last] = url.pathname.split('/').reverse();
      return page === 'form' && decodeURIComponent(last) === connector ? url : null;
    } catch (_) {
      return null;
    }
  };
  const isDark = () => {
    /** @type {HTMLElement | null} */
    let element = document.body;
    for (; element; element = element.parentElement) {
      const [r, g, b, a = 1] = (getComputedStyle(element).backgroundColor.match(/[\d.]+/g) || []).map(Number);
      if (a > 0.5) return 0.299 * r + 0.587 * g + 0.114 * b < 110;
    }
    return getComputedStyle(document.documentElement).colorScheme === 'dark';
  };
  /**
   * Tells the form where the visitor comes from.
   *
   * @param {URLSearchParams} params
   */
  const addOrigin = (params) => {
    const before = params.toString();
    for (const [name, value] of new URLSearchParams(location.search))
      if (campaign.includes(name) && !params.has(name)) params.set(name, value);
    const from = document.referrer;
    if (params.toString() === before && (!from || new URL(from).origin === location.origin)) return;
    params.set('landing_page', location.origin + location.pathname);
    if (from) params.set('referrer', from.split(/[?#]/)[0]);
  };
  /** @param {URLSearchParams} params */
  const addTheme = (params) => {
    if (!params.has('theme') && isDark() !== matchMedia('(prefers-color-scheme: dark)').matches)
      params.set('theme', isDark() ? 'dark' : 'light');
  };
  /** @param {HTMLIFrameElement} frame */
  const meet = (frame, src = addressOf(frame)) => {
    if (!src || known.has(frame)) return;
    known.add(frame);
    addOrigin(src.searchParams);
    addTheme(src.searchParams);
    frame.style.border = '0';
    if (!frame.style.width && !frame.getAttribute('width')) frame.style.width = '100%';
    if (src.href !== frame.src) frame.src = src.href;
    else if (frame.contentWindow) frame.contentWindow.postMessage('height', '*');
  };
  const look = () => {
    for (const frame of document.querySelectorAll('iframe')) meet(frame);
  };

  /** @type {(frame: HTMLIFrameElement, wanted: number, isFollowing: boolean) => void} */
  const resize = (frame, wanted, isFollowing) => {
    if (!(wanted > 0 && wanted < 20000)) return;
    frame.style.height = `${Math.ceil(wanted)}px`;
    if (isFollowing && frame.getBoundingClientRect().top < 0) frame.scrollIntoView();
  };
  addEventListener('message', ({ origin, source, data }) => {
    if (!data || typeof data !== 'object' || !(data.clinicSyncHeight || data.clinicSyncNext)) return;
    const frame = [...document.querySelectorAll('iframe')].find((one) => one.contentWindow === source);
    // A sandboxed frame has no origin.
    if (!frame || (origin !== 'null' && origin !== new URL(frame.src).origin)) return;
    // At an address of the clinic's own, it is known by its message.
    meet(frame, new URL(frame.src));
    if (!/^https?:/.test(data.clinicSyncNext))
      resize(frame, Number(data.clinicSyncHeight), data.clinicSyncTop);
    else if (addressOf(frame)) location.assign(data.clinicSyncNext);
  });
  new MutationObserver(look).observe(document, {
    childList: true,
    subtree: true,
    attributes: true,
    attributeFilter: ['src'],
  });
  if (document.body) look();
};
