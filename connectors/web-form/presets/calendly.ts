import type { JsonObject } from '../../../src/platform/json.ts';
import { timedSignature } from '../authentication/signature.ts';
import { noFields } from '../mapping/fields.ts';
import { idAt, noLead, objectAt, objectsAt, type Preset, putUnder, unknownEvent } from './preset.ts';

const START = 'scheduled_event.start_time';

/**
 * Calendly webhooks. A move arrives as a cancellation and a new invitee. Only the clinic can move an appointment, so
 * the pair becomes one task for a person, never a second appointment.
 */
export const calendly: Preset = {
  title: 'Calendly',
  proven: { level: 'documentation', by: 'Calendly’s reference of its API' },
  proofs: [timedSignature('calendly-webhook-signature', 'v1')],
  fixed: {
    patient_name: { from: ['name', '{{first_name}} {{last_name}}'], pick: 'all' },
    appointment_date: `{{${START}}}`,
    appointment_time: `{{${START}}}`,
  },
  read(body) {
    const invitee = objectAt(body.payload);
    const id = idAt(invitee.uri);
    const fields = fieldsOf(invitee);
    if (body.event === 'invitee.canceled') {
      if (invitee.rescheduled === true)
        return {
          kind: 'ignored',
          event: 'invitee.canceled',
          message: 'The other half of a move, which is taken with the new time',
        };
      const task = 'Cancelled at Calendly. Cancel the appointment at the clinic, if it was booked.';
      return { kind: 'task', fields, id, task };
    }
    if (body.event !== 'invitee.created')
      return noLead(body.event, otherEvents, 'Only bookings are taken') ?? unknownEvent(body);
    if (idAt(invitee.old_invitee)) {
      const task = 'Moved to another time at Calendly. Move the appointment at the clinic.';
      return { kind: 'task', fields, id, task, moves: true };
    }
    return { kind: 'booking', fields, id };
  },
  write({ name = '', [START]: start_time = '', ...answers }, uri) {
    const questions = Object.entries(answers).map(([question, answer]) => ({ question, answer }));
    return {
      event: 'invitee.created',
      payload: { uri, name, scheduled_event: { start_time }, questions_and_answers: questions },
    };
  },
};

const otherEvents = /^(?:invitee_no_show|routing_form|event_type)/;

/** The invitee's fields, and one field per question. */
function fieldsOf(invitee: JsonObject): JsonObject {
  const { name, first_name, last_name, email, text_reminder_number, scheduled_event, cancellation } = invitee;
  const own = { name, first_name, last_name, email, text_reminder_number, scheduled_event };
  const fields = noFields();
  for (const [key, value] of Object.entries(own)) if (value !== undefined) fields[key] = value;
  for (const { question, answer } of objectsAt(invitee.questions_and_answers))
    putUnder(fields, [idAt(question)], answer);
  putUnder(fields, ['phone'], text_reminder_number);
  // For an outbound call, the meeting's location is the invitee's number.
  const { type, location } = objectAt(objectAt(scheduled_event).location);
  if (type === 'outbound_call') putUnder(fields, ['phone'], location);
  putUnder(fields, ['note'], idAt(objectAt(cancellation).reason));
  for (const [key, value] of Object.entries(objectAt(invitee.tracking))) putUnder(fields, [key], value);
  return fields;
}
