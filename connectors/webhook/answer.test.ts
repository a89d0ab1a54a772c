import { describe, expect, it } from 'vitest';
import { unreachableFailure } from '../../src/platform/network/unreachable.ts';
import { failureOf } from './answer.ts';

const NOW = Date.parse('2026-03-02T09:00:00Z');

describe('what an answer means', () => {
  it.each([200, 201, 202, 204, 299])('accepts %i as received', (status) => {
    expect(failureOf({ status, retryAfter: undefined }, NOW)).toBeUndefined();
  });

  it.each([301, 308, 400, 401, 404, 408, 413, 429, 500, 503])('tries again after %i', (status) => {
    expect(failureOf({ status, retryAfter: undefined }, NOW)).toMatchObject({ kind: 'transient', status });
  });

  it.each([400, 413, 415, 422])('says what to do about %i, which concerns the event alone', (status) => {
    expect(failureOf({ status, retryAfter: undefined }, NOW)?.hint).toEqual(expect.any(String));
  });

  it('gives up on the receiver, not the event, after 410', () => {
    expect(failureOf({ status: 410, retryAfter: undefined }, NOW)).toMatchObject({
      kind: 'refused',
      status: 410,
    });
  });

  it.each([
    ['90', 90_000],
    ['999999999', 86_400_000],
    ['Mon, 02 Mar 2026 09:00:30 GMT', 30_000],
    ['soon', undefined],
  ])('waits as long as the receiver asks with %j, at most a day', (retryAfter, ms) => {
    expect(failureOf({ status: 503, retryAfter }, NOW)?.retryAfterMs).toBe(ms);
  });

  it('names the clock where a signature was refused and the receiver’s is minutes off', () => {
    const refused = (date: string) => failureOf({ status: 401, retryAfter: undefined, date }, NOW)?.message;
    const at = (ms: number) => refused(new Date(NOW + ms).toUTCString());

    expect(at(-10 * 60_000)).toBe(
      'The receiver answered 401, and this machine’s clock differs from its own by 10 min.',
    );
    expect(at(60_000)).toBe('The receiver answered 401.');
    expect(refused('no date')).toBe('The receiver answered 401.');
  });

  it('says of a redirect what to do about it', () => {
    expect(failureOf({ status: 302, retryAfter: undefined }, NOW)?.hint).toContain('url');
  });
});

describe('what went wrong before an answer', () => {
  it('finds the cause inside what a library and several addresses wrap it in', () => {
    const refused = Object.assign(new Error('connect to 10.0.0.1 secret'), { code: 'ECONNREFUSED' });
    const wrapped = Object.assign(new Error('wrapped secret', { cause: new AggregateError([refused]) }), {
      code: 'ERR_GOT_REQUEST_ERROR',
    });

    const failure = unreachableFailure(wrapped, 'crm.example');

    expect(failure).toMatchObject({
      kind: 'transient',
      message: 'crm.example refused the connection.',
    });
    expect(JSON.stringify([failure.message, failure.hint])).not.toContain('secret');
  });

  it('names a code it does not know', () => {
    const failure = unreachableFailure(Object.assign(new Error('x'), { code: 'EODD' }), 'crm.example');

    expect(failure.message).toBe('crm.example could not be reached (EODD).');
  });
});
