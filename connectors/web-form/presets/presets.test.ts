import { describe, expect, it } from 'vitest';
import type { Submission } from '../../../src/model/booking.ts';
import {
  contentTypeOf,
  fixture,
  formSecret,
  formToken,
  intakeRequest,
  openWebForm,
  proofOf,
  standardHeaders,
  toolRequest,
} from '../../../test/support/web-form.ts';
import { type PresetName, presetNames } from './presets.ts';

const keys: Partial<Record<PresetName, Record<string, string>>> = {
  native: { token: formToken },
  'html-form': { token: formToken },
  elementor: { token: formToken },
  'contact-form-7': { token: formToken },
  'gravity-forms': { token: formToken },
  jotform: { token: formToken },
};

const open = (preset: PresetName, fields: Record<string, unknown> = {}) =>
  openWebForm({ preset, ...(keys[preset] ?? { secret: formSecret }), fields });

const about = (fields: Submission['fields']): Submission['fields'] => ({
  patient_name: 'Ann Lee',
  patient_phone: '+880 1712-345678',
  appointment_date: '2026-03-10',
  appointment_time: '10:30',
  ...fields,
});

interface Case {
  preset: PresetName;
  file: string;
  fields?: Record<string, unknown>;
  expected: Omit<Submission, 'source' | 'clinic'>;
}

