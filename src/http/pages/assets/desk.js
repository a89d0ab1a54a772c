/*
 * Every page works without it. Keyboard shortcuts and the print button of the bookings list, protection against double
 * submits, and the ten-second undo. What was typed into a form that was then refused, or sent after the session had
 * ended, is filled in again when its page is next opened in the tab.
 */
(() => {
  const rows = () => [...document.querySelectorAll('tbody tr:has(.pick)')];
  let at = -1;
  /** @param {number} to */
  const go = (to) => {
    const all = rows();
    if (all.length === 0) return;
    at = Math.max(0, Math.min(all.length - 1, to));
    /** @type {HTMLElement | null} */
    const link = all[at].querySelector('.pick a');
    link?.focus();
    all[at].scrollIntoView({ block: 'nearest' });
  };
  /** @param {string} key */
  const press = (key) => {
    const here = rows().findIndex((row) => row.contains(document.activeElement));
    if (here >= 0) at = here;
    /** @type {HTMLElement | null | undefined} */
    const box = rows()[at]?.querySelector('.pick input');
    /** @type {HTMLElement | null} */
    const search = document.querySelector('input[type=search]');
    if (key === 'j') go(at + 1);
    else if (key === 'k') go(at - 1);
    else if (key === 'x' && box) box.click();
    else if (key === '/') search?.focus();
    else return false;
    return true;
  };
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    const target = /** @type {HTMLElement} */ (event.target);
    if (!target.matches('input:not([type=checkbox]), textarea, select')) {
      if (press(event.key)) event.preventDefault();
    } else if (event.key === 'Escape') target.blur();
  });

  /** @typedef {HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement} Field */
  const TYPED = 'typed';
  const TEXTS = '.ways :is(input:not([type=hidden], [type=checkbox]), textarea)';
  /** @param {Field} field */
  const isTyped = (field) =>
    'selectedOptions' in field
      ? field.matches('.ways select') && !field.selectedOptions[0]?.defaultSelected
      : field.matches(TEXTS) && field.value !== field.defaultValue;
  document.addEventListener('submit', (event) => {
    const form = /** @type {HTMLFormElement} */ (event.target);
    if (form.dataset.sent) return event.preventDefault();
    form.dataset.sent = 'yes';
    const fields = /** @type {Field[]} */ ([...form.elements]);
    const typed = fields.filter(isTyped).map(({ name, value }) => [name, value]);
    if (typed.length === 0) return;
    sessionStorage.setItem(TYPED, JSON.stringify({ action: form.action, typed, at: Date.now() }));
  });
  /** @param {{ action: string, typed: [string, string][], at: number }} last */
  const fillIn = ({ action, typed, at }) => {
    const form = [...document.forms].find(
      (one) => one.action === action && one.elements.namedItem(typed[0][0]),
    );
    if (form || Date.now() - at > 900_000) sessionStorage.removeItem(TYPED);
    if (!form || document.querySelector('.notice.is-ok')) return;
    for (const [name, value] of typed) {
      const field = /** @type {Field | null} */ (form.elements.namedItem(name));
      if (field) field.value = value;
    }
  };
  const last = JSON.parse(sessionStorage.getItem(TYPED) ?? 'null');
  if (last) fillIn(last);
  addEventListener('pageshow', () => {
    for (const { dataset } of document.forms) delete dataset.sent;
  });
  /** @type {NodeListOf<HTMLButtonElement>} */
  const prints = document.querySelectorAll('[data-print]');
  for (const button of prints) {
    button.hidden = false;
    button.addEventListener('click', () => print());
  }
  const undo = document.querySelector('form[data-undo]');
  if (undo) setTimeout(() => undo.remove(), 10_000);
})();
