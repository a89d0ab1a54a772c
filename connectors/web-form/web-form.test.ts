import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { settle } from '../../test/support/fake-clock.ts';
import {
  contentTypeOf,
  fixture,
  formSecret,
  formToken,
  intakeRequest,
  mirrorOf,
  notebook,
  openWebForm,
  proofOf,
  toolRequest,
} from '../../test/support/forms/web-form.ts';
import { FormSettings } from './form/form-settings.ts';
import { type PresetName, presetNames } from './presets/presets.ts';
import { WebFormSettings } from './settings.ts';
import { webForm } from './web-form.ts';

const runs = 30 * Number(process.env.VERIFY_RUNS ?? 1);

describe('settings', () => {
  const faults = (settings: Record<string, unknown>) =>
    (WebFormSettings.safeParse(settings).error?.issues ?? []).map(
      ({ path, message }) => `${path.join('.')}: ${message}`,
    );

  it.each([
    [{ use: 'turnstile', site_key: '0x4AAAAAAA-example' }, ['challenges.cloudflare.com']],
    [{ use: 'altcha' }, []],
  ])('say whose scripts a form runs with captcha %j', (captcha, hosts) => {
    const settings = WebFormSettings.parse({
      preset: 'html-form',
      token: formToken,
      secret: formSecret,
      form: { captcha },
    });
    expect(webForm.scriptHosts?.(settings)).toEqual(hosts);
  });

  it.each(presetNames)('%s without a token or a secret is a fault', (preset) => {
    expect(faults({ preset })).toHaveLength(1);
  });

  it.each([
    [
      'a format that could be read two ways',
      { fields: { appointment_date: { from: 'd', format: 'DD/MM' } } },
    ],
    ['hours of twelve without AM or PM', { fields: { appointment_time: { from: 't', format: 'h:mm' } } }],
    ['a letter that means nothing', { fields: { appointment_date: { from: 'd', format: 'DD/MM/YYYY Z' } } }],
    ['a time zone that does not exist', { fields: { appointment_date: { from: 'd', zone: 'Dhaka' } } }],
    ['a field that no booking has', { fields: { email: '{{Email}}' } }],
    ['an origin with a path', { origins: ['https://clinic.example/form'] }],
    ['a wildcard origin', { origins: ['*'] }],
    ['a text that the form does not have', { form: { texts: { headline: 'x' } } }],
    ['a language that is none', { form: { lang: 'not a language' } }],
    ['a short token', { token: 'short' }],
    ['a token that no address can have', { preset: 'jotform', token: 'sixteen/letters/or more' }],
    ['a page that is no web address', { thanks: 'javascript:alert(1)' }],
  ])('%s is a fault', (_what, settings) => {
    expect(faults({ token: formToken, ...settings })).toHaveLength(1);
  });

  it('does not take Cal.com’s word for “no secret” as a secret', () => {
    expect(faults({ preset: 'cal.com', secret: 'no-secret-provided' })).toHaveLength(1);
  });

  it('each has a description', () => {
    for (const shape of [WebFormSettings.shape, FormSettings.shape])
      for (const [name, setting] of Object.entries(shape)) expect(setting.description, name).toBeTruthy();
  });
});

