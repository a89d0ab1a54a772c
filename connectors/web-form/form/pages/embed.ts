/**
 * `embed.js` for the surrounding website: sizes frames and passes on the campaign of the page and whether it is dark. A
 * frame is found by its address or by its message, whenever it appears and wherever this script is: in the head, in a
 * module, joined with others, or loaded after the consent to it.
 */
export const embedScript = (connector: string, campaign: readonly string[]): string => `(() => {
  const name = ${JSON.stringify(connector)};
  const once = 'clinicSync ' + name;
  if (window[once]) return;
  window[once] = true;

  const known = new Set();
  const addressOf = (frame) => {
    try {
      const url = new URL(frame.src);
      const [page, last] = url.pathname.split('/').reverse();
      return page === 'form' && decodeURIComponent(last) === name ? url : null;
    } catch (_) { return null; }
  };
  const isDark = () => {
    for (let element = document.body; element; element = element.parentElement) {
      const [r, g, b, a = 1] = (getComputedStyle(element).backgroundColor.match(/[\\d.]+/g) || []).map(Number);
      if (a > 0.5) return 0.299 * r + 0.587 * g + 0.114 * b < 110;
    }
    return getComputedStyle(document.documentElement).colorScheme === 'dark';
  };
  const meet = (frame, src = addressOf(frame)) => {
    if (!src || known.has(frame)) return;
    known.add(frame);
    const here = new URLSearchParams(location.search);
    for (const one of ${JSON.stringify(campaign)})
      if (here.has(one) && !src.searchParams.has(one)) src.searchParams.set(one, here.get(one));
    const from = document.referrer;
    if (src.href !== frame.src || (from && new URL(from).origin !== location.origin)) {
      src.searchParams.set('landing_page', location.origin + location.pathname);
      if (from) src.searchParams.set('referrer', from.split(/[?#]/)[0]);
    }
    if (!src.searchParams.has('theme') && isDark() !== matchMedia('(prefers-color-scheme: dark)').matches)
      src.searchParams.set('theme', isDark() ? 'dark' : 'light');
    frame.style.border = '0';
    if (!frame.style.width && !frame.getAttribute('width')) frame.style.width = '100%';
    if (src.href !== frame.src) frame.src = src.href;
    else if (frame.contentWindow) frame.contentWindow.postMessage('height', '*');
  };
  const look = () => document.querySelectorAll('iframe').forEach((frame) => meet(frame));

  addEventListener('message', ({ origin, source, data }) => {
    if (!data || typeof data !== 'object' || !(data.clinicSyncHeight || data.clinicSyncNext)) return;
    const frame = [...document.querySelectorAll('iframe')].find((one) => one.contentWindow === source);
    // A sandboxed frame has no origin.
    if (!frame || (origin !== 'null' && origin !== new URL(frame.src).origin)) return;
    // At an address of the clinic's own, it is known by its message.
    meet(frame, new URL(frame.src));
    if (/^https?:/.test(data.clinicSyncNext)) return addressOf(frame) && location.assign(data.clinicSyncNext);
    const height = Number(data.clinicSyncHeight);
    if (!(height > 0 && height < 20000)) return;
    frame.style.height = Math.ceil(height) + 'px';
    if (data.clinicSyncTop && frame.getBoundingClientRect().top < 0) frame.scrollIntoView();
  });
  new MutationObserver(look).observe(document, { childList: true, subtree: true, attributes: true, attributeFilter: ['src'] });
  if (document.body) look();
})();
`;
