import type { JsonObject } from '../../../src/platform/json.ts';
import { bodySignature } from '../authentication/signature.ts';
import { noFields } from '../mapping/fields.ts';
import { idAt, noLead, objectAt, objectsAt, type Preset, putUnder, unknownEvent } from './preset.ts';

/** Cal.com webhooks, API version 2021-10-20: times are UTC, answers are in `responses`. */
export const calCom: Preset = {
  title: 'Cal.com',
  proven: {
    level: 'source',
    by: 'calcom/cal.com at 008952de, packages/features/webhooks/lib/sendPayload.ts',
  },
  proofs: [bodySignature('x-cal-signature-256', 'hex')],
  fixed: { appointment_date: '{{startTime}}', appointment_time: '{{startTime}}' },
  read(body) {
    const payload = objectAt(body.payload);
    const uid = idAt(payload.uid);
    const fields = fieldsOf(payload);
    switch (body.triggerEvent) {
      case 'BOOKING_CREATED':
        return { kind: 'booking', fields, id: uid };
      case 'BOOKING_RESCHEDULED': {
        const task = 'Moved to another time at Cal.com. Move the appointment at the clinic.';
        return { kind: 'task', fields, id: uid, task, moves: true };
      }
      case 'BOOKING_CANCELLED': {
        const task = 'Cancelled at Cal.com. Cancel the appointment at the clinic, if it was booked.';
        return { kind: 'task', fields, id: uid, task };
      }
      case 'PING':
        return { kind: 'ignored', event: 'PING', message: 'The test arrived' };
      default:
        return noLead(body.triggerEvent, otherEvents, 'Only bookings are taken') ?? unknownEvent(body);
    }
  },
  write({ startTime = '', ...answers }, uid) {
    const responses = Object.entries(answers).map(([name, value]) => [name, { label: name, value }]);
    return {
      triggerEvent: 'BOOKING_CREATED',
      payload: { uid, startTime, responses: Object.fromEntries(responses) },
    };
  },
};

/** Of meetings and of the team, not of bookings. */
const otherEvents =
  /^(?:MEETING_|RECORDING_|INSTANT_MEETING|OOO_|AFTER_|BOOKING_(?:NO_SHOW|PAID|PAYMENT|REQUESTED|REJECTED))/;

/** The answers by name and by label, then Cal.com's own fields. */
function fieldsOf(payload: JsonObject): JsonObject {
  const fields = noFields();
  const answers = [
    ...Object.entries(objectAt(payload.responses)),
    ...Object.entries(objectAt(payload.userFieldsResponses)),
  ];
  for (const [name, answer] of answers) putUnder(fields, [name], objectAt(answer).value);
  for (const [, answer] of answers) putUnder(fields, [idAt(objectAt(answer).label)], objectAt(answer).value);
  const [attendee = {}] = objectsAt(payload.attendees);
  for (const key of ['name', 'email', 'phoneNumber']) putUnder(fields, [key], attendee[key]);
  // A meeting by phone takes place at the attendee’s number.
  const { value: place, optionValue } = objectAt(objectAt(objectAt(payload.responses).location).value);
  if (place === 'phone') putUnder(fields, ['phone'], optionValue);
  putUnder(fields, ['phone'], fields.attendeePhoneNumber ?? fields.smsReminderNumber ?? fields.phoneNumber);
  for (const key of ['startTime', 'endTime', 'eventTitle', 'type']) putUnder(fields, [key], payload[key]);
  putUnder(fields, ['note'], payload.cancellationReason ?? fields.notes ?? payload.additionalNotes);
  // Hidden questions with these names take precedence over what Cal.com tracks itself.
  for (const place of [payload.tracking, payload.metadata])
    for (const [key, value] of Object.entries(objectAt(place))) putUnder(fields, [key], value);
  return fields;
}
