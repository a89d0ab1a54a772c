import { describe, expect, it } from 'vitest';
import { createFaultScript, type MatchedRequest } from './script.ts';

const request = (given: Partial<MatchedRequest> = {}): MatchedRequest => ({
  method: 'GET',
  target: '/api/v1/treatments?x=1',
  endpoint: 'treatments',
  headers: { 'x-app-key': 'k' },
  ...given,
});
const booking = request({ method: 'POST', target: '/api/v1/appointments/book', endpoint: 'book' });

describe('a fault script', () => {
  it('strikes once by default', () => {
    const script = createFaultScript();
    script.add(['status_500']);

    const struck = [script.take(request()), script.take(request())];

    expect(struck.map((strike) => strike?.name)).toEqual(['status_500', undefined]);
  });

  it('strikes from the nth matching request on, the given number of times', () => {
    const script = createFaultScript();
    script.add([{ match: { endpoint: 'treatments' }, nth: 2, times: 2, fault: 'status_500' }]);

    const struck = [booking, request(), request(), booking, request(), request()].map(
      (one) => script.take(one)?.name,
    );

    expect(struck).toEqual([undefined, undefined, 'status_500', undefined, 'status_500', undefined]);
  });

  it('works through faults for the same requests in the order they were scripted', () => {
    const script = createFaultScript();
    script.add(['status_401', 'status_500', { fault: 'status_503', times: 'always' }]);

    const struck = Array.from({ length: 4 }, () => script.take(request())?.name);

    expect(struck).toEqual(['status_401', 'status_500', 'status_503', 'status_503']);
  });

  it.each([
    ['method', { method: 'get' }, true],
    ['another method', { method: 'POST' }, false],
    ['path, without its query', { path: '/api/v1/treatments' }, true],
    ['another path', { path: '/api/v1/treatments/1' }, false],
    ['endpoint', { endpoint: 'treatments' }, true],
    ['a header’s value', { header: { 'X-App-Key': 'k' } }, true],
    ['another value', { header: { 'x-app-key': 'other' } }, false],
    ['any value of a header', { header: { 'x-app-key': '*' } }, true],
    ['a header that is not there', { header: { authorization: '*' } }, false],
    ['all of them together', { method: 'GET', endpoint: 'treatments', header: { 'x-app-key': 'k' } }, true],
  ] as const)('matches %s', (_what, match, expected) => {
    const script = createFaultScript();
    script.add([{ match, fault: 'status_500' }]);

    expect(script.take(request()) !== undefined).toBe(expected);
  });

  it('applies a fault for one endpoint only to that endpoint', () => {
    const script = createFaultScript();
    script.add(['no_id']);

    expect(script.take(request())).toBeUndefined();
    expect(script.take(booking)?.name).toBe('no_id');
  });

  it('strikes again after it was returned', () => {
    const script = createFaultScript();
    script.add(['no_id']);

    script.take(booking)?.giveBack();

    expect(script.take(booking)?.name).toBe('no_id');
  });

  it('keeps faults of connections apart from those of requests', () => {
    const script = createFaultScript();
    script.add(['reset_on_accept', 'status_500']);

    expect(script.take(request())?.name).toBe('status_500');
    expect(script.takeConnection()?.name).toBe('reset_on_accept');
    expect(script.takeConnection()).toBeUndefined();
  });

  it('refuses a match for a fault that strikes before any request is read', () => {
    const script = createFaultScript();

    const add = () => script.add([{ match: { endpoint: 'book' }, fault: 'reset_on_accept' }]);

    expect(add).toThrow('can match nothing');
  });

  it('reports how often each fault was due and struck, and forgets it when cleared', () => {
    const script = createFaultScript();
    script.add([{ fault: { kind: 'late_answer', ms: 5 }, nth: 2 }]);
    script.take(request());
    script.take(request());
    script.take(request());

    const listed = script.list();
    script.clear();

    expect(listed).toMatchObject([{ fault: { fault: { kind: 'late_answer', ms: 5 } }, seen: 3, struck: 1 }]);
    expect(script.list()).toEqual([]);
  });
});
