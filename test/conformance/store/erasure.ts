import { describe, expect, it } from 'vitest';
import type { NewBooking } from '../../../src/store/ports/bookings.ts';
import type { Store } from '../../../src/store/store.ts';
import { booking, claimNext, delivery, judge, minute, type OpenStore } from './samples.ts';

const planted = {
  patient_name: 'Zebedee Planted',
  patient_phone: '01711-987654',
  phone_e164: '+8801711987654',
  address: '9 Planted Lane',
  note: 'planted allergy',
  message: 'planted message',
  submission_id: 'zebedee-01711987654',
  doctor: 'whoever Zebedee knows',
  doctor_id: 4,
  treatment: 'planted gums',
  treatment_id: 2,
};
const traces = /zebedee|987654|planted/i;

const accept = async (store: Store, fields: Partial<NewBooking> = {}) =>
  (await store.bookings.accept(booking(fields), judge)).booking;

/** Everything the store shows about bookings, appointments, changes and deliveries. */
const everything = async (store: Store) =>
  JSON.stringify([
    await store.mirror.rows('bookings', 'main'),
    await store.mirror.rows('appointments', 'main'),
    await store.changes.after('main', 0, 999),
    await store.deliveries.list({}),
    await Promise.all((await store.bookings.list({})).map(({ ref }) => store.bookings.events(ref))),
  ]);

async function bookedAndDelivered(store: Store) {
  const { ref } = await accept(store, planted);
  await claimNext(store, 'main', minute(1));
  const outcome = { actor: 'daemon', by: 'daemon', at: minute(2), message: 'Booked for Zebedee' } as const;
  await store.bookings.move({
    ref,
    attempt: 1,
    from: ['sending'],
    to: 'booked',
    appointment_id: 501,
    ...outcome,
  });
  const seen = { status: 'Scheduled', name: 'Zebedee Planted', date: '2026-04-01', time: '10:30' };
  await store.appointments.observe({
    clinic: 'main',
    appointment_id: 501,
    at: minute(3),
    seen: { ...seen, raw: seen },
    next_due_at: minute(9),
    done: false,
    changes: [
      { type: 'appointment.updated', resource: 'appointment', id: '501', data: seen, previous: null },
    ],
  });
  const event = {
    ...delivery(3, `booking:${ref}`),
    body: JSON.stringify({ type: 'x', data: planted, previous: planted }),
  };
  const odd = { ...delivery(4, 'appointment:501'), body: 'Zebedee,10:30' };
  await store.deliveries.enqueue('crm', 'main', 4, [event, odd], minute(4));
  return ref;
}

