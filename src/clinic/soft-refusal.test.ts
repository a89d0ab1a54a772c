import { describe, expect, it } from 'vitest';
import { mayConcernToken, softRefusal } from './http/soft-refusal.ts';

const answer = (status: number, body: string | object) => ({
  kind: 'answer' as const,
  status,
  body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
});
const no = (more: object) => ({ success: false, ...more });

describe('a refusal for now', () => {
  it.each([
    ['throttled', 200, no({ error_code: 'rate_limited', message: 'Please wait.' })],
    ['throttled', 400, no({ error_code: 'RATE-LIMIT-EXCEEDED' })],
    ['throttled', 200, no({ message: 'Too many requests, try again in a minute.' })],
    ['throttled', 200, no({ message: 'Zu viele Anfragen' })],
    ['throttled', 200, no({ code: 'too_many_attempts' })],
    ['throttled', 200, no({ error: { code: 'rate_limited', message: 'Please wait' } })],
    ['throttled', 200, no({ errors: ['Too many requests'] })],
    ['throttled', 200, no({ code: 429, message: 'Limit' })],
    ['token', 401, no({ errors: [{ code: 'x', message: 'The token has expired' }] })],
    ['maintenance', 200, no({ code: 503 })],
    ['maintenance', 200, no({ message: 'Service temporarily unavailable' })],
    ['maintenance', 200, no({ message: 'The system is under maintenance.' })],
    ['maintenance', 200, no({ error_code: 'service_unavailable' })],
    ['maintenance', 200, no({ message: 'Sistema en mantenimiento' })],
    ['maintenance', 422, no({ message: 'Database temporarily unavailable' })],
    ['token', 200, no({ message: 'Token has expired' })],
    ['token', 400, no({ error: 'invalid_token' })],
    ['token', 200, no({ error_code: 'auth_failed', message: 'x' })],
    ['token', 200, no({ message: 'Unauthenticated.' })],
    ['token', 200, no({ message: 'The access token is invalid or has been revoked' })],
    ['token', 200, no({ error_code: 'TOKEN.EXPIRED' })],
    ['token', 200, no({ message: 'Your session has expired, please login again' })],
    ['token', 200, no({ message: 'Die Sitzung ist abgelaufen.' })],
    ['token', 200, no({ error_code: 'SESSION_EXPIRED' })],
  ])('is told by its words: %s, %i %j', (means, status, body) => {
    expect(softRefusal(answer(status, body))).toBe(means);
  });

  it.each([
    [200, no({ message: 'The doctor is not available at this time.' })],
    [200, no({ message: 'This slot is already booked.' })],
    [200, no({ message: 'The treatment session has expired.' })],
    [200, no({ message: 'Token number 12 is already taken' })],
    [200, no({ message: 'Too many appointments on this day' })],
    [200, no({ error_code: 'doctor_unavailable' })],
    [422, no({ message: 'The patient phone is invalid.' })],
    [200, no({ message: 'The dentist is temporarily unavailable' })],
    [200, no({ message: 'This service is unavailable on Mondays' })],
    [200, no({ message: 'The selected service is not offered while the dentist is down with the flu' })],
    [422, no({ errors: { patient_phone: ['The token is invalid.'] } })],
    [200, no({})],
    [200, { success: true, message: 'Token has expired' }],
    [200, { success: true, data: { note: 'false alarm: rate limit' } }],
    [403, '<html>Too many requests</html>'],
    [200, 'rate limit false'],
  ])('is not taken for a refusal for good, nor for an answer: %i %j', (status, body) => {
    expect(softRefusal(answer(status, body))).toBeUndefined();
  });

  it('may be about the token with a 403, but not with a web page', () => {
    expect(mayConcernToken(answer(403, no({ message: 'Forbidden' })))).toBe(true);
    expect(mayConcernToken(answer(403, '<!doctype html><title>Just a moment…</title>'))).toBe(false);
    expect(mayConcernToken(answer(404, no({ message: 'Not found' })))).toBe(false);
  });
});