/** What each tool really sends, and exactly what it becomes. */
const cases: Case[] = [
  {
    preset: 'native',
    file: 'native.json',
    expected: {
      submission_id: 'zap-8841',
      fields: about({
        patient_phone: '+8801712345678',
        doctor: 'Dr. Aoife O’Neil',
        treatment: 'Scaling and Polishing',
        note: 'Prefers mornings',
      }),
    },
  },
  {
    preset: 'elementor',
    file: 'elementor-simple.urlencoded',
    expected: {
      fields: about({
        appointment_time: '10:30',
        treatment: 'Scaling and Polishing',
        note: 'Prefers mornings',
      }),
    },
  },
  {
    preset: 'elementor',
    file: 'elementor-advanced.urlencoded',
    expected: { fields: about({ doctor: 'Dr. Aoife O’Neil', note: 'Prefers mornings' }) },
  },
  {
    preset: 'contact-form-7',
    file: 'contact-form-7.json',
    fields: { treatment: '{{your-treatment}}' },
    expected: { fields: about({ treatment: 'Scaling and Polishing', note: 'Prefers mornings' }) },
  },
  {
    preset: 'contact-form-7',
    file: 'contact-form-7.txt',
    expected: { fields: about({ note: 'Prefers mornings: "early"' }) },
  },
  {
    preset: 'gravity-forms',
    file: 'gravity-forms.json',
    fields: {
      patient_name: '{{1.3}} {{1.6}}',
      patient_phone: '{{2}}',
      address: '{{3.1}}, {{3.3}} {{3.5}}',
      appointment_date: { from: '5', format: 'DD/MM/YYYY' },
      appointment_time: { from: '6', format: 'h:mm a' },
      treatment_id: { from: '7', options: { 'Scaling and Polishing|40': 3 } },
    },
    expected: {
      submission_id: '512',
      fields: about({
        patient_phone: '(017) 1234-5678',
        address: '7 Lake Road, Dhaka 1212',
        treatment_id: 3,
      }),
    },
  },
  {
    preset: 'wpforms',
    file: 'wpforms.json',
    fields: { appointment_date: { from: 'appointment', format: 'MM/DD/YYYY h:mm A' } },
    expected: { submission_id: '77', fields: about({ treatment: 'Scaling and Polishing' }) },
  },
  {
    preset: 'typeform',
    file: 'typeform.json',
    fields: { appointment_date: '{{day}}', note: 'Says: {{extras}} ({{utm_source}})' },
    expected: {
      submission_id: 'a3a12ec67a1365927098a606107fac15',
      fields: about({
        patient_phone: '+8801712345678',
        treatment: 'Scaling and Polishing',
        note: 'Says: Nervous, First visit (newsletter)',
      }),
    },
  },
  {
    preset: 'jotform',
    file: 'jotform.multipart',
    expected: {
      submission_id: '6123456789012345678',
      fields: about({
        patient_phone: '(017) 1234-5678',
        treatment: 'Scaling and Polishing',
        note: 'Prefers mornings',
      }),
    },
  },
  {
    preset: 'webflow',
    file: 'webflow.json',
    expected: {
      submission_id: '6321ca84df3949bfc6752327',
      fields: about({ patient_phone: '8801712345678', treatment: 'Scaling and Polishing' }),
    },
  },
  {
    preset: 'google-forms',
    file: 'google-forms.json',
    expected: {
      submission_id: '2_ABaOnudGbQ1p',
      fields: about({
        patient_phone: '01712-345678',
        treatment: 'Scaling and Polishing',
        note: 'Nervous, First visit',
      }),
    },
  },
  {
    preset: 'tally',
    file: 'tally.json',
    fields: { note: '{{Before your visit}}' },
    expected: {
      submission_id: '2wgx4n',
      fields: about({
        patient_phone: '+8801712345678',
        treatment: 'Scaling and Polishing',
        note: 'Nervous, First visit',
      }),
    },
  },
  {
    preset: 'calendly',
    file: 'calendly.json',
    fields: { treatment: '{{scheduled_event.name}}' },
    expected: {
      submission_id: 'https://api.calendly.com/scheduled_events/EEEE/invitees/BBBB',
      fields: about({
        patient_phone: '+8801712345678',
        treatment: 'Check-up',
        note: 'Prefers mornings',
      }),
    },
  },
  {
    preset: 'calendly',
    file: 'calendly-cancelled.json',
    expected: {
      submission_id: 'https://api.calendly.com/scheduled_events/EEEE/invitees/BBBB#cancelled',
      task: 'Cancelled at Calendly. Cancel the appointment at the clinic, if it was booked.',
      fields: about({ patient_phone: '+8801712345678', note: 'I am ill' }),
    },
  },
  {
    preset: 'calendly',
    file: 'calendly-moved.json',
    expected: {
      submission_id: 'https://api.calendly.com/scheduled_events/EEEE/invitees/CCCC#moved',
      task: 'Moved to another time at Calendly. Move the appointment at the clinic.',
      fields: about({
        patient_phone: '+8801712345678',
        note: 'Prefers mornings',
        appointment_date: '2026-03-12',
        appointment_time: '02:30',
      }),
    },
  },
  {
    preset: 'cal.com',
    file: 'cal-com.json',
    fields: { treatment: '{{eventTitle}}' },
    expected: {
      submission_id: 'bFJeNb2uX8ANpT3JL5EfXw',
      fields: about({ patient_phone: '+8801712345678', treatment: 'Check-up', note: 'Prefers mornings' }),
    },
  },
  {
    preset: 'cal.com',
    file: 'cal-com-cancelled.json',
    expected: {
      submission_id: 'bFJeNb2uX8ANpT3JL5EfXw#cancelled',
      task: 'Cancelled at Cal.com. Cancel the appointment at the clinic, if it was booked.',
      fields: about({ patient_phone: '+8801712345678', note: 'I am ill' }),
    },
  },
  {
    preset: 'cal.com',
    file: 'cal-com-moved.json',
    expected: {
      submission_id: 'qRv7moved#moved',
      task: 'Moved to another time at Cal.com. Move the appointment at the clinic.',
      fields: about({
        patient_phone: '+8801712345678',
        note: 'Prefers mornings',
        appointment_date: '2026-03-12',
        appointment_time: '02:30',
      }),
    },
  },
];