export function describeErasure(open: OpenStore): void {
  describe('erasing a person', () => {
    it.each([
      ['by any way the phone was written', (_ref: string) => ({ phones: ['01711-987654'] })],
      ['by the number in its international form', (_ref: string) => ({ phones: ['+8801711987654'] })],
      ['by a booking', (ref: string) => ({ refs: [ref] })],
    ])('removes them from every row, %s', async (_how, person) => {
      const store = await open();
      const ref = await bookedAndDelivered(store);
      const before = await everything(store);

      const erased = await store.erase(person(ref), minute(5), 'Sam');

      expect(before).toMatch(traces);
      expect(await everything(store)).not.toMatch(traces);
      expect(erased).toMatchObject({ refs: [ref], appointment_ids: [501], deliveries: 2, log_cleared: true });
      expect(await store.bookings.get(ref)).toMatchObject({ state: 'booked', appointment_id: 501 });
      expect(await store.appointments.pending('main', 100)).toEqual([]);
    });

    it('removes what could not be read as a date or a time, too, and keeps what could', async () => {
      const store = await open();
      const unread = { appointment_date: 'Zebedee’s birthday', appointment_time: 'after planted tea' };
      const { ref } = await accept(store, { ...planted, ...unread, state: 'held', reason: 'invalid_field' });
      const { ref: read } = await accept(store, {
        ...planted,
        submission_id: 'other',
        patient_name: 'Zebedee',
      });

      await store.erase({ phones: ['+8801711987654'] }, minute(5), 'Sam');

      expect(await everything(store)).not.toMatch(traces);
      expect(await store.bookings.get(ref)).toMatchObject({ appointment_date: null, doctor_id: 4 });
      expect(await store.bookings.get(read)).toMatchObject({
        appointment_date: booking().appointment_date,
        treatment_id: 2,
      });
    });

    it('finds bookings that have the number in another text, and takes those it is given', async () => {
      const store = await open();
      const other = { patient_phone: null, phone_e164: null, state: 'held' } as const;
      const noted = await accept(store, { ...other, note: 'call me: +880 (1711) 98-76.54 please' });
      const inThai = await accept(store, { ...other, address: 'โทร ๐๑๗๑๑๙๘๗๖๕๔' });
      await accept(store, { ...other, note: 'call 01711 987 655' });
      const phones = ['+8801711987654'];

      const found = await store.findPerson({ phones });
      await store.erase({ phones, refs: [noted.ref] }, minute(5), 'Sam');

      expect(found.refs).toEqual([]);
      expect(found.mentions.sort((a, b) => (a.fields[0] ?? '').localeCompare(b.fields[0] ?? ''))).toEqual([
        { ref: inThai.ref, fields: ['address'] },
        { ref: noted.ref, fields: ['note'] },
      ]);
      expect(await store.bookings.get(noted.ref)).toMatchObject({ state: 'dropped', note: null });
      expect(await store.bookings.get(inThai.ref)).toEqual(inThai);
    });

    it.each<[field: string, text: string]>([
      ['submission_id', 'form 01711-987-654'],
      ['submission_id', 'رقم ٠١٧١١٩٨٧٦٥٤'],
      ['patient_name', 'Ann (01711987654)'],
      ['patient_phone', '01811 000 000 / 01711 987 654'],
      ['note', '０１７１１９８７６５４'],
      ['note', '01711\u00a0987\u00a0654'],
      ['note', '01711–987–654'],
      ['message', 'The clinic refused 01711987654.'],
      ['appointment_date', 'tomorrow, ring 01711987654'],
      ['treatment', '8801711987654'],
    ])('finds a number in %s: %s', async (field, text) => {
      const store = await open();
      const { ref } = await accept(store, { state: 'held', phone_e164: '+8801811000000', [field]: text });
      await accept(store, { state: 'held', phone_e164: '+8801811000001', note: '01711987655' });

      const found = await store.findPerson({ phones: ['+8801711987654'] });

      expect(found.mentions).toEqual([{ ref, fields: [field] }]);
    });

    it('finds appointments that are followed without a booking under the same name, and takes those given', async () => {
      const store = await open();
      const ref = await bookedAndDelivered(store);
      const follow = async (clinic: string, appointment_id: number, name: string) => {
        await store.appointments.track(clinic, [appointment_id], minute(3));
        const seen = { status: 'Scheduled', name, date: '2026-05-01', time: '11:00' };
        await store.appointments.observe({
          ...{ clinic, appointment_id, at: minute(4), next_due_at: minute(9), done: false },
          seen: { ...seen, raw: seen },
          changes: [
            {
              type: 'appointment.updated',
              resource: 'appointment',
              id: `${appointment_id}`,
              data: seen,
              previous: null,
            },
          ],
        });
      };
      await follow('main', 77, 'zebedee  PLANTED');
      await follow('main', 78, 'Somebody Else');
      await follow('north', 79, 'Zebedee Planted');
      const theirs = { clinic: 'main', appointment_id: 77 };

      const found = await store.findPerson({ refs: [ref] });
      await store.erase({ refs: [ref] }, minute(5), 'Sam');
      const unasked = await store.appointments.list('main', [77, 78]);
      const erased = await store.erase({ appointments: [theirs] }, minute(6), 'Sam');

      expect(found.same_name).toEqual([{ ...theirs, date: '2026-05-01', time: '11:00' }]);
      expect(unasked.map(({ name }) => name)).toEqual(['zebedee  PLANTED', 'Somebody Else']);
      expect(erased).toMatchObject({ refs: [], appointment_ids: [77], changes: 2 });
      expect(await everything(store)).not.toMatch(traces);
      expect((await store.erasures(0)).at(-1)).toMatchObject({ refs: [], appointments: [theirs] });
      expect(await store.appointments.list('north', [79])).toMatchObject([{ name: 'Zebedee Planted' }]);
    });

    it('leaves the numbers of the change log as they were', async () => {
      const store = await open();
      await bookedAndDelivered(store);
      const before = await store.changes.after('main', 0, 999);

      await store.erase({ phones: ['+8801711987654'] }, minute(5), 'Sam');

      const after = await store.changes.after('main', 0, 999);
      expect(after.map(({ sequence, type, at }) => [sequence, type, at])).toEqual(
        before.map(({ sequence, type, at }) => [sequence, type, at]),
      );
    });

    it('drops what waits, so that no one is booked without a name', async () => {
      const store = await open();
      const { ref } = await accept(store, planted);

      await store.erase({ refs: [ref] }, minute(5), 'Sam');

      expect(await store.bookings.get(ref)).toMatchObject({
        state: 'dropped',
        reason: 'erased',
        patient_name: null,
      });
      expect(await claimNext(store, 'main', minute(6))).toBeUndefined();
      expect(await everything(store)).not.toMatch(traces);
    });

    it('waits for one that is on the wire', async () => {
      const store = await open();
      const { ref } = await accept(store, planted);
      const sending = await claimNext(store, 'main', minute(1));

      await expect(store.erase({ refs: [ref] }, minute(5), 'Sam')).rejects.toMatchObject({
        kind: 'transient',
      });
      expect(await store.bookings.get(ref)).toEqual(sending);
    });

    it('still knows the submission: a repetition does not bring the person back, and nothing else is lost', async () => {
      const store = await open();
      const sent = { ...planted, submission_id: 'form-1', submission_hash: 'planted' };
      const { ref } = await accept(store, sent);
      await store.erase({ refs: [ref] }, minute(5), 'Sam');

      const again = await store.bookings.accept(booking(sent), judge);
      const left = await everything(store);
      const other = { submission_id: 'form-1', submission_hash: 'other' };
      const another = await store.bookings.accept(booking(other), judge);

      expect(again).toMatchObject({ result: 'same', booking: { ref } });
      expect(another).toMatchObject({ result: 'new', booking: { reason: 'changed_submission' } });
      expect(left).not.toMatch(traces);
    });

    it('asks about a request for the phone number and time of an erased person, until that time is over', async () => {
      const store = await open();
      const ref = await bookedAndDelivered(store);
      await store.erase({ refs: [ref] }, minute(5), 'Sam');
      const { message: _, ...wish } = { ...planted, submission_id: 'another', phone_e164: '01711987654' };

      const again = await accept(store, wish);
      const elsewhen = await accept(store, { ...wish, submission_id: 'later', appointment_time: '17:00' });
      const left = await everything(store);
      const later = minute(90 * 24 * 60);
      await store.prune({
        now: later,
        deliveries: later,
        observations: later,
        connectors: [],
        forgetting: [],
      });
      const afterwards = await accept(store, { ...wish, patient_name: 'Somebody', submission_id: 'third' });

      expect(again).toMatchObject({ state: 'held', reason: 'duplicate_suspect', duplicate_of: ref });
      expect(again.message).toContain(ref);
      expect(elsewhen.duplicate_of).not.toBe(ref);
      expect(left.split(ref).length).toBeGreaterThan(1);
      expect(afterwards.message).not.toContain('erased');
    });

    it('follows no appointment that is linked to the booking of an erased person later', async () => {
      const store = await open();
      const { ref } = await accept(store, planted);
      await claimNext(store, 'main', minute(1));
      const step = { ref, attempt: 1, by: 'Sam' };
      await store.bookings.move({
        ...step,
        from: ['sending'],
        to: 'unknown',
        actor: 'daemon',
        at: minute(2),
      });
      await store.erase({ refs: [ref] }, minute(5), 'Sam');

      const linked = {
        ...step,
        from: ['unknown'],
        to: 'booked',
        actor: 'person',
        appointment_id: 77,
      } as const;
      await store.bookings.move({ ...linked, from: ['unknown'], at: minute(6) });

      expect(await store.bookings.get(ref)).toMatchObject({ state: 'booked', appointment_id: 77 });
      expect(await store.appointments.list('main', [77])).toEqual([]);
    });

    it('still knows it after old rows were removed, until the date of the appointment is over', async () => {
      const store = await open();
      await store.keyValue.set('erasing', { key: 'a key of its own' });
      const sent = { ...planted, submission_hash: 'planted' };
      const { ref } = await accept(store, sent);
      await store.erase({ refs: [ref] }, minute(60), 'Sam');

      const week = minute(7 * 24 * 60);
      await store.prune({ now: week, deliveries: week, observations: week, connectors: [], forgetting: [] });
      const again = await store.bookings.accept(booking(sent), judge);

      expect(again).toMatchObject({ result: 'same', booking: { ref } });
    });

    it('is remembered until every connector that can forget has done so, and at least for the limit', async () => {
      const store = await open();
      const { ref } = await accept(store, planted);
      const { last } = await store.erase({ refs: [ref] }, minute(60), 'Sam');
      const later = minute(61);
      const left = async (deliveries: string, forgetting: string[]) => {
        await store.prune({ now: later, deliveries, observations: later, connectors: ['crm'], forgetting });
        return (await store.erasures(0)).length;
      };

      const young = await left(minute(60), []);
      const unheard = await left(later, ['sheet', 'files']);
      await store.deliveries.report('sheet', { forgotten: last });
      const half = await left(later, ['sheet', 'files']);
      await store.deliveries.report('files', { forgotten: last });
      const settled = await left(later, ['sheet', 'files']);

      expect([young, unheard, half, settled]).toEqual([1, 1, 1, 0]);
    });

    it('is passed to connectors by reference and number', async () => {
      const store = await open();
      const { ref } = await accept(store, planted);

      const { last } = await store.erase({ refs: [ref] }, minute(60), 'Sam');

      expect(await store.erasures(0)).toEqual([{ n: last, refs: [ref], appointments: [] }]);
    });

    it('leaves no hash behind from which a phone number could be found', async () => {
      const store = await open();
      const { ref } = await accept(store, planted);
      await store.bookings.claim('main', minute(1), { ref, evidence: { body_hash: 'abc' } });
      const outcome = { to: 'rejected', actor: 'daemon', by: 'daemon', at: minute(2) } as const;
      await store.bookings.move({ ref, attempt: 1, from: ['sending'], ...outcome });

      await store.erase({ refs: [ref] }, minute(60), 'Sam');

      expect((await store.bookings.get(ref))?.evidence).toEqual({ sent_at: minute(1) });
    });

    it('leaves everyone else alone, and finds no one twice', async () => {
      const store = await open();
      const other = await accept(store);
      const mine = await accept(store, planted);
      await store.erase({ phones: ['+8801711987654'] }, minute(5), 'Sam');

      const again = await store.erase({ phones: ['+8801711987654'] }, minute(6), 'Sam');

      expect(again).toMatchObject({ refs: [], appointment_ids: [] });
      expect(await store.bookings.get(other.ref)).toEqual(other);
      expect(await store.erase({ refs: [mine.ref] }, minute(7), 'Sam')).toMatchObject({ refs: [mine.ref] });
    });
  });
}
