/*
 * What the form's pages do in a browser with scripts; without, they work, too. A file of its own rather than inline,
 * because what is in front of clinic-sync may move inline scripts or change them, and the policy then forbids them.
 */
(() => {
  const form = document.querySelector('form');
  /** @type {HTMLElement | null} */
  const box = document.querySelector('[data-challenge]');
  const summary = document.querySelector('.summary');
  const isFramed = parent !== window;

  /** @type {(form: HTMLFormElement, name: string) => HTMLInputElement} */
  const field = ({ elements }, name) => /** @type {HTMLInputElement} */ (elements.namedItem(name));

  function sizeFrame() {
    let isFollowing = summary !== null || form === null;
    const tell = () =>
      parent.postMessage(
        { clinicSyncHeight: document.documentElement.offsetHeight, clinicSyncTop: isFollowing },
        '*',
      );
    /** @type {HTMLAnchorElement | null} */
    const next = document.querySelector('[data-next]');
    if (next) parent.postMessage({ clinicSyncNext: next.href }, '*');
    addEventListener('message', tell);
    // A frame that is not in view is not laid out anew until then.
    tell();
    addEventListener('load', tell);
    if (!window.ResizeObserver) return;
    const observer = new ResizeObserver(() => {
      tell();
      isFollowing = false;
    });
    observer.observe(document.documentElement);
  }

  /**
   * Browsers that go back load the page anew and get another form; the entry of the history knows the first one, so
   * that what is sent again is recognized.
   *
   * @param {HTMLFormElement} form
   */
  function keepFirst(form) {
    try {
      const [id, token] = [field(form, 'submission_id'), field(form, 'form_token')];
      const known = {
        submission_id: id.value,
        form_token: token.value,
        challenge: box && box.dataset.challenge,
      };
      const first = history.state && history.state.clinicSyncForm;
      if (!first || first.form_token.split('.')[1] !== known.form_token.split('.')[1])
        return history.replaceState(Object.assign({}, history.state, { clinicSyncForm: known }), '');
      id.value = first.submission_id;
      token.value = first.form_token;
      if (box && first.challenge) box.dataset.challenge = first.challenge;
    } catch (_) {
      // A page that may not use its history is a form like any other.
    }
  }

  /**
   * Offers the times at which the clinic is open on the chosen day.
   *
   * @param {HTMLFormElement} form
   */
  function narrowTimes(form) {
    const day = field(form, 'appointment_date');
    /** @type {HTMLSelectElement | null} */
    const time = form.querySelector('select[data-hours]');
    if (!day || !time) return;
    const hours = JSON.parse(time.dataset.hours || '{}');
    const narrow = () => {
      const open = hours[new Date(day.value).getUTCDay() || 7];
      for (const choice of time.options) {
        if (!/^\d/.test(choice.value)) continue;
        choice.disabled = Boolean(open) && (choice.value < open[0] || choice.value >= open[1]);
        choice.hidden = choice.disabled;
        if (choice.disabled && choice.selected) time.value = '';
      }
    };
    day.addEventListener('change', narrow);
    narrow();
  }

  /** @param {string} hex */
  const bytes = (hex) => Uint8Array.from(hex.match(/../g) || [], (pair) => Number.parseInt(pair, 16));

  /** @param {string} task */
  async function solve(task) {
    const challenge = JSON.parse(atob(task));
    const { nonce, salt, cost, keyLength, keyPrefix } = challenge.parameters;
    const password = new Uint8Array([...bytes(nonce), 0, 0, 0, 0]);
    const counted = new DataView(password.buffer);
    const algorithm = { name: 'PBKDF2', hash: 'SHA-256', salt: bytes(salt), iterations: cost };
    for (let counter = 0; ; counter += 1) {
      counted.setUint32(password.length - 4, counter);
      const key = await crypto.subtle.importKey('raw', password, 'PBKDF2', false, ['deriveBits']);
      const bits = await crypto.subtle.deriveBits(algorithm, key, keyLength * 8);
      const digits = Array.from(new Uint8Array(bits), (byte) => byte.toString(16).padStart(2, '0'));
      const derivedKey = digits.join('');
      if (derivedKey.startsWith(keyPrefix))
        return btoa(JSON.stringify({ challenge, solution: { counter, derivedKey } }));
    }
  }

  /**
   * Done while the visitor types; a form that is sent sooner waits for it.
   *
   * @type {(form: HTMLFormElement, box: HTMLElement, send: () => void) => Promise<void>}
   */
  async function proveWork(form, box, send) {
    const status = /** @type {HTMLElement} */ (box.querySelector('[role=status]'));
    const answer = /** @type {HTMLInputElement} */ (box.querySelector('input'));
    let isDone = false;
    let isWaiting = false;
    form.addEventListener('submit', (event) => {
      if (isDone) return send();
      event.preventDefault();
      isWaiting = true;
      status.hidden = false;
    });
    try {
      answer.value = await solve(box.dataset.challenge || '');
    } catch (_) {
      // As in proof-of-work.ts.
      answer.value = window.isSecureContext ? '!failed' : '!insecure';
    }
    isDone = true;
    status.hidden = true;
    if (!isWaiting) return;
    send();
    form.submit();
  }

  if (isFramed) sizeFrame();
  if (!form) return;
  if (!summary) keepFirst(form);
  narrowTimes(form);

  let isLeaving = false;
  addEventListener('pagehide', () => {
    isLeaving = true;
  });
  addEventListener('pageshow', () => {
    isLeaving = false;
  });
  // In a frame that may not leave for the clinic's thank-you page, the form is sent within the frame.
  const send = () => {
    if (!isFramed || form.target !== '_top') return;
    setTimeout(() => {
      if (isLeaving) return;
      field(form, 'form_frame').value = 'yes';
      form.target = '';
      form.submit();
    }, 3000);
  };
  if (box) void proveWork(form, box, send);
  else form.addEventListener('submit', send);
})();
