import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FormSite, startFormSite } from '../support/forms/form-site.ts';
import { formToken } from '../support/forms/web-form.ts';
import { startNodeRed } from './node-red.ts';
import { startWordPress, type WordPress } from './wordpress/wordpress.ts';

/**
 * The real tools, sending to web forms on this machine. Not part of `npm test`. It needs PHP, MariaDB's programs
 * (`mariadbd`, `mariadb`, `mariadb-install-db`) and the tools' own files:
 *
 *   FORMS_LIVE_WORDPRESS=wordpress FORMS_LIVE_ELEMENTOR=proelements npx vitest run --config test/live/vitest.config.ts form-tools
 *
 * The first is WordPress with the plugins contact-form-7 and cf7-to-zapier, the second proelements/proelements. A third,
 * FORMS_LIVE_NODE_RED, is the folder of the npm package node-red; a fourth, FORMS_LIVE_WPFORMS, the plugin wpforms-lite
 * (beside the first). What is not named is left out.
 */
const files = process.env.FORMS_LIVE_WORDPRESS ?? '';
const elementor = process.env.FORMS_LIVE_ELEMENTOR ?? '';

const nodeRed = process.env.FORMS_LIVE_NODE_RED ?? '';
const wpforms = process.env.FORMS_LIVE_WPFORMS ?? '';

const answers = {
  'your-name': 'Ann O’Neil & Co',
  'your-tel': '01712-345678',
  'your-date': '2026-03-10',
  'your-time': '3:00 PM',
  'your-treatment': 'Scaling & Polishing',
  'your-message': 'Hello\nplease note: I am allergic to "penicillin"\nand pregnant',
  utm_campaign: 'spring',
};
const lead = {
  patient_name: 'Ann O’Neil & Co',
  patient_phone: '01712-345678',
  appointment_date: '2026-03-10',
  appointment_time: '15:00',
};

describe.runIf(files !== '')('WordPress with Contact Form 7 and “CF7 to Webhook”', () => {
  let site: FormSite;
  let wordpress: WordPress;
  const hook = () => ({
    activate: '1',
    hook_url: [`${site.http.url}/in/website`],
    custom_headers: `Authorization: Bearer ${formToken}`,
  });

  beforeAll(async () => {
    site = await startFormSite({ preset: 'contact-form-7', token: formToken });
    const text =
      'Name: [your-name]\nPhone: [your-tel]\nDate: [your-date]\nTime: [your-time]\nMessage: [your-message]';
    const json = '{"your-name":"[your-name]","your-tel":"[your-tel]","your-message":"[your-message]"}';
    const forms = [
      hook(),
      { ...hook(), custom_body: text },
      { ...hook(), custom_body: json },
      { ...hook(), send_mail: '1' },
      { ...hook(), custom_headers: 'Authorization: Bearer wrong' },
      { ...hook(), activate: '0' },
    ];
    wordpress = await startWordPress({ files, elementor, forms, mail: false });
  }, 300_000);
  afterAll(async () => {
    await wordpress?.[Symbol.asyncDispose]();
    await site?.[Symbol.asyncDispose]();
  });

  /** What a form's visitor sees, and the newest booking. */
  const visit = async (form: number, more: Record<string, string> = {}) => {
    const before = new Set((await site.bookings()).map(({ ref }) => ref));
    const status = await wordpress.submit(wordpress.forms[form] ?? 0, { ...answers, ...more });
    return { status, booking: (await site.bookings()).find(({ ref }) => !before.has(ref)) };
  };

  it('books what a visitor sends', async () => {
    const { status, booking } = await visit(0);

    expect(status).toBe('mail_sent');
    expect(booking).toMatchObject({
      ...lead,
      state: 'held',
      reason: 'mapping',
      // As browsers end lines.
      note: answers['your-message'].replaceAll('\n', '\r\n'),
    });
  });

  it('loses no line of a message in a body of lines', async () => {
    const { status, booking } = await visit(1, { 'your-tel': '01712-000001' });

    expect(status).toBe('mail_sent');
    expect(booking).toMatchObject({ state: 'queued', note: answers['your-message'] });
  });

  it('has a body of its own broken by a quotation mark, which is held with all of its text', async () => {
    const { booking } = await visit(2, { 'your-tel': '01712-000002' });

    expect(booking).toMatchObject({ state: 'held', patient_name: null });
    expect(booking?.note).toContain('allergic to "penicillin"');
  });

  it('tells the visitor of an error when it is refused, or when the site’s own mail fails before it', async () => {
    const mail = await visit(3);
    const refused = await visit(4);
    const off = await visit(5);

    expect([mail, refused].map(({ status, booking }) => [status, booking])).toEqual([
      ['mail_failed', undefined],
      ['mail_failed', undefined],
    ]);
    expect(off.booking).toBeUndefined();
  });
});