describe('the last submissions', () => {
  const withNotes = async (settings: Record<string, unknown>, memory = notebook()) => {
    const opened = await openWebForm(settings, { memory });
    const lines = async () => {
      await settle();
      return (await opened.connector.check(new AbortController().signal)).map(
        ({ level, what }) => `${level} ${what}`,
      );
    };
    return { ...opened, lines };
  };
  const bearer = { authorization: `Bearer ${formToken}` };
  const contactForm = { preset: 'contact-form-7', token: formToken };

  it('show which fields came and which were used, and never what was in them', async () => {
    const { intake, lines, memory } = await withNotes(contactForm);

    await intake.receive(
      intakeRequest('{"Name":"Zerlina Plantagenet","Phone":"01700424242","Wish date":"2026-03-10"}', bearer),
    );
    const shown = (await lines()).join('\n');

    expect(shown).toContain(
      'warn less than a second ago: patient_name, patient_phone; missing: appointment_date, ' +
        'appointment_time; not used: Wish date',
    );
    expect(`${shown}${[...memory.notes.values()].join()}`).not.toMatch(/Zerlina|424242|2026-03-10/);
  });

  it('of a public form keep no name that a stranger made up', async () => {
    const { intake, lines, clock } = await withNotes({ preset: 'html-form', token: formToken });
    const page = await intake.page(intakeRequest('', {}, { method: 'GET', path: 'form' }), mirrorOf());
    const hidden = [...(page?.html ?? '').matchAll(/type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(
      ([, name = '', value = '']): [string, string] => [name, value],
    );
    await clock.advance(5_000);

    const body = new URLSearchParams([
      ...hidden,
      ['patient_name', 'Ann'],
      ['patient_phone', '12345'],
      ['Zerlina', 'x'],
    ]);
    const type = 'application/x-www-form-urlencoded';
    await intake.receive(
      intakeRequest(body.toString(), {
        'content-type': type,
        host: 'a.example',
        origin: 'https://a.example',
      }),
      mirrorOf(),
    );

    expect((await lines()).join('\n')).toMatch(/patient_name, patient_phone; missing/);
    expect((await lines()).join('\n')).not.toContain('Zerlina');
  });

  const planted = 'Zerlina Plantagenet 01700424242 gums';
  const multipart = (name: string) =>
    `--x\r\ncontent-disposition: form-data; name="${name}"\r\n\r\nyes\r\n--x--\r\n`;
  it.each([
    ['application/json', JSON.stringify({ Name: 'Ann', [planted]: 'x', 'Zerlina’s gums': 'x' }), 2],
    ['application/json', JSON.stringify({ Name: 'Ann', answers: { [planted]: 'x' } }), 0],
    ['application/x-www-form-urlencoded', `Name=Ann&${encodeURIComponent(planted)}=x`, 1],
    ['multipart/form-data; boundary=x', multipart(planted), 1],
    ['text/plain', `Name: Ann\n${planted}: yes\nMessage: hello`, 0],
    ['text/plain', 'Name: Ann\nMy gums hurt; visit 12: x\nNew patient visit 15: x', 0],
    ['text/plain', 'Name: Ann\n017 004 242: x\nTel 01700424242: x\nPlantagenet: x', 0],
  ])('keep no name that a visitor may have written, as %s %j', async (type, body, others) => {
    const { intake, lines, memory } = await withNotes({ preset: 'native', token: formToken });

    await intake.receive(intakeRequest(body, { ...bearer, 'content-type': type }));
    const shown = (await lines()).join('\n');

    const bytes = `${shown}${[...memory.notes.values()].join()}`;
    expect(bytes).not.toMatch(/zerlina|plantagenet|004.?242|gums|visit/i);
    if (others > 0) expect(shown).toContain(others === 1 ? '1 other field' : `${others} other fields`);
  });

  it('of an earlier version, with names as they came, are removed at the start', async () => {
    const memory = notebook();
    const unused = [planted];
    memory.notes.set(
      'seen',
      JSON.stringify({
        sightings: [{ at: '2026-03-01T00:00:00.000Z', kind: 'booking', filled: [], unused }],
      }),
    );

    const { lines, connector } = await withNotes(contactForm, memory);
    const shown = await lines();
    await connector.stop();

    expect(shown.join()).not.toContain('Zerlina');
    expect([...memory.notes]).toEqual([]);
  });

  it('leave out requests that were only validated', async () => {
    const { intake, lines } = await withNotes(contactForm);
    const query = new URLSearchParams({ validate: '1' });

    await intake.receive(intakeRequest('{"Name":"Ann"}', bearer, { query }));

    expect(await lines()).toContain('ok no submission has come yet');
  });

  it('are twenty, over restarts', async () => {
    const { intake, connector, memory } = await withNotes(contactForm);
    for (let index = 0; index < 25; index += 1)
      await intake.receive(intakeRequest(`{"Name":"Ann","Field ${index}":"x"}`, bearer));
    await connector.stop();

    const { lines } = await withNotes(contactForm, memory);

    const shown = (await lines()).filter((line) => line.includes('ago'));
    expect(shown).toHaveLength(20);
    expect(shown[0]).toContain('Field 24');
  });

  it('are those of all daemons that share a database', async () => {
    const memory = notebook();
    const daemons = [await withNotes(contactForm, memory), await withNotes(contactForm, memory)];
    for (let index = 0; index < 24; index += 1) {
      const daemon = daemons[index % 2];
      await daemon?.intake.receive(intakeRequest(`{"Name":"Ann","Field ${index}":"x"}`, bearer));
      await daemon?.intake.receive(intakeRequest('{}'));
      await daemon?.lines();
      for (const { clock } of daemons) await clock.advance(1_000);
    }
    for (const { connector } of daemons) await connector.stop();

    const { lines } = await withNotes(contactForm, memory);

    const shown = (await lines()).join();
    expect(shown.match(/Field \d+/g)).toEqual(Array.from({ length: 20 }, (_, n) => `Field ${23 - n}`));
    expect(shown).toContain('24 requests were refused');
    expect(memory.notes.size).toBe(21);
  });

  it('outlive the version that kept them in one list', async () => {
    const memory = notebook();
    const sighting = { at: '2026-03-01T00:00:00.000Z', kind: 'booking', filled: [], others: 0 };
    const sightings = ['Field 2', 'Field 1'].map((name) => ({ ...sighting, unused: [name] }));
    const refused = { count: 7, at: sighting.at, message: 'no' };
    memory.notes.set('submissions', JSON.stringify({ sightings, refused }));

    const { lines, connector } = await withNotes(contactForm, memory);
    const shown = (await lines()).join();
    await connector.stop();

    expect(shown).toMatch(/Field 2.*Field 1.*7 requests were refused/);
    expect(memory.notes.has('submissions')).toBe(false);
  });

  it('say of a single request that it was refused', async () => {
    const { intake, lines } = await withNotes(contactForm);
    await intake.receive(intakeRequest('{}'));

    expect(await lines()).toContainEqual(expect.stringContaining('1 request was refused'));
  });

  it('say how many requests were refused, and write that down at most once a minute', async () => {
    let writes = 0;
    const memory = notebook();
    const counting = {
      ...memory,
      set: async (entries: Record<string, string | undefined>) => {
        writes += 1;
        await memory.set(entries);
      },
    };
    const { intake, lines, clock } = await withNotes(contactForm, counting);

    for (let index = 0; index < 50; index += 1) await intake.receive(intakeRequest('{}'));
    await settle();
    const atOnce = writes;
    await clock.advance(61_000);
    const duringFlood = writes;
    await intake.receive(intakeRequest('{}'));

    expect(await lines()).toContainEqual(expect.stringContaining('51 requests were refused'));
    // A lead that comes at the same moment does not wait for a note.
    expect([atOnce, duringFlood]).toEqual([0, 1]);
  });

  it('that cannot be written down or read lose no booking', async () => {
    const broken = {
      ...notebook(),
      get: () => Promise.reject(new Error('disk')),
      set: () => Promise.reject(new Error('disk')),
    };
    const { intake, lines, connector } = await withNotes(contactForm, broken);

    const result = await intake.receive(intakeRequest('{"Name":"Ann"}', bearer));

    expect(result.kind).toBe('submission');
    expect(await lines()).toContain('ok no submission has come yet');
    await connector.stop();
    await connector.stop();
  });
});

describe('any input', () => {
  const keysOf = (preset: PresetName) =>
    ['native', 'html-form', 'elementor', 'contact-form-7', 'gravity-forms', 'jotform'].includes(preset)
      ? { token: formToken }
      : { secret: formSecret };
  const kinds = ['submission', 'ignored', 'refused', 'page'];
  const contentTypes = fc.constantFrom(
    'application/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'multipart/form-data',
    'text/plain',
    'image/png',
    '',
  );
  const nasty = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom(
      '__proto__',
      'constructor',
      'toString',
      '\ud800',
      '\u0000',
      '2026-99-99T99:99:99Z',
      '1e999',
    ),
  );
  const json = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 5 },
      nasty,
      fc.double(),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie('value')),
      fc.dictionary(nasty, tie('value')),
    ),
  })).value;

  it.each(presetNames)(
    '%s neither throws nor answers 5xx, and leaves prototypes alone',
    async (preset) => {
      const { intake, clock } = await openWebForm({ preset, ...keysOf(preset) });
      const bodies = fc.oneof(
        fc.uint8Array({ maxLength: 2_000 }).map((bytes) => Buffer.from(bytes)),
        json.map((value) => Buffer.from(JSON.stringify(value) ?? 'null')),
        fc
          .dictionary(nasty, nasty)
          .map((fields) => Buffer.from(new URLSearchParams(Object.entries(fields)).toString())),
      );

      await fc.assert(
        fc.asyncProperty(bodies, contentTypes, nasty, async (body, type, header) => {
          const { headers = {}, path = '' } = proofOf[preset]?.(body, clock.now()) ?? {};
          const form = { host: 'a.example', origin: 'https://a.example', accept: 'text/html' };
          const proven = { ...form, ...headers, 'content-type': type };
          const unproven = Object.fromEntries(Object.keys(headers).map((name) => [name, header]));

          const answers = [
            await intake.receive(intakeRequest(body, proven, { path }), mirrorOf()),
            await intake.receive(
              intakeRequest(body, { ...proven, ...unproven }, { path: header }),
              mirrorOf(),
            ),
            await intake.sample(intakeRequest(body, { 'content-type': type })),
          ];

          for (const answer of answers) {
            expect(kinds).toContain(answer.kind);
            if (answer.kind === 'submission')
              expect(Object.getPrototypeOf(answer.submission.fields)).toBeNull();
          }
          expect(Object.keys(Object.prototype)).toEqual([]);
        }),
        { numRuns: runs },
      );
    },
    60_000,
  );

  const files: [PresetName, string][] = [
    ['typeform', 'typeform.json'],
    ['tally', 'tally.json'],
    ['calendly', 'calendly.json'],
    ['cal.com', 'cal-com.json'],
    ['webflow', 'webflow.json'],
    ['jotform', 'jotform.multipart'],
    ['elementor', 'elementor-advanced.urlencoded'],
  ];

  it.each(files)(
    '%s with a part of %s exchanged for anything is still taken',
    async (preset, file) => {
      const { intake, clock } = await openWebForm({ preset, ...keysOf(preset) });
      const original = fixture(file).toString();
      const values = [...original.matchAll(/"[^"\n]*"|\d+|true|null/g)];

      await fc.assert(
        fc.asyncProperty(fc.nat({ max: values.length - 1 }), json, async (index, replacement) => {
          const at = values[index]?.index ?? 0;
          const length = values[index]?.[0].length ?? 0;
          const text =
            original.slice(0, at) + JSON.stringify(replacement ?? null) + original.slice(at + length);
          const body = Buffer.from(text);
          const { headers = {}, path = '' } = proofOf[preset]?.(body, clock.now()) ?? {};

          const answer = await intake.receive(
            intakeRequest(body, { 'content-type': contentTypeOf(file, body), ...headers }, { path }),
          );

          expect(kinds).toContain(answer.kind);
          // Proven and readable: then its content is never a reason to refuse it.
          if (answer.kind === 'refused') expect([400, 415]).toContain(answer.status);
        }),
        { numRuns: runs },
      );
    },
    60_000,
  );

  it('nested thousands of levels deep is no danger', async () => {
    const { intake } = await openWebForm({ preset: 'native', token: formToken });
    const deep = `{"note":${'['.repeat(20_000)}${']'.repeat(20_000)},"patient_name":"Ann"}`;

    const result = await intake.receive(intakeRequest(deep, { authorization: `Bearer ${formToken}` }));

    expect(result).toMatchObject({ kind: 'submission', submission: { fields: { patient_name: 'Ann' } } });
  });

  it('shows no secret in its check lines', async () => {
    for (const preset of presetNames) {
      const { connector, intake, clock } = await openWebForm({
        preset,
        token: formToken,
        secret: formSecret,
      });
      await intake.receive(toolRequest(preset, 'native.json', clock.now()));

      const lines = JSON.stringify(await connector.check(new AbortController().signal));

      expect(lines).not.toContain(formToken);
      expect(lines).not.toContain(formSecret);
    }
  });
});

it('sends a browser to a page with letters of any script, as a header can say it', async () => {
  const { intake } = await openWebForm({
    preset: 'native',
    token: formToken,
    thanks: 'https://clinic.example/ধন্যবাদ?ref={ref}&a=%20',
  });

  const result = await intake.receive(
    intakeRequest('{"patient_name":"Ann"}', { authorization: `Bearer ${formToken}` }),
  );

  expect(result).toMatchObject({
    thanks:
      'https://clinic.example/%E0%A6%A7%E0%A6%A8%E0%A7%8D%E0%A6%AF%E0%A6%AC%E0%A6%BE%E0%A6%A6?ref={ref}&a=%20',
  });
});
