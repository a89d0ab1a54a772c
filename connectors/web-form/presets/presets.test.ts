import { describe, expect, it } from 'vitest';
import type { Submission } from '../../../src/domain/bookings/booking.ts';
import { readDate, readTime } from '../../../src/domain/date-time.ts';
import {
  become,
  fixture,
  formToken,
  intakeRequest,
  openPreset as open,
  proofOf,
  toolRequest,
} from '../../../test/support/forms/web-form.ts';
import { type PresetName, presets } from './presets.ts';

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
      campaign: { utm_source: 'newsletter' },
      fields: about({
        patient_phone: '+8801712345678',
        doctor: 'Dr. Aoife O’Neil',
        treatment: 'Scaling and Polishing',
        note: 'Prefers mornings',
      }),
    },
  },
  {
    // An item of n8n's form, sent on by its HTTP Request node; the id is `{{ $workflow.id }}-{{ $execution.id }}`.
    preset: 'native',
    file: 'native-n8n.json',
    fields: {
      patient_name: '{{Full name}}',
      patient_phone: '{{Phone}}',
      appointment_date: '{{Day}}',
      appointment_time: '{{Time}}',
      treatment: '{{Treatment}}',
      note: '{{Anything else?}}',
    },
    expected: {
      submission_id: '8841-231',
      fields: about({ treatment: 'Scaling and Polishing', note: 'Prefers mornings' }),
    },
  },
  {
    preset: 'elementor',
    file: 'elementor-simple.urlencoded',
    expected: {
      campaign: { landing_page: 'https://www.clinic.example/booking/' },
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
    expected: {
      campaign: { landing_page: 'https://www.clinic.example/booking/' },
      fields: about({ doctor: 'Dr. Aoife O’Neil', note: 'Prefers mornings' }),
    },
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
    expected: { fields: about({ note: 'Prefers mornings: "early"\nNew booking from the website' }) },
  },
  {
    preset: 'gravity-forms',
    file: 'gravity-forms.json',
    fields: {
      patient_name: '{{1.3}} {{1.6}}',
      patient_phone: '{{2}}',
      address: '{{3.1}}, {{3.3}} {{3.5}}',
      appointment_date: '{{5}}',
      appointment_time: '{{6}}',
      treatment_id: { from: '7', options: { 'Scaling and Polishing|40': 3 } },
    },
    expected: {
      submission_id: '512',
      campaign: { landing_page: 'https://www.clinic.example/booking/' },
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
      campaign: { utm_source: 'newsletter' },
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
      campaign: { utm_source: 'newsletter' },
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
      campaign: { utm_source: 'newsletter' },
      task: 'Cancelled at Calendly. Cancel the appointment at the clinic, if it was booked.',
      task_kind: 'cancellation',
      fields: about({ patient_phone: '+8801712345678', note: 'I am ill' }),
    },
  },
  {
    preset: 'calendly',
    file: 'calendly-moved.json',
    expected: {
      submission_id: 'https://api.calendly.com/scheduled_events/EEEE/invitees/CCCC#moved',
      campaign: { utm_source: 'newsletter' },
      task: 'Moved to another time at Calendly. Move the appointment at the clinic.',
      task_kind: 'move',
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
      task_kind: 'cancellation',
      fields: about({ patient_phone: '+8801712345678', note: 'I am ill' }),
    },
  },
  {
    preset: 'cal.com',
    file: 'cal-com-moved.json',
    expected: {
      submission_id: 'qRv7moved#moved',
      task: 'Moved to another time at Cal.com. Move the appointment at the clinic.',
      task_kind: 'move',
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
      receipt: expect.any(String),
      submission: { source: 'website', clinic: 'main', ...expected },
    });
  });

  it('becomes the same from a sample that was saved to a file', async () => {
    const { intake } = await open(preset, fields);

    const result = await intake.sample(intakeRequest(fixture(file)));

    expect(result).toMatchObject({ kind: 'submission', submission: expected });
  });
});

describe('the number of an entry that WordPress did not store', () => {
  it.each(['wpforms', 'gravity-forms'] as const)('makes no two leads of %s one', async (preset) => {
    const { read } = presets[preset];

    const readings = [0, '0'].map((id) => read({ id, entry_id: id }, intakeRequest('')));

    expect(readings).toEqual([
      expect.objectContaining({ id: undefined }),
      expect.objectContaining({ id: undefined }),
    ]);
  });
});

