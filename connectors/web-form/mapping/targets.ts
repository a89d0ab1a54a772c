import { submissionFields } from '../../../src/domain/booking.ts';

/** What can be filled from a form: the booking's fields, which clinic it is for, and the tool's own id. */
export const targets = [...submissionFields, 'clinic', 'submission_id'] as const;
export type Target = (typeof targets)[number];
