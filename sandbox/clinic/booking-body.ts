import type { IncomingHttpHeaders } from 'node:http';
import { BookingBody } from '../../src/clinic/booking-body.ts';
import { errorAnswer, type SandboxAnswer } from './answer.ts';
import type { Practice } from './practice.ts';

/** Larger bodies get a 413; a booking is a few hundred bytes. */
export const LARGEST_BODY_BYTES = 1024 * 1024;

const bad = (message: string) => ({ refusal: errorAnswer(400, 'bad_request', message) });

/**
 * Section 4.7: JSON only (415); all missing and invalid parameters are listed at once (400). A doctor or treatment that
 * does not exist is an invalid parameter. Unspecified parameters are ignored.
 */
export function parseBooking(
  { headers, body }: { headers: IncomingHttpHeaders; body: Buffer },
  practice: Pick<Practice, 'treatments' | 'dentists'>,
): { body: BookingBody } | { refusal: SandboxAnswer } {
  const [type = ''] = (headers['content-type'] ?? '').split(';');
  if (type.trim().toLowerCase() !== 'application/json')
    return {
      refusal: errorAnswer(
        415,
        'unsupported_media_type',
        'The body must be JSON (Content-Type: application/json).',
      ),
    };
  if (body.length > LARGEST_BODY_BYTES)
    return { refusal: errorAnswer(413, 'payload_too_large', 'The body is too large.') };

  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    return bad('The body is not valid JSON.');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return bad('The body must be a JSON object.');

  const given = value as Record<string, unknown>;
  const parsed = BookingBody.safeParse(given);
  const faulty = new Set(parsed.success ? [] : parsed.error.issues.map((issue) => String(issue.path[0])));
  const { doctor_id, treatment_id } = given;
  if (typeof doctor_id === 'number' && practice.dentists.get(doctor_id) === undefined)
    faulty.add('doctor_id');
  if (typeof treatment_id === 'number' && practice.treatments.get(treatment_id) === undefined)
    faulty.add('treatment_id');
  if (parsed.success && faulty.size === 0) return { body: parsed.data };

  const names = [...faulty];
  const isMissing = (name: string) => given[name] === undefined || given[name] === '';
  const missing = names.filter(isMissing);
  const invalid = names.filter((name) => !isMissing(name));
  const sentences = [
    missing.length > 0 ? `Missing parameters: ${missing.join(', ')}.` : '',
    invalid.length > 0 ? `Invalid parameters: ${invalid.join(', ')}.` : '',
  ];
  return bad(sentences.filter(Boolean).join(' '));
}
