import type { HoldReason } from '../../domain/bookings/booking.ts';
import { isOpen } from '../../domain/clinics/opening-hours.ts';
import { DAY } from '../../platform/duration.ts';
import { holds } from '../messages.ts';
import { slotAt } from '../slot.ts';
import { type Candidate, mapChoice } from './mapping.ts';
import type { BookingFields, Fault } from './read-fields.ts';

/** What the checks need to know about the clinic; `undefined` while the mirror is empty. */
export interface Facts {
  zone: string;
  dentists: readonly Candidate[] | undefined;
  treatments: readonly Candidate[] | undefined;
  /** As published on the clinic's website. */
  openingHours: unknown;
}

export interface IntakeCircumstances {
  nowMs: number;
  horizonDays: number;
  approval: boolean;
  /** Faults found earlier: unreadable fields, unmappable values, limits, a restored database. */
  faults: readonly Fault[];
}

export interface IntakeVerdict {
  state: 'queued' | 'held' | 'received';
  reason: HoldReason | null;
  /** Every fault, the most serious first. */
  faults: Fault[];
  /** A dentist or treatment name waits for the mirror: without its number the booking must not be sent. */
  waits: boolean;
  /** Names replaced by the clinic's numbers. */
  draft: BookingFields;
}

/** Most serious first: faults that block sending, then those that a user may approve. */
const order: readonly HoldReason[] = [
  'restored_state',
  'missing_field',
  'invalid_field',
  'mapping',
  'past_slot',
  'too_far',
  'outside_hours',
  'duplicate_suspect',
  'changed_submission',
  'source_limit',
  'approval',
];

/** Faults that approval cannot lift, because no correct request could be sent. */
export const blocking: ReadonlySet<HoldReason> = new Set([
  'missing_field',
  'invalid_field',
  'mapping',
  'past_slot',
]);

/** Whether a booking may be sent, given what is known now. Pure. */
export function check(draft: BookingFields, facts: Facts, circumstances: IntakeCircumstances): IntakeVerdict {
  const { nowMs, horizonDays, approval } = circumstances;
  const faults: Fault[] = [...circumstances.faults];

  const doctor = mapChoice('doctor', { id: draft.doctor_id, name: draft.doctor }, facts.dentists);
  const treatment = mapChoice(
    'treatment',
    { id: draft.treatment_id, name: draft.treatment },
    facts.treatments,
  );
  for (const mapped of [doctor, treatment]) if (mapped.kind === 'fault') faults.push(mapped.fault);

  faults.push(...slotFaults(draft, facts, nowMs, horizonDays));
  if (approval)
    faults.push({
      field: 'booking',
      message: 'Every booking from this source needs a person’s approval.',
      reason: 'approval',
    });

  faults.sort((a, b) => order.indexOf(a.reason) - order.indexOf(b.reason));
  const checked: BookingFields = {
    ...draft,
    doctor_id: doctor.kind === 'id' ? doctor.id : draft.doctor_id,
    treatment_id: treatment.kind === 'id' ? treatment.id : draft.treatment_id,
  };
  const waits = doctor.kind === 'wait' || treatment.kind === 'wait';
  const [first] = faults;
  if (first !== undefined) return { state: 'held', reason: first.reason, faults, waits, draft: checked };
  return { state: waits ? 'received' : 'queued', reason: null, faults, waits, draft: checked };
}

function slotFaults(draft: BookingFields, facts: Facts, nowMs: number, horizonDays: number): Fault[] {
  const { appointment_date: date, appointment_time: time } = draft;
  const slot = slotAt(date, time, facts.zone);
  if (slot === undefined || date === null || time === null) return [];
  if (date < '1900' || date >= '2200')
    return [
      {
        field: 'appointment_date',
        message:
          'Its year looks like another calendar’s, such as the Persian, the Islamic or the Buddhist one.',
        reason: 'invalid_field',
      },
    ];
  if (!slot.exists)
    return [
      {
        field: 'appointment_time',
        message: 'The clocks change on this day and skip this time.',
        reason: 'invalid_field',
      },
    ];
  if (slot.lastMs <= nowMs)
    return [{ field: 'appointment_date', message: holds.past_slot.means, reason: 'past_slot' }];
  const faults: Fault[] = [];
  if (slot.firstMs > nowMs + horizonDays * DAY)
    faults.push({
      field: 'appointment_date',
      message: `This is more than ${horizonDays} days ahead.`,
      reason: 'too_far',
    });
  if (isOpen(facts.openingHours, date, time) === false)
    faults.push({
      field: 'appointment_time',
      message: holds.outside_hours.means,
      reason: 'outside_hours',
    });
  return faults;
}