describe.each(cases)('$preset, $file', ({ preset, file, fields, expected }) => {
  it('becomes exactly this submission', async () => {
    const { intake, clock } = await open(preset, fields);

    const result = await intake.receive(toolRequest(preset, file, clock.now()));

    expect(result).toEqual({
      kind: 'submission',
      submission: { source: 'website', clinic: 'main', ...expected },
    });
  });

  it('becomes the same from a sample that was saved to a file', async () => {
    const { intake } = await open(preset, fields);

    const result = await intake.sample(intakeRequest(fixture(file)));

    expect(result).toMatchObject({ kind: 'submission', submission: expected });
  });
});

describe('proof of origin', () => {
  const signed = presetNames.filter((name) => name !== 'html-form');
  const fileOf = (preset: PresetName) => cases.find((one) => one.preset === preset)?.file ?? '';

  it('every tool has a fixture', () => {
    expect(signed.filter((name) => fileOf(name) === '')).toEqual([]);
  });

  it.each(signed)('%s without proof is answered 401', async (preset) => {
    const { intake } = await open(preset);
    const body = fixture(fileOf(preset));

    const result = await intake.receive(
      intakeRequest(body, { 'content-type': contentTypeOf(fileOf(preset), body) }),
    );

    expect(result).toMatchObject({ kind: 'refused', status: 401 });
  });

  it.each(signed)('%s with a wrong proof is answered 401', async (preset) => {
    const { intake, clock } = await open(preset);
    const request = toolRequest(preset, fileOf(preset), clock.now());
    const spoil = (text: string | undefined) =>
      text?.replace(/[a-z0-9](?=[^a-z0-9]*$)/i, (last) => (last === 'a' ? 'b' : 'a'));
    const changed = Object.entries(request.headers).map(([name, value]) =>
      /signature|authorization/.test(name) ? [name, spoil(value)] : [name, value],
    );

    const result = await intake.receive({
      ...request,
      headers: Object.fromEntries(changed),
      path: request.path && `${request.path}x`,
    });

    expect(result).toMatchObject({ kind: 'refused', status: 401 });
  });

  const withSignature = signed.filter((name) => keys[name] === undefined);

  it.each(withSignature)('%s with a changed byte in its body is answered 401', async (preset) => {
    const { intake, clock } = await open(preset);
    const request = toolRequest(preset, fileOf(preset), clock.now());

    const result = await intake.receive({
      ...request,
      body: Buffer.concat([request.body, Buffer.from(' ')]),
    });

    expect(result).toMatchObject({ kind: 'refused', status: 401 });
  });

  it.each(['wpforms', 'webflow', 'google-forms', 'calendly'] as const)(
    '%s is refused when it was signed more than five minutes ago or ahead',
    async (preset) => {
      const { intake, clock } = await open(preset);
      const signedAt = async (offset: number) =>
        (await intake.receive(toolRequest(preset, fileOf(preset), clock.now() + offset))).kind;

      const kinds = [
        await signedAt(-301_000),
        await signedAt(-299_000),
        await signedAt(299_000),
        await signedAt(301_000),
      ];

      expect(kinds).toEqual(['refused', 'submission', 'submission', 'refused']);
    },
  );

  it.each(['', 't=', 't=abc,v=00', 't=1e999,v=00', 'v=00', ',,,', '=', 't=9'.repeat(1_000)])(
    'a signature header %j is refused, not choked on',
    async (header) => {
      const { intake } = await open('wpforms');

      const result = await intake.receive(intakeRequest('{}', { 'x-wpforms-webhook-signature': header }));

      expect(result).toMatchObject({ kind: 'refused', status: 401 });
    },
  );

  it('refuses what Cal.com sends while its webhook has no secret', async () => {
    const { intake } = await open('cal.com');

    const result = await intake.receive(
      intakeRequest(fixture('cal-com.json'), { 'x-cal-signature-256': 'no-secret-provided' }),
    );

    expect(result).toMatchObject({ kind: 'refused', status: 401, message: 'The signature cannot be read' });
  });

  it('takes Webflow’s unsigned webhooks by the token in the address, and a wrong signature by nothing', async () => {
    const { intake } = await openWebForm({ preset: 'webflow', token: formToken, secret: formSecret });
    const body = fixture('webflow.json');
    const bySignature = (headers: Record<string, string>) =>
      intake.receive(intakeRequest(body, headers, { path: formToken }));

    const unsigned = await bySignature({});
    const wrong = await bySignature({ 'x-webflow-signature': '00', 'x-webflow-timestamp': '1' });

    expect([unsigned.kind, wrong.kind]).toEqual(['submission', 'refused']);
  });

  it.each([
    `whsec_${Buffer.from('a secret of 24 bytes at least').toString('base64')}`,
    'just any text, as it is',
  ])('native takes the signatures of the Standard Webhooks library with the secret %s', async (secret) => {
    const { intake, clock } = await openWebForm({ preset: 'native', secret });
    const body = Buffer.from('{"patient_name":"Ånn – 安"}');

    const right = await intake.receive(intakeRequest(body, standardHeaders(body, clock.now(), secret)));
    const old = await intake.receive(
      intakeRequest(body, standardHeaders(body, clock.now() - 400_000, secret)),
    );

    expect(right).toMatchObject({ kind: 'submission', submission: { submission_id: 'msg_1' } });
    expect(old).toMatchObject({ kind: 'refused', status: 401 });
  });

  it('lets the state of bookings be read with the token only', async () => {
    const reading = { method: 'GET', path: 'CS-7K3Q9F' } as const;
    const { intake: typeform } = await openWebForm({ preset: 'typeform', secret: formSecret });
    const { intake: jotform } = await open('jotform');
    const { intake: both } = await openWebForm({ preset: 'typeform', secret: formSecret, token: formToken });
    const signature = proofOf.typeform?.(Buffer.alloc(0), 0).headers ?? {};

    expect(typeform.authorize(intakeRequest('', signature, reading))).toMatchObject({ status: 401 });
    expect(both.authorize(intakeRequest('', signature, reading))).toMatchObject({ status: 401 });
    expect(
      both.authorize(intakeRequest('', { authorization: `Bearer ${formToken}` }, reading)),
    ).toBeUndefined();
    expect(
      jotform.authorize(intakeRequest('', {}, { ...reading, path: `${formToken}/CS-7K3Q9F` })),
    ).toBeUndefined();
    expect(jotform.authorize(intakeRequest('', {}, { ...reading, path: 'CS-7K3Q9F' }))).toMatchObject({
      status: 401,
    });
    expect(jotform.authorize(intakeRequest('', {}, { ...reading, path: 'guess/CS-7K3Q9F' }))).toMatchObject({
      status: 401,
    });
  });
});