it.each([
  ['calendly-cancelled.json', '#cancelled'],
  ['calendly-moved.json', '#moved'],
])(
  'keeps a task apart from its booking under an id of the tool that the configuration names (%s)',
  async (file, end) => {
    const { intake } = await open('calendly', { submission_id: '{{email}}' });

    const result = await intake.sample(intakeRequest(fixture(file)));

    expect(result).toMatchObject({ submission: { submission_id: expect.stringMatching(`@.*${end}$`) } });
  },
);

describe('what is not a booking', () => {
  it.each([
    ['cal.com', JSON.parse(fixture('cal-com-ping.json').toString())],
    ['cal.com', { triggerEvent: 'MEETING_ENDED', payload: { uid: 'x' } }],
    ['typeform', { event_type: 'form_response_partial' }],
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

  it.each([
    ['webflow', { event: 'unheard of', text: 'Ann Lee, 01712-345678' }],
    ['tally', { eventType: 'FORM_UPDATED', text: 'Ann Lee, 01712-345678' }],
    ['calendly', { event: 'unheard of', text: 'Ann Lee, 01712-345678' }],
  ] as const)('%s: %o is kept whole, for a person', async (preset, event) => {
    const { intake, clock } = await open(preset);
    const body = Buffer.from(JSON.stringify(event));

    const result = await intake.receive(
      intakeRequest(body, proofOf[preset]?.(body, clock.now()).headers ?? {}),
    );

    expect(result).toMatchObject({
      submission: { fields: { note: expect.stringContaining('Ann Lee') }, problems: [{ field: 'fields' }] },
    });
  });

  it('is counted by the name of its event, and `connectors check` says so', async () => {
    const { connector, intake, clock } = await open('cal.com');
    for (const triggerEvent of ['MEETING_ENDED', 'MEETING_STARTED', 'PING']) {
      const body = Buffer.from(JSON.stringify({ triggerEvent }));
      await intake.receive(intakeRequest(body, proofOf['cal.com']?.(body, clock.now()).headers ?? {}));
    }

    const lines = await connector.check?.(new AbortController().signal);

    expect(JSON.stringify(lines)).toMatch(/no leads: MEETING_ \(2, the last .* ago\), PING \(1/);
  });

  it.each([
    ['webflow', 'application/x-www-form-urlencoded', 'Name=Ann+Lee&Phone=01712'],
    ['webflow', 'application/json', '{"triggerType":"form_submission","payload":{"id":"7"},"who":"Ann Lee"}'],
    [
      'typeform',
      'application/json',
      '{"event_type":"form_response","form_response":{"token":"7"},"who":"Ann Lee"}',
    ],
    ['jotform', 'multipart/form-data; boundary=x', '--x\r\nAnn Lee'],
    ['gravity-forms', 'application/xml', '<lead>Ann Lee</lead>'],
    ['wpforms', 'text/plain', 'Ann Lee, 01712-345678'],
    ['native', 'application/json', '[{"patient_name":"Ann Lee"},{"patient_name":"Bob"}]'],
    ['native', 'application/x-ndjson', '{"patient_name":"Ann Lee"}\n{"patient_name":"Bob"}'],
  ] as const)(
    '%s as %s is kept whole if nothing in it can be read: %s',
    async (preset, contentType, body) => {
      const submission = await become(preset, body, { contentType });

      expect(submission.fields.note).toMatch(/Ann.Lee/);
      expect(submission.fields.appointment_date).toBeUndefined();
    },
  );

  it.each([
    ['[{"patient_name":"Ann Lee"}]', 'application/json'],
    ['"{\\"patient_name\\":\\"Ann Lee\\"}"', 'application/json'],
    ['{"body":"{\\"patient_name\\":\\"Ann Lee\\"}"}', 'text/json'],
    ['payload=%7B%22patient_name%22%3A%22Ann+Lee%22%7D', 'application/x-www-form-urlencoded'],
    ['{"patient_name":"Ann Lee"}', 'application/vnd.tool+json'],
    ['{"patient_name":"Ann Lee"}', 'application/octet-stream'],
    ['[{"patient_name":"Ann Lee"}]', 'application/x-www-form-urlencoded'],
  ])('JSON is read however it is wrapped: %s as %s', async (body, contentType) => {
    expect((await become('native', body, { contentType })).fields).toEqual({ patient_name: 'Ann Lee' });
  });

  it.each([
    ['Status', 'Cancelled by patient', /cancelled, deleted or missed/],
    ['Estado', 'Anulada', /cancelled, deleted or missed/],
    ['is_deleted', true, /cancelled, deleted or missed/],
    ['status', { id: 3, name: 'No-Show' }, /cancelled, deleted or missed/],
    ['is_test', true, /calls it a test/],
    ['notes', '<test lead: dummy data for notes>', /calls it a test/],
  ])('a person is asked about a lead with %s %o', async (name, value, question) => {
    const { ask } = await become('gravity-forms', JSON.stringify({ Name: 'Ann', [name]: value }));

    expect(ask).toMatch(question);
  });

  it.each([
    ['Status', 'Confirmed'],
    ['state', 'Texas'],
    ['is_test', false],
    ['canceled_at', null],
  ])('nobody is asked about a lead with %s %o', async (name, value) => {
    const { ask } = await become('gravity-forms', JSON.stringify({ Name: 'Ann', [name]: value }));

    expect(ask).toBeUndefined();
  });

  it('a sub-path of a tool that has no token in its address leads nowhere', async () => {
    const { intake } = await open('contact-form-7');

    const result = await intake.receive(
      intakeRequest('{}', { authorization: `Bearer ${formToken}` }, { path: 'anything' }),
    );

    expect(result).toMatchObject({ kind: 'refused', status: 404 });
  });
});

type Json = Record<string, unknown>;

/**
 * Every writing of the fixture in which one part has another name, another form or is gone, or all is one level deeper.
 */
function changedShapes(
  value: unknown,
  rebuild: (changed: unknown) => unknown = (changed) => changed,
): unknown[] {
  const here = [null, [value], { value }, { data: value }, String(value), 1_773_100_800_000, 46_091];
  const written =
    typeof value === 'string' && /^\d{4}-/.test(value) ? ['10/03/2026', '03/10/2026', '10.3.'] : [];
  const found = [...here, ...written].map(rebuild);
  if (typeof value !== 'object' || value === null) return found;
  for (const [key, part] of Object.entries(value)) {
    const others = Object.fromEntries(Object.entries(value).filter(([name]) => name !== key));
    const put = (changed: unknown): unknown =>
      rebuild(Array.isArray(value) ? value.with(Number(key), changed) : { ...value, [key]: changed });
    found.push(rebuild(Array.isArray(value) ? Object.values(others) : { ...others, [`${key}_new`]: part }));
    found.push(...changedShapes(part, put));
  }
  return found;
}

describe.each(cases.filter(({ file }) => file.endsWith('.json')))(
  '$preset after an update of the tool that changed the shape of $file',
  ({ preset, file, fields, expected }) => {
    it('is never read as another day or time', async () => {
      const { intake } = await open(preset, fields);
      const shapes = changedShapes(JSON.parse(fixture(file).toString()) as Json);
      const wrong: unknown[] = [];
      let read = 0;
      for (const shape of shapes) {
        const result = await intake.sample(intakeRequest(Buffer.from(JSON.stringify(shape))));
        if (result.kind !== 'submission') continue;
        const { appointment_date: date, appointment_time: time } = result.submission.fields;
        const day = typeof date === 'string' ? readDate(date) : undefined;
        const hour = typeof time === 'string' ? readTime(time) : undefined;
        if (day !== undefined) read += 1;
        if (day !== undefined && day !== expected.fields.appointment_date) wrong.push({ day, shape });
        if (hour !== undefined && hour !== expected.fields.appointment_time) wrong.push({ hour, shape });
      }

      expect(wrong).toEqual([]);
      expect(shapes.length).toBeGreaterThan(20);
      expect(read).toBeGreaterThan(expected.fields.appointment_date === undefined ? -1 : 0);
    });
  },
);
