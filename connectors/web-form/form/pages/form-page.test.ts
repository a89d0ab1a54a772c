import { describe, expect, it } from 'vitest';
import { hiddenIn, lead, submissionOf, visit } from '../../../../test/support/forms/form-visit.ts';
import { formToken, intakeRequest, mirrorOf, openWebForm } from '../../../../test/support/forms/web-form.ts';

const daysIn = (html: string) => [...html.matchAll(/<option value="(\d{4}-[^"]+)"/g)].map(([, day]) => day);

describe('the form', () => {
  it('offers what the clinic has now, and its opening hours', async () => {
    const { load } = await visit();

    const html = await load();

    expect(html).toContain('<option value="3">Scaling &amp; Polishing</option>');
    expect(html).toContain('<option value="7">Dr. Aoife O’Neil – Orthodontist</option>');
    expect(html).not.toContain('Gone');
    expect(html).toContain('<dt>Monday–Tuesday</dt><dd><bdi dir="ltr">09:00–17:00</bdi></dd>');
    expect(html).toContain('<dt>Friday</dt><dd>closed</dd>');
    expect(html).toMatch(
      /<option value="09:00">09:00<[\s\S]*<option value="16:45">16:45<[\s\S]*value="other">Another/,
    );
    expect(html).not.toContain('value="17:00"');
    expect(html).toContain('href="tel:+88025500 1234"'.replace(' ', ''));
  });

  it('reads the mirror once a second, however many visitors come', async () => {
    const { intake, clock } = await openWebForm({ preset: 'html-form', token: formToken });
    let reads = 0;
    const rows = async (table: string) => {
      reads += Number(table === 'dentists');
      return [];
    };
    const mirror = { ...mirrorOf(), rows };
    const load = () => intake.page(intakeRequest('', {}, { method: 'GET', path: 'form' }), mirror);

    await Promise.all(Array.from({ length: 50 }, load));
    await clock.advance(1_000);
    await load();

    expect(reads).toBe(2);
  });

  it('takes days from today on by the clinic’s calendar', async () => {
    const { load, clock } = await visit({ form: { days_ahead: 30 } });
    clock.jump(10 * 3_600_000);

    const days = daysIn(await load());

    // 19:00 UTC on 2 March is 3 March in Dhaka.
    expect(days[0]).toBe('2026-03-03');
    expect(days.at(-1)).toBe('2026-04-02');
  });

  it.each([
    [undefined, '2026-05-31'],
    [900, '2027-03-02'],
  ])('offers 90 days, and never more than the clinic accepts (%s)', async (days_ahead, last) => {
    const { load } = await visit({ form: { days_ahead } });

    expect(daysIn(await load()).at(-1)).toBe(last);
  });

  it('offers open days only, by month, in the visitor’s language', async () => {
    const { load } = await visit();

    const html = await load('form', 'lang=de');

    expect(html).toContain('<optgroup label="März 2026">');
    expect(html).toContain('<option value="2026-03-05">Donnerstag, 5. März</option>');
    // A Friday.
    expect(html).not.toContain('2026-03-06');
  });

  it.each([undefined, 900])(
    'has a calendar of all days where the hours are not known (%s)',
    async (days_ahead) => {
      const { intake } = await visit({ form: { days_ahead } });

      const page = await intake.page(intakeRequest('', {}, { method: 'GET', path: 'form' }), mirrorOf());

      expect(page?.html).toMatch(/type="date"[^>]*min="2026-03-02" max="2027-03-02"/);
    },
  );

  it('has no inline script, and labels every field', async () => {
    const { load } = await visit({ form: { ask: ['treatment', 'dentist', 'address', 'note'] } });

    const html = await load();
    const fields = [...html.matchAll(/<(?:input|select|textarea)[^>]*\sid="([^"]+)"/g)].map(([, id]) => id);

    expect(html).not.toMatch(/<script>|\son[a-z]+=|javascript:/i);
    expect(fields).toEqual([
      'patient_name',
      'patient_phone',
      'address',
      'treatment_id',
      'doctor_id',
      'appointment_date',
      'appointment_time',
      'time_wish',
      'note',
    ]);
    for (const id of fields) expect(html).toContain(`<label for="${id}">`);
  });

  it.each([
    [['treatment', 'dentist'], []],
    [
      ['treatment', 'email'],
      ['email', 'treatment_id'],
    ],
    [
      ['dentist', 'address'],
      ['address', 'doctor_id'],
    ],
  ])('leaves no gap beside a field: with %j, %j take the whole row', async (ask, wide) => {
    const { load } = await visit({ form: { ask } });

    const html = await load();

    expect([...html.matchAll(/class="wide"><label for="([^"]+)"/g)].map(([, id]) => id)).toEqual(wide);
  });

  it('works before the clinic’s lists are known', async () => {
    const { intake } = await visit();

    const page = await intake.page(intakeRequest('', {}, { method: 'GET', path: 'form' }), mirrorOf());

    expect(page?.status).toBe(200);
    expect(page?.html).not.toMatch(/<select|opening hours/i);
  });

  it('speaks other languages and writes from the right', async () => {
    const { load } = await visit({ form: { lang: 'ar', texts: { title: 'حجز موعد', name: 'الاسم' } } });

    const html = await load();

    expect(html).toContain('<html lang="ar" dir="rtl">');
    expect(html).toContain('<h1>حجز موعد</h1>');
    expect(html).toContain('<dt>الاثنين–الثلاثاء</dt>');
    expect(html).toContain('<dd>مغلق</dd>');
  });

  it('can have a treatment chosen already, by a link', async () => {
    const { load } = await visit();

    expect(await load('form', 'treatment_id=3')).toContain('<option value="3" selected>');
  });

  it('asks which clinic, where there are several', async () => {
    const clinics = [
      { clinic: 'main', timezone: 'Asia/Dhaka' },
      { clinic: 'north', timezone: 'UTC' },
    ];
    const { load, send, clock } = await visit({}, clinics);

    const choice = await load();
    const hidden = hiddenIn(await load('form', 'clinic=north'));
    await clock.advance(10_000);
    const result = await send({ ...hidden, ...lead, clinic: 'main' });

    expect(choice).toContain('<a href="?clinic=main">Lakeside Dental</a>');
    expect(submissionOf(result).clinic).toBe('north');
  });

  it('tells clinics of one name apart', async () => {
    const zones = ['main', 'north'].map((clinic) => ({ clinic, timezone: 'UTC' }));
    const { intake } = await visit({}, zones);
    const [facts] = mirrorOf().clinics;
    expect.assert(facts);

    const view = { ...mirrorOf(), clinics: zones.map((zone) => ({ ...facts, ...zone })) };
    const choice = await intake.page(intakeRequest('', {}, { method: 'GET', path: 'form' }), view);

    expect(choice?.html).toContain('<a href="?clinic=main">Lakeside Dental (main)</a>');
    expect(choice?.html).toContain('<a href="?clinic=north">Lakeside Dental (north)</a>');
  });

  it.each(['nothing', 'form/main', 'form.asp/x/y'])(
    'is shown at %j, too, to whom a window shows it, and nothing to a program',
    async (path) => {
      const { load } = await visit();

      expect(await load(path, 'lang=de')).toContain('<h1>Termin vereinbaren</h1>');
      expect(await load(path, '', { accept: 'application/json' })).toBe('');
      expect(await load(path, '', { 'sec-fetch-dest': 'image' })).toBe('');
    },
  );

  it('stays at the address it was opened with, whatever a proxy calls it, with what that has in its query', async () => {
    const { load } = await visit();

    const html = await load('form', 'page=termin&lang=de&utm_source=news&note=Ann&validate=1');

    expect(html).toContain('action="?page=termin&amp;utm_source=news&amp;lang=de&amp;form_sent=yes"');
    expect(html).toContain('href="?page=termin&amp;utm_source=news&amp;lang=fr"');
    expect(html).toContain('src="?page=termin&amp;form_page=form.js&amp;v=');
    for (const [, link = ''] of html.matchAll(/ (?:action|href|src)="([^"]*)"/g))
      expect(link).toMatch(/^(?:\?|#|data:|tel:)/);
  });

  it('never shows an invalid reference', async () => {
    const { load } = await visit();

    expect(await load('thanks', 'ref=CS-7K3Q9F')).toContain('CS-7K3Q9F');
    expect(await load('thanks', 'ref=<b>x')).not.toContain('<b>x');
  });
});
