import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createContext, runInContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { fakeClock } from '../../test/support/fake-clock.ts';
import { intakeRequest, openWebForm } from '../../test/support/forms/web-form.ts';

const script = readFileSync(new URL('google-forms.gs', import.meta.url), 'utf8');
const start = '2026-03-02T09:00:00Z';

interface Sent {
  payload: string;
  headers: Record<string, string>;
}

/** Google's services as far as the script uses them. Bytes are signed there, as in Java. */
function apps(secret: string, statuses: number[] = []) {
  const sent: Sent[] = [];
  const triggers: { handler: string }[] = [];
  const waits: number[] = [];
  const bytes = (data: Buffer) => [...new Int8Array(data)];
  const buffer = (data: number[]) => Buffer.from(Int8Array.from(data).buffer);
  const response = {
    getId: () => '2_ABaOnudGbQ1p',
    getTimestamp: () => new Date(start),
    getItemResponses: () =>
      [
        ['Full name', 'Ånn Lee – 安'],
        ['Phone number', '01712-345678'],
        ['Preferred date', '2026-03-10'],
        ['Preferred time', '10:30'],
        ['Phone number', 'a second question of that name'],
        ['Anything else?', ['Nervous', 'First visit']],
      ].map(([title, answer]) => ({ getItem: () => ({ getTitle: () => title }), getResponse: () => answer })),
  };
  const form = { getResponses: () => [response] };
  const context = createContext({
    Date: class extends Date {
      static override now = () => Date.parse(start);
    },
    ScriptApp: {
      getProjectTriggers: () => triggers.map((one) => ({ ...one, getHandlerFunction: () => one.handler })),
      deleteTrigger: () => triggers.pop(),
      newTrigger: (handler: string) => ({
        forForm: () => ({ onFormSubmit: () => ({ create: () => triggers.push({ handler }) }) }),
      }),
    },
    FormApp: { getActiveForm: () => form },
    PropertiesService: {
      getScriptProperties: () => ({
        getProperty: (name: string) => (name === 'SECRET' ? secret : 'https://sync.example/in/website'),
      }),
    },
    Utilities: {
      getUuid: () => '0000',
      sleep: (ms: number) => waits.push(ms),
      newBlob: (text: string) => ({ getBytes: () => bytes(Buffer.from(text)) }),
      base64Decode: (text: string) => bytes(Buffer.from(text, 'base64')),
      base64Encode: (data: number[]) => buffer(data).toString('base64'),
      computeHmacSha256Signature: (content: number[], key: number[]) =>
        bytes(createHmac('sha256', buffer(key)).update(buffer(content)).digest()),
    },
    UrlFetchApp: {
      fetch(_address: string, options: Sent) {
        sent.push(options);
        const status = statuses.shift() ?? 200;
        if (status === 0) throw new Error('Address unavailable');
        return { getResponseCode: () => status };
      },
    },
  });
  runInContext(script, context);
  const run = (call: string) => runInContext(call, Object.assign(context, { event: { response } }));
  return { run, sent, triggers, waits };
}

const receive = async ({ payload, headers }: Sent, secret: string) => {
  const { intake } = await openWebForm({ preset: 'google-forms', secret }, { clock: fakeClock(start) });
  return intake.receive(intakeRequest(payload, headers));
};

describe('the script for Google Forms', () => {
  it.each(['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'any secret of sixteen or more'])(
    'signs a response so that it becomes a booking, with the secret %s',
    async (secret) => {
      const { run, sent } = apps(secret);

      run('onResponse(event)');
      const [first] = sent;
      expect.assert(first);
      const result = await receive(first, secret);

      expect(result).toMatchObject({
        kind: 'submission',
        submission: {
          submission_id: '2_ABaOnudGbQ1p',
          fields: {
            patient_name: 'Ånn Lee – 安',
            patient_phone: '01712-345678',
            appointment_date: '2026-03-10',
            appointment_time: '10:30',
            note: 'Nervous, First visit',
          },
        },
      });
    },
  );

  it('sets up one trigger, however often it is installed, and sends a test that is not stored', async () => {
    const secret = 'any secret of sixteen or more';
    const { run, sent, triggers } = apps(secret);

    run('install()');
    run('install()');
    const [test] = sent;
    expect.assert(test);

    expect(triggers).toEqual([{ handler: 'onResponse' }]);
    expect((await receive(test, secret)).kind).toBe('ignored');
  });

  it('tries again, with longer and longer waits, when it is not accepted', () => {
    const { run, sent, waits } = apps('any secret of sixteen or more', [503, 0, 200]);

    run('onResponse(event)');

    expect(sent).toHaveLength(3);
    expect(waits).toEqual([2_000, 4_000]);
  });

  it('fails in the end, so that Google writes to the owner; resend() sends it again', () => {
    const { run, sent } = apps('any secret of sixteen or more', [503, 503, 503, 503]);

    expect(() => run('onResponse(event)')).toThrow('its answer was 503');
    run('resend()');

    expect(sent).toHaveLength(5);
  });
});