describe('what is not a booking', () => {
  it.each([
    ['cal.com', JSON.parse(fixture('cal-com-ping.json').toString())],
    ['cal.com', { triggerEvent: 'MEETING_ENDED', payload: { uid: 'x' } }],
    ['typeform', { event_type: 'form_response_partial' }],
    ['tally', { eventType: 'FORM_UPDATED' }],
    ['webflow', { triggerType: 'site_publish' }],
    ['google-forms', { test: true }],
    ['calendly', { event: 'routing_form_submission.created', payload: {} }],
    ['calendly', { event: 'invitee.canceled', payload: { rescheduled: true, uri: 'x' } }],
  ] as const)('%s: %o is acknowledged and not stored', async (preset, event) => {
    const { intake, clock } = await open(preset);
    const body = Buffer.from(JSON.stringify(event));

    const result = await intake.receive(
      intakeRequest(body, proofOf[preset]?.(body, clock.now()).headers ?? {}),
    );

    expect(result.kind).toBe('ignored');
  });

  it('a sub-path of a tool that has no token in its address leads nowhere', async () => {
    const { intake } = await open('native');

    const result = await intake.receive(
      intakeRequest('{}', { authorization: `Bearer ${formToken}` }, { path: 'anything' }),
    );

    expect(result).toMatchObject({ kind: 'refused', status: 404 });
  });
});
