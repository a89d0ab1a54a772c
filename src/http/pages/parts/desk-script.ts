/**
 * Served at `/assets/desk.js`; every page works without it. Keyboard shortcuts of the bookings list, protection against
 * double submits, and the ten-second undo. What was typed into a form that was then refused, or sent after the session had
 * ended, is filled in again when its page is next opened in the tab.
 */
export const deskScript = `'use strict';
(() => {
  const rows = () => [...document.querySelectorAll('tbody tr:has(.pick)')];
  const boxOf = (row) => row && row.querySelector('.pick input');
  let at = -1;
  const go = (to) => {
    const all = rows();
    if (all.length === 0) return;
    at = Math.max(0, Math.min(all.length - 1, to));
    const link = all[at].querySelector('.pick a');
    link.focus();
    all[at].scrollIntoView({ block: 'nearest' });
  };
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    const { target, key } = event;
    const typing = target.matches('input:not([type=checkbox]), textarea, select');
    if (typing) {
      if (key === 'Escape') target.blur();
      return;
    }
    const here = rows().findIndex((row) => row.contains(document.activeElement));
    if (here >= 0) at = here;
    if (key === 'j') go(at + 1);
    else if (key === 'k') go(at - 1);
    else if (key === 'x' && boxOf(rows()[at])) boxOf(rows()[at]).click();
    else if (key === '/') document.querySelector('input[type=search]')?.focus();
    else return;
    event.preventDefault();
  });
  document.addEventListener('submit', (event) => {
    if (event.target.dataset.sent) return event.preventDefault();
    event.target.dataset.sent = 'yes';
    const { action, elements } = event.target;
    const typed = [...elements].filter(isTyped).map(({ name, value }) => [name, value]);
    if (typed.length > 0) sessionStorage.setItem(TYPED, JSON.stringify({ action, typed, at: Date.now() }));
  });
  const TYPED = 'typed';
  const isTyped = (field) =>
    field.matches('.ways select') ? !field.selectedOptions[0]?.defaultSelected
    : field.matches('.ways :is(input:not([type=hidden], [type=checkbox]), textarea)') && field.value !== field.defaultValue;
  const last = JSON.parse(sessionStorage.getItem(TYPED) ?? 'null');
  const form = last && [...document.forms].find((one) => one.action === last.action && one.elements.namedItem(last.typed[0][0]));
  if (form || Date.now() - last?.at > 900000) sessionStorage.removeItem(TYPED);
  if (form && !document.querySelector('.notice.is-ok'))
    for (const [name, value] of last.typed) {
      const field = form.elements.namedItem(name);
      if (field) field.value = value;
    }
  addEventListener('pageshow', () => {
    for (const form of document.forms) delete form.dataset.sent;
  });
  const undo = document.querySelector('form[data-undo]');
  if (undo) setTimeout(() => undo.remove(), 10000);
})();
`;
