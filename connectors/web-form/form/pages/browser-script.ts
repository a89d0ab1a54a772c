import { hash } from 'node:crypto';
import { type Html, html } from '../../../../src/platform/text/html.ts';
import { type Here, PAGE } from '../here.ts';
import { BROWSER_FAILED, BROWSER_INSECURE } from '../proof-of-work.ts';

/**
 * What the form's pages do in a browser with scripts; without, they work, too. A file of its own rather than inline,
 * because what is in front of clinic-sync may move inline scripts or change them, and the policy then forbids them.
 *
 * Back: browsers that load the page anew get another form; the entry of the history knows the first one, so that what
 * is sent again is recognized. Proof of work: done while the visitor types, and a form that is sent sooner waits for it.
 * In a frame that may not leave for the clinic's thank-you page, the form is sent within the frame.
 */
export const browserScript = `(async () => {
  const form = document.querySelector('form');
  const box = document.querySelector('[data-challenge]');
  const summary = document.querySelector('.summary');
  const isFramed = parent !== window;
  const field = (name) => form.elements[name];

  let isFollowing = summary !== null || form === null;
  const tell = () => parent.postMessage({ clinicSyncHeight: document.documentElement.offsetHeight, clinicSyncTop: isFollowing }, '*');
  if (isFramed) {
    const next = document.querySelector('[data-next]');
    if (next) parent.postMessage({ clinicSyncNext: next.href }, '*');
    addEventListener('message', tell);
    // A frame that is not in view is not laid out anew until then.
    tell();
    addEventListener('load', tell);
    if (window.ResizeObserver) new ResizeObserver(() => { tell(); isFollowing = false; }).observe(document.documentElement);
  }
  if (!form) return;

  if (!summary) try {
    const first = history.state && history.state.clinicSyncForm;
    const known = { submission_id: field('submission_id').value, form_token: field('form_token').value, challenge: box && box.dataset.challenge };
    if (first && first.form_token.split('.')[1] === known.form_token.split('.')[1]) {
      field('submission_id').value = first.submission_id;
      field('form_token').value = first.form_token;
      if (box && first.challenge) box.dataset.challenge = first.challenge;
    } else history.replaceState(Object.assign({}, history.state, { clinicSyncForm: known }), '');
  } catch (_) {}

  const [day, time] = [field('appointment_date'), field('appointment_time')];
  if (day && time && time.dataset.hours) {
    const hours = JSON.parse(time.dataset.hours);
    const narrow = () => {
      const open = hours[new Date(day.value).getUTCDay() || 7];
      for (const one of time.options) if (/^\\d/.test(one.value)) {
        one.hidden = one.disabled = Boolean(open) && (one.value < open[0] || one.value >= open[1]);
        if (one.disabled && one.selected) time.value = '';
      }
    };
    day.addEventListener('change', narrow);
    narrow();
  }

  let isLeaving = false;
  addEventListener('pagehide', () => { isLeaving = true; });
  addEventListener('pageshow', () => { isLeaving = false; });
  const send = () => {
    if (isFramed && form.target === '_top') setTimeout(() => {
      if (isLeaving) return;
      field('form_frame').value = 'yes';
      form.target = '';
      form.submit();
    }, 3000);
  };
  if (!box) { form.addEventListener('submit', send); return; }

  const status = box.querySelector('[role=status]');
  let isDone = false, isWaiting = false;
  form.addEventListener('submit', (event) => {
    if (isDone) return send();
    event.preventDefault();
    isWaiting = true;
    status.hidden = false;
  });
  const answer = box.querySelector('input');
  try {
    const challenge = JSON.parse(atob(box.dataset.challenge));
    const { nonce, salt, cost, keyLength, keyPrefix } = challenge.parameters;
    const bytes = (hex) => Uint8Array.from(hex.match(/../g), (pair) => parseInt(pair, 16));
    const password = new Uint8Array([...bytes(nonce), 0, 0, 0, 0]);
    const counted = new DataView(password.buffer);
    for (let counter = 0; ; counter += 1) {
      counted.setUint32(password.length - 4, counter);
      const key = await crypto.subtle.importKey('raw', password, 'PBKDF2', false, ['deriveBits']);
      const bits = await crypto.subtle.deriveBits({ name: 'PBKDF2', hash: 'SHA-256', salt: bytes(salt), iterations: cost }, key, keyLength * 8);
      const derivedKey = Array.from(new Uint8Array(bits), (byte) => byte.toString(16).padStart(2, '0')).join('');
      if (!derivedKey.startsWith(keyPrefix)) continue;
      answer.value = btoa(JSON.stringify({ challenge, solution: { counter, derivedKey } }));
      break;
    }
  } catch (_) { answer.value = window.isSecureContext ? '${BROWSER_FAILED}' : '${BROWSER_INSECURE}'; }
  isDone = true;
  status.hidden = true;
  if (!isWaiting) return;
  send();
  form.submit();
})();
`;

const version = hash('sha256', browserScript, 'base64url').slice(0, 12);

/** Rocket Loader leaves it alone. */
export const browserScriptElement = (here: Here): Html =>
  html`<script src="${here({ [PAGE]: 'form.js', v: version })}" defer data-cfasync="false"></script>`;
