import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bookingOutcome } from './booking-outcome.ts';
import type { Exchange, ExchangeProblem } from './http/exchange.ts';

const plain = (message: string) => message;
const answer = (status: number, body: unknown): Exchange => ({
  kind: 'answer',
  status,
  body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
});
const outcome = (status: number, body: unknown = { success: false, message: 'No.' }) =>
  bookingOutcome(answer(status, body), plain);

describe('what an outcome means', () => {
  it.each([401, 403, 404, 405, 407, 415, 429])(
    '%i stops the priority; the booking was surely not created',
    (status) => {
      expect(outcome(status)).toEqual({ class: 'lane_refusal', status, message: 'No.' });
    },
  );

  it.each([400, 409, 410, 413, 414, 422, 431])('%i refuses the booking, with the message', (status) => {
    expect(outcome(status)).toEqual({ class: 'refused', status, message: 'No.' });
  });

  it('a 2xx with success:false refuses the booking, whatever number it contains', () => {
    expect(outcome(200)).toEqual({ class: 'refused', status: 200, message: 'No.' });
    expect(outcome(201, { success: false, data: { appointment_id: 7 } })).toMatchObject({ class: 'refused' });
  });

  it.each([null, 5, ['Saved.'], { text: 'Saved.' }])(
    'a message that is %j changes nothing about what happened to the booking',
    (message) => {
      const data = { appointment_id: 5001 };
      expect(outcome(200, { success: true, message, data })).toMatchObject({
        class: 'booked',
        appointment_id: 5001,
      });
      expect(outcome(200, { success: false, message })).toMatchObject({ class: 'refused' });
    },
  );

  it('quotes the reasons of a validator, whether in a list or by field', () => {
    const message = { patient_phone: ['The phone is too short.'], note: ['The note is too long.', null] };
    const reason = 'The phone is too short. The note is too long.';

    expect(outcome(422, { success: false, message })).toMatchObject({ class: 'refused', message: reason });
    expect(outcome(200, { success: false, message })).toMatchObject({ class: 'refused', message: reason });
    expect(outcome(404, { message: [] })).toMatchObject({ message: 'The clinic gave no reason.' });
  });

  const booked = JSON.stringify({ success: true, message: 'Saved.', data: { appointment_id: 5001 } });
  const notice =
    '<br />\n<b>Deprecated</b>:  {closure}(): Implicitly nullable in <b>/var/www/a.php</b> on line <b>12</b><br />\n';
  it.each([
    ['a message of PHP', notice],
    ['several of them', notice.repeat(3)],
    ['one without markup', '\nWarning: Undefined array key "x" in /var/www/a.php on line 7\n'],
  ])('an answer behind or before %s is read whole', (_what, noise) => {
    expect(outcome(201, `${noise}${booked}`)).toMatchObject({ class: 'booked', appointment_id: 5001 });
    expect(outcome(200, `${noise}{"success":false,"message":"No."}`)).toMatchObject({ class: 'refused' });
    expect(outcome(201, `${booked}\n${noise}`)).toMatchObject({ class: 'booked', appointment_id: 5001 });
    expect(outcome(201, `${noise}${booked}${noise}`)).toMatchObject({ class: 'booked' });
  });

  it.each([
    ['is cut short', `${notice}{"success":false,"data":${booked}`],
    ['is inside another', `{"success":false,"message":"Warning: a in b on line 1","data":${booked}`],
    ['has more behind it', `${notice}${booked}${booked}`],
    ['stands behind other text', `Hello ${booked}`],
    ['stands before other text', `${booked} Hello`],
    ['is cut short before a message', `{"success":true,"data":{"appointment_id":5001}\n${notice}`],
  ])('an answer that %s proves nothing', (_what, body) => {
    expect(outcome(200, body)).toMatchObject({ class: 'ambiguous' });
  });

  it('every other status leaves the outcome open, whatever the body says', () => {
    const closed = new Set([401, 403, 404, 405, 407, 415, 429, 400, 409, 410, 413, 414, 422, 431]);
    for (let status = 300; status < 1_000; status += 1)
      if (!closed.has(status)) expect(outcome(status)).toMatchObject({ class: 'ambiguous', status });
  });

  it('a status alone is enough for a refusal: the body may be anything', () => {
    expect(outcome(422, '<html>')).toEqual({
      class: 'refused',
      status: 422,
      message: 'The clinic gave no reason.',
    });
    expect(outcome(403, '')).toMatchObject({ class: 'lane_refusal', message: 'The clinic gave no reason.' });
  });

  it('reports only that nothing was sent when no connection was made', () => {
    const problems: ExchangeProblem[] = [
      'timeout',
      'connection',
      'certificate',
      'protocol',
      'aborted',
      'unsendable',
    ];
    for (const problem of problems)
      expect(bookingOutcome({ kind: 'broken', connected: false, problem }, plain).class).toBe('never_sent');
  });

  it.each([
    ['5001', 5001],
    [5001, 5001],
    ['05001', undefined],
    [' 5001', undefined],
    ['5001.0', undefined],
    ['0', undefined],
    ['-1', undefined],
    ['9007199254740993', undefined],
    [5001.5, undefined],
  ])('takes %j for the id %s', (appointment_id, id) => {
    const seen = outcome(200, { success: true, message: '', data: { appointment_id } });

    expect(seen).toEqual(
      id === undefined
        ? { class: 'no_id', message: '' }
        : { class: 'booked', appointment_id: id, message: '' },
    );
  });

  it('whatever bytes come back, it is booked only with success:true and a positive whole number', () => {
    const runs = 300 * Number(process.env.VERIFY_RUNS ?? 1);
    const id = fc.oneof(fc.integer(), fc.double(), fc.string(), fc.constant(null), fc.maxSafeInteger());
    const success = fc.oneof(fc.boolean(), fc.constant('true'), fc.constant(1));
    const body = fc.oneof(
      fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
      fc.json().map((text) => Buffer.from(text)),
      fc
        .record(
          { success, message: fc.anything(), data: fc.record({ appointment_id: id }) },
          { requiredKeys: [] },
        )
        .map((value) => Buffer.from(JSON.stringify(value) ?? '')),
    );
    fc.assert(
      fc.property(fc.integer({ min: 200, max: 299 }), body, (status, bytes) => {
        const seen = bookingOutcome({ kind: 'answer', status, body: bytes }, plain);
        if (seen.class !== 'booked') return;
        const said = JSON.parse(bytes.toString());
        expect(said.success).toBe(true);
        expect(String(seen.appointment_id)).toBe(String(said.data.appointment_id));
        expect(Number.isSafeInteger(seen.appointment_id) && seen.appointment_id > 0).toBe(true);
      }),
      { numRuns: runs },
    );
  });

  it('the outcome stays open after any failure on an open connection', () => {
    const problem = fc.constantFrom<ExchangeProblem>(
      'timeout',
      'connection',
      'protocol',
      'cut',
      'too_long',
      'unreadable',
      'aborted',
    );
    const status = fc.option(fc.integer({ min: 200, max: 599 }), { nil: undefined });
    fc.assert(
      fc.property(problem, status, fc.string(), (what, head, code) => {
        const broken = { kind: 'broken', connected: true, problem: what, code } as const;
        const seen = bookingOutcome(head === undefined ? broken : { ...broken, status: head }, plain);
        expect(seen.class).toBe('ambiguous');
      }),
    );
  });
});
