import { z } from 'zod';

/** Section 4.7: the body of POST /appointments/book. */
export const BookingBody = z.object({
  patient_name: z.string().min(1),
  patient_phone: z.string().min(1),
  address: z.string().optional(),
  appointment_date: z.iso.date(),
  appointment_time: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be HH:MM, 24-hour'),
  doctor_id: z.number().int().optional(),
  treatment_id: z.number().int().optional(),
  note: z.string().optional(),
});
export type BookingBody = z.infer<typeof BookingBody>;

/** The answer of section 4.7, as lenient as possible: the caller judges what is missing or odd. */
export const BookingAnswer = z.looseObject({
  success: z.boolean(),
  message: z.unknown().optional(),
  data: z.unknown().optional(),
});
