import { Failure } from '../../platform/failure.ts';

/** A number as typed, such as an appointment’s. Throws `Failure` refused. */
export function positiveNumber(text: string, what = 'The appointment number'): number {
  const value = Number(text);
  if (/^\d+$/.test(text.trim()) && Number.isSafeInteger(value) && value > 0) return value;
  throw new Failure({
    kind: 'refused',
    status: 400,
    message: `${what} is not a whole number above 0`,
    hint: 'Copy it from the clinic’s calendar.',
    refusal: { name: 'number_unread', ref: '' },
  });
}
