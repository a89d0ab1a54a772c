import { fc, it as property } from '@fast-check/vitest';
import { expect, it } from 'vitest';
import type { Change, ChangeType } from '../domain/clinics/change.ts';
import type { JsonObject } from '../platform/json.ts';
import { coalesce } from './coalesce.ts';

let sequence = 0;
function change(type: ChangeType, id: string, data: JsonObject, previous: JsonObject | null = null): Change {
  sequence += 1;
  const resource = type.slice(0, type.indexOf('.')) as Change['resource'];
  return { clinic: 'main', sequence, at: '2026-03-02T09:00:00.000Z', type, resource, id, data, previous };
}

it('merges updates of one record into the newest fields and all differences since the first', () => {
  const changes = [
    change('treatment.updated', '1', { fee: '2', name: 'a' }, { fee: '1' }),
    change('treatment.updated', '1', { fee: '3', name: 'b' }, { fee: '2', name: 'a' }),
  ];

  const [joined, ...more] = coalesce(changes);

  expect(more).toEqual([]);
  expect(joined).toMatchObject({
    type: 'treatment.updated',
    sequence: changes[1]?.sequence,
    data: { fee: '3', name: 'b' },
    previous: { fee: '1', name: 'a' },
  });
});

it('omits from previous what changed back', () => {
  const changes = [
    change('treatment.updated', '1', { fee: '2' }, { fee: '1' }),
    change('treatment.updated', '1', { fee: '1' }, { fee: '2' }),
  ];

  expect(coalesce(changes)[0]?.previous).toEqual({});
});

it('reports a new record as created with its newest fields', () => {
  const changes = [
    change('treatment.created', '1', { fee: '1' }),
    change('treatment.updated', '1', { fee: '2' }, { fee: '1' }),
  ];

  expect(coalesce(changes)).toMatchObject([
    { type: 'treatment.created', data: { fee: '2' }, previous: null },
  ]);
});

it('reports a removed record as removed, and one that came back as created', () => {
  const removed = change('treatment.removed', '1', { fee: '1' });

  expect(coalesce([change('treatment.created', '1', { fee: '1' }), removed])).toEqual([removed]);
  expect(coalesce([removed, change('treatment.created', '1', { fee: '2' })])).toMatchObject([
    { type: 'treatment.created' },
  ]);
});

it('keeps a status change visible when other fields changed too', () => {
  const changes = [
    change('appointment.status_changed', '9', { status: 'Completed' }, { status: 'Scheduled' }),
    change('appointment.updated', '9', { status: 'Completed', time: '10:00' }, { time: '09:00' }),
  ];

  expect(coalesce(changes)).toMatchObject([
    { type: 'appointment.status_changed', previous: { status: 'Scheduled', time: '09:00' } },
  ]);
});

it('never merges bookings: each of their moves matters', () => {
  const moves = [change('booking.received', 'CS-1', {}), change('booking.booked', 'CS-1', {})];

  expect(coalesce(moves)).toEqual(moves);
});

property.prop([fc.array(fc.tuple(fc.constantFrom('1', '2', '3'), fc.nat(3)))])(
  'brings a receiver to the same state as every single change does',
  (steps) => {
    const fees = new Map<string, string>();
    const changes = steps.map(([id, fee]) => {
      const before = fees.get(id);
      fees.set(id, String(fee));
      return before === undefined
        ? change('treatment.created', id, { fee: String(fee) })
        : change('treatment.updated', id, { fee: String(fee) }, { fee: before });
    });

    const told = coalesce(changes);

    expect(Object.fromEntries(told.map(({ id, data }) => [id, data.fee]))).toEqual(Object.fromEntries(fees));
    expect(new Set(told.map(({ id }) => id)).size).toBe(told.length);
  },
);
