import { describe, expect, it } from 'vitest';
import type { Store } from '../../../src/store/store.ts';
import { accept, move } from './booking-samples.ts';
import { minute, type OpenStore } from './samples.ts';

/** Ends a booking without sending it. */
const end = (store: Store, ref: string, to: 'dropped' | 'expired') =>
  store.bookings.move({
    ref,
    attempt: 0,
    from: ['queued'],
    to,
    actor: to === 'dropped' ? 'person' : 'daemon',
    by: 'somebody',
    at: minute(5),
  });
export function describeResembling(open: OpenStore): void {
  describe('a booking that resembles another', () => {
    it('discards nothing that completes a submission stored without a hash by an older version', async () => {
      const store = await open();
      const fields = { submission_id: 's1', patient_name: 'Rahim', patient_phone: null, phone_e164: null };
      const first = await accept(store, {
        ...fields,
        content_hash: null,
        state: 'held',
        reason: 'missing_field',
      });

      const again = await accept(store, { ...fields, content_hash: 'c1' });
      const completed = await accept(store, { submission_id: 's1', content_hash: 'c2' });

      expect(again).toMatchObject({ result: 'same', booking: { ref: first.booking.ref } });
      expect(completed).toMatchObject({
        result: 'new',
        booking: { state: 'held', reason: 'changed_submission', duplicate_of: first.booking.ref },
      });
    });

    it('merges equal content from one source within the window, and knows the merged submission later', async () => {
      const store = await open();
      const { booking: first } = await accept(store, { content_hash: 'h' });

      const within = await accept(store, {
        content_hash: 'h',
        submission_id: 'second',
        received_at: minute(15),
      });
      const after = await accept(store, { content_hash: 'h', received_at: minute(16) });
      const repeated = await accept(store, {
        content_hash: 'h',
        submission_id: 'second',
        received_at: minute(60),
      });

      expect(within).toMatchObject({ result: 'merged', booking: { ref: first.ref, merged: 1 } });
      expect(after.result).toBe('new');
      expect(repeated).toMatchObject({ result: 'same', booking: { ref: first.ref, merged: 1 } });
    });

    it('does not merge into another source’s booking, nor into one that a person dropped', async () => {
      const store = await open();
      const { booking: first } = await accept(store, { content_hash: 'h' });

      const otherSource = await accept(store, { content_hash: 'h', source: 'crm' });
      await end(store, first.ref, 'dropped');
      const afterDrop = await accept(store, { content_hash: 'h' });

      expect([otherSource.result, afterDrop.result]).toEqual(['new', 'new']);
    });

    it('holds the same phone at the same time from any source, never drops it', async () => {
      const store = await open();
      const phone_e164 = '+8801711111111';
      const { booking: first } = await accept(store, { phone_e164 });

      const { booking: second, result } = await accept(store, { phone_e164, source: 'crm' });
      const later = { phone_e164, appointment_time: '11:00', patient_name: 'Karima' };
      const { booking: third } = await accept(store, later);

      expect(result).toBe('new');
      expect(second).toMatchObject({ state: 'held', reason: 'duplicate_suspect', duplicate_of: first.ref });
      expect(second.message).toContain(first.ref);
      expect(third).toMatchObject({ state: 'queued', duplicate_of: null });
    });

    it.each([
      ['01711111111', '+8801711111111'],
      ['+8801711111111', '01711111111'],
      ['8801711111111', '01711111111'],
    ])(
      'holds %s before %s at the same time: the country may have been learned in between',
      async (before, after) => {
        const store = await open();
        const { booking: first } = await accept(store, { phone_e164: before });

        const { booking: second } = await accept(store, { phone_e164: after });
        const found = await store.bookings.resembling(second);

        expect(second).toMatchObject({ state: 'held', duplicate_of: first.ref });
        expect(found).toHaveLength(2);
        expect(found).toContainEqual({ ref: first.ref, state: 'queued', resembles: 'slot', moved: false });
        expect(found).toContainEqual({ ref: second.ref, state: 'held', resembles: 'slot', moved: false });
      },
    );

    it('treats numbers of two countries as different, however similar their ends', async () => {
      const store = await open();
      await accept(store, { phone_e164: '+8801711111111' });

      const other = { phone_e164: '+4901711111111', patient_name: 'Karima' };
      const { booking: second } = await accept(store, other);

      expect(second).toMatchObject({ state: 'queued', duplicate_of: null });
    });

    it('holds a submission that changed under its id beside the first, and counts the same change', async () => {
      const store = await open();
      const asked = { submission_id: 'edited', content_hash: 'at ten', phone_e164: '+8801711111111' };
      const { booking: first } = await accept(store, { ...asked, patient_name: 'Rahim' });
      const changed = {
        ...{ ...asked, content_hash: 'at eleven', patient_name: 'Rahim', appointment_time: '11:00' },
      };

      const { booking: second, result } = await accept(store, { ...changed, received_at: minute(1) });
      const again = await accept(store, { ...changed, received_at: minute(2) });
      const firstAgain = await accept(store, { ...asked, patient_name: 'Rahim', received_at: minute(3) });

      expect(result).toBe('new');
      expect(second).toMatchObject({
        ...{ state: 'held', reason: 'changed_submission', duplicate_of: first.ref },
        changed_fields: ['appointment_time'],
      });
      expect(again).toMatchObject({ result: 'same', booking: { ref: second.ref, merged: 1 } });
      expect(firstAgain).toMatchObject({ result: 'same', booking: { ref: first.ref, merged: 0 } });
      expect(await store.bookings.list({})).toHaveLength(2);
    });

    it('holds a submission that changes back after its first content was dropped, once, and again after that', async () => {
      const store = await open();
      const ten = { submission_id: 'back', submission_hash: 'ten', content_hash: 'ten', note: 'at ten' };
      const eleven = { ...ten, submission_hash: 'eleven', content_hash: 'eleven', note: 'at eleven' };
      const send = (fields: object, at: number) => accept(store, { ...fields, received_at: minute(at) });
      const drop = (ref: string) =>
        move(store, { ref, from: ['queued', 'held'], to: 'dropped', actor: 'person', by: 'Sam' });
      const { booking: first } = await send(ten, 0);
      const { booking: second } = await send(eleven, 1);
      await drop(first.ref);

      const back = await send(ten, 2);
      const repeated = await send(ten, 3);
      await drop(back.booking.ref);
      const declined = await send(ten, 4);
      const { booking: third } = await send({ ...ten, submission_hash: 'noon', note: 'at noon' }, 5);
      const backAgain = await send(ten, 6);

      expect(back).toMatchObject({
        result: 'new',
        booking: { state: 'held', reason: 'changed_submission', duplicate_of: second.ref },
      });
      expect(repeated).toMatchObject({ result: 'same', booking: { ref: back.booking.ref, merged: 1 } });
      expect(declined).toMatchObject({ result: 'same', booking: { ref: back.booking.ref } });
      expect(backAgain).toMatchObject({ result: 'new', booking: { duplicate_of: third.ref } });
    });

    it('notes on a held change that what it changes came again', async () => {
      const store = await open();
      const noted = async (ref: string) => (await store.bookings.get(ref))?.evidence?.changed_back;
      const send = (content_hash: string, at: number) =>
        accept(store, {
          submission_id: 's1',
          content_hash,
          submission_hash: content_hash,
          received_at: minute(at),
        });
      const { booking: first } = await send('at ten', 0);
      const { booking: change } = await send('at eleven', 1);
      await send('at eleven', 2);
      const before = await noted(change.ref);

      const again = await send('at ten', 3);

      expect(again).toMatchObject({ result: 'same', booking: { ref: first.ref } });
      expect([before, await noted(change.ref)]).toEqual([undefined, minute(3)]);
      expect(await store.bookings.get(change.ref)).toMatchObject({ state: 'held', message: change.message });
    });

    it('holds a note or an address that changed under its id, and takes the first again for the first', async () => {
      const store = await open();
      const asked = { submission_id: 'noted', content_hash: 'c', phone_e164: '+8801711111111' };
      const first = { ...asked, submission_hash: 'c', note: 'Hello', patient_name: 'Rahim' };
      const { booking } = await accept(store, first);

      const note = await accept(store, { ...first, submission_hash: 'c n', note: 'I am allergic' });
      const address = await accept(store, { ...first, submission_hash: 'c a', address: '1 Road' });
      const again = await accept(store, { ...first, submission_hash: 'c n', note: 'I am allergic' });
      const retried = await accept(store, { ...first, received_at: minute(9_999) });

      expect(note.booking).toMatchObject({
        ...{ state: 'held', reason: 'changed_submission', duplicate_of: booking.ref },
        changed_fields: ['note'],
        note: 'I am allergic',
      });
      expect(note.booking.message).toContain('with another note');
      expect(address.booking).toMatchObject({ state: 'held', changed_fields: ['address'] });
      expect(again).toMatchObject({ result: 'same', booking: { ref: note.booking.ref, merged: 1 } });
      expect(retried).toMatchObject({ result: 'same', booking: { ref: booking.ref, merged: 0 } });
    });

    it('knows a merged submission by all that was sent with it', async () => {
      const store = await open();
      const asked = { content_hash: 'h', phone_e164: '+8801711111111', patient_name: 'Rahim' };
      const { booking: first } = await accept(store, { ...asked, submission_id: 'one' });
      const second = { ...asked, submission_id: 'two', submission_hash: 'h 2' };
      await accept(store, second);

      const again = await accept(store, second);
      const noted = await accept(store, { ...second, submission_hash: 'h 3', note: 'A question' });

      expect(again).toMatchObject({ result: 'same', booking: { ref: first.ref } });
      expect(noted).toMatchObject({ result: 'new', booking: { reason: 'changed_submission' } });
    });

    it('takes another writing of the same content for the same', async () => {
      const store = await open();
      const asked = { submission_id: 's', patient_name: 'Aoife O’Neil', phone_e164: '01711111111' };
      const { booking: first } = await accept(store, asked);

      const again = await accept(store, {
        ...{ ...asked, patient_name: "aoife  O'Neil", phone_e164: '+8801711111111' },
      });

      expect(again).toMatchObject({ result: 'same', booking: { ref: first.ref } });
    });

    it('merges the same name, phone and time from any source within a day, and answers both sources', async () => {
      const store = await open();
      const asked = { phone_e164: '+8801711111111', patient_name: 'Rahim Uddin' };
      const { booking: first } = await accept(store, asked);
      const other = { ...asked, patient_name: 'RAHIM  uddin', source: 'crm', submission_id: 'theirs' };

      const merged = await accept(store, { ...other, received_at: minute(23 * 60) });
      const again = await accept(store, { ...other, received_at: minute(9_999) });
      const late = await accept(store, { ...asked, received_at: minute(25 * 60) });

      expect(merged).toMatchObject({ result: 'merged', booking: { ref: first.ref, merged: 1 } });
      expect(again).toMatchObject({ result: 'same', booking: { ref: first.ref } });
      expect(late.booking).toMatchObject({ state: 'held', reason: 'duplicate_suspect' });
      expect(await store.bookings.cameFrom(first.ref, 'crm')).toBe(true);
      expect(await store.bookings.cameFrom(first.ref, 'elsewhere')).toBe(false);
    });

    it('asks about the same name at the same time with another phone within a day, whatever the source', async () => {
      const store = await open();
      const asked = { patient_name: 'Rahim Uddin', phone_e164: '+8801711111111' };
      const { booking: first } = await accept(store, asked);
      const mistyped = { patient_name: 'rahim  UDDIN', phone_e164: '+8801711111112', source: 'crm' };

      const { booking: corrected, result } = await accept(store, { ...mistyped, received_at: minute(60) });
      const late = { ...mistyped, phone_e164: '+8801711111113', received_at: minute(26 * 60) };
      const { booking: tomorrow } = await accept(store, late);
      const found = await store.bookings.resembling(corrected);

      expect(result).toBe('new');
      expect(corrected).toMatchObject({
        ...{ state: 'held', reason: 'duplicate_suspect', duplicate_of: first.ref },
        changed_fields: ['patient_phone'],
      });
      expect(corrected.message).toContain('another phone number');
      expect(tomorrow.state).toBe('queued');
      expect(found).toContainEqual({
        ...{ ref: first.ref, state: 'queued', resembles: 'other_phone', moved: false },
      });
    });

    it('asks about the same name and phone for another time within minutes, as a possible correction', async () => {
      const store = await open();
      const asked = { patient_name: 'Rahim Uddin', phone_e164: '+8801711111111' };
      const { booking: first } = await accept(store, asked);
      const eleven = { ...asked, appointment_time: '11:00', source: 'crm', received_at: minute(15) };

      const { booking: second } = await accept(store, eleven);
      const later = await accept(store, { ...asked, appointment_time: '12:00', received_at: minute(31) });

      expect(second).toMatchObject({
        ...{ state: 'held', reason: 'changed_submission', duplicate_of: first.ref },
        changed_fields: ['appointment_time'],
      });
      expect(later.booking.state).toBe('queued');
    });

    it.each([
      { note: 'I am allergic to penicillin' },
      { treatment: 'Implant' },
      { doctor_id: 99 },
      { address: '1 Lake Road' },
    ])('keeps a repetition that says something new (%o), once, and asks', async (news) => {
      const store = await open();
      const asked = { patient_name: 'Rahim Uddin', phone_e164: '+8801711111111', content_hash: 'h' };
      const { booking: first } = await accept(store, asked);
      const again = { ...asked, ...news, submission_hash: JSON.stringify(news) };

      const { booking: second, result } = await accept(store, { ...again, submission_id: 'second' });
      const third = await accept(store, { ...again, submission_id: 'third', source: 'crm' });
      const bare = await accept(store, { ...asked, submission_id: 'fourth', source: 'crm' });

      expect(result).toBe('new');
      expect(second).toMatchObject({
        ...{ state: 'held', reason: 'changed_submission', duplicate_of: first.ref, ...news },
        changed_fields: Object.keys(news).map((field) => field.replace('_id', '')),
      });
      expect(third).toMatchObject({ result: 'merged', booking: { ref: second.ref } });
      expect(bare).toMatchObject({ result: 'merged', booking: { ref: first.ref } });
    });

    it.each([{ clinic: 'south' }, { kind: 'cancellation' as const }])(
      'takes no submission for the same whose clinic or kind differs: %o',
      async (other) => {
        const store = await open();
        const asked = {
          submission_id: 's1',
          content_hash: null,
          patient_name: 'Rahim',
          phone_e164: '+8801711111111',
        };
        const { booking: first } = await accept(store, asked);

        const second = await accept(store, { ...asked, ...other });

        expect(second).toMatchObject({
          result: 'new',
          booking: {
            state: 'held',
            duplicate_of: first.ref,
            changed_fields: [Object.keys(other)[0]],
            ...other,
          },
        });
      },
    );

    it('merges nothing that may be booked already by a database that was lost', async () => {
      const store = await open();
      const asked = { phone_e164: '+8801711111111', patient_name: 'Rahim Uddin' };
      await accept(store, asked);

      const { booking: second } = await accept(store, { ...asked, state: 'held', reason: 'restored_state' });

      expect(second).toMatchObject({ reason: 'restored_state', acknowledged_duplicates: [] });
    });
  });
}