describe.runIf(files !== '' && wpforms !== '')('WPForms Lite with our plugin', () => {
  const secret = 'a secret of thirty-two characters!';
  const nextYear = new Date().getUTCFullYear() + 1;
  const entry = {
    '[1][first]': 'Ann',
    '[1][last]': 'O’Neil & Co',
    '[2]': '01712-345678',
    '[3]': `10 March ${nextYear}`,
    '[4]': '3:00 PM',
    '[5]': 'Scaling & Polishing',
    '[6][]': ['Cash', 'Card'],
    '[7]': answers['your-message'],
  };

  it('books what a visitor sends, once, also when clinic-sync takes it at the second try alone', async () => {
    await using site = await startFormSite({ preset: 'wpforms', secret });
    const url = `${site.http.url}/in/website`;
    await using wordpress = await startWordPress({
      files,
      elementor: '',
      forms: [],
      mail: true,
      wpforms: { files: wpforms, url, secret },
    });
    // Its signatures have the real time.
    site.clock.jump(Date.now() - site.clock.now());

    const confirmed = await wordpress.wpforms(entry);
    const [booked, ...others] = await site.bookings();
    expect([confirmed, others]).toEqual([true, []]);
    expect(booked).toMatchObject({
      ...lead,
      appointment_date: `${nextYear}-03-10`,
      submission_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    // Lines end as WPForms keeps them.
    expect(booked?.note?.replaceAll('\r\n', '\n')).toBe(answers['your-message']);

    await wordpress.setSecret('another secret of that many letters');
    const kept = await wordpress.wpforms({ ...entry, '[2]': '01712-000009' });
    const before = await site.bookings();
    await wordpress.setSecret(secret);
    await wordpress.cron(0);
    const early = await site.bookings();
    await wordpress.cron(1);
    await wordpress.cron(1500);

    expect([kept, before.length, early.length]).toEqual([true, 1, 1]);
    expect((await site.bookings()).map(({ patient_phone }) => patient_phone).sort()).toEqual([
      '01712-000009',
      '01712-345678',
    ]);
  }, 300_000);
});

describe.runIf(files !== '' && elementor !== '')('Elementor’s own sender', () => {
  const english = {
    name: 'Name',
    phone: 'Phone',
    when: 'Preferred date',
    at: 'Preferred time',
    pay: 'Payment',
  };
  const german = { name: 'Name', phone: 'Telefon', when: 'Datum', at: 'Zeit', pay: 'Zahlung' };
  const words = { Date: 'Datum', Time: 'Zeit', 'Page URL': 'Seiten-URL' };
  const rules = {
    patient_phone: '{{Telefon}}',
    appointment_date: { from: 'Datum', format: 'MMMM D, YYYY' },
    appointment_time: '{{Zeit}}',
  };
  const ann = {
    patient_name: "Ann O'Neil",
    patient_phone: '01712-345678',
    appointment_date: '2026-03-10',
    appointment_time: '10:30',
  };

  it('books with advanced data in any language, and without it in English alone', async () => {
    await using wordpress = await startWordPress({ files, elementor, forms: [], mail: true });
    const become = async (fields: Record<string, unknown>, about: Record<string, unknown>) => {
      await using site = await startFormSite({ preset: 'elementor', token: formToken, fields });
      const said = await wordpress.elementor({ ...about, url: `${site.http.url}/in/website/${formToken}` });
      return { said, bookings: await site.bookings() };
    };

    const advanced = await become(rules, { advanced: true, labels: german, words });
    const simple = await become({}, { advanced: false, labels: english, words: {} });
    const translated = await become(rules, { advanced: false, labels: german, words });

    expect(advanced).toMatchObject({ said: 'sent', bookings: [{ ...ann, state: 'queued' }] });
    expect(simple).toMatchObject({ said: 'sent', bookings: [{ ...ann, state: 'queued' }] });
    expect(translated).toMatchObject({
      said: 'sent',
      bookings: [{ state: 'held', reason: 'invalid_field' }],
    });
  }, 300_000);
});

describe.runIf(nodeRed !== '')('Node-RED', () => {
  it('passes a lead on as JSON, gets its reference back, and is one booking when it sends again', async () => {
    await using site = await startFormSite({ preset: 'native', token: formToken });
    await using flows = await startNodeRed(nodeRed, {
      url: `${site.http.url}/in/website`,
      token: formToken,
    });

    const first = await flows.send({ ...lead, id: 'lead-1' });
    const again = await flows.send({ ...lead, id: 'lead-1' });
    const odd = await flows.send({
      ...lead,
      patient_phone: '01712-999999',
      appointment_date: '10/03/2026',
      id: 'lead-2',
    });

    const bookings = await site.bookings();
    expect(first).toMatchObject({ ok: true, state: 'queued' });
    expect(again).toEqual(first);
    expect(odd).toMatchObject({ ok: true, state: 'held', reason: 'invalid_field' });
    expect(bookings).toHaveLength(2);
    expect(bookings).toContainEqual(expect.objectContaining({ ...lead, submission_id: 'lead-1' }));
  }, 120_000);
});
