import { expect, it } from 'vitest';
import { asFailure, Failure } from './failure.ts';

/** As a package from outside would carry it. */
class Copy extends Error {
  override readonly name = 'Failure';
  readonly details: object;
  constructor(details: object) {
    super('The folder is full');
    this.details = details;
    Object.assign(this, details);
  }
}

it('recognises a copy of the class by its shape, with all its fields', () => {
  const failure = asFailure(
    new Copy({ kind: 'refused', hint: 'Empty it.', status: 410, retryAfterMs: 7, lasting: true }),
    'Sending',
  );

  expect(failure).toBeInstanceOf(Failure);
  expect(failure).toMatchObject({
    kind: 'refused',
    message: 'The folder is full',
    hint: 'Empty it.',
    status: 410,
    retryAfterMs: 7,
    lasting: true,
  });
});

it.each([
  ['another name', Object.assign(new Error('password 1234'), { kind: 'refused' })],
  ['a kind that there is not', new Copy({ kind: 'hopeless' })],
  ['no kind', new Copy({})],
  ['no Error', { name: 'Failure', kind: 'refused', message: 'password 1234' }],
])('takes what has %s for transient, and never quotes it', (_what, error) => {
  const failure = asFailure(error, 'Sending');

  expect(failure.kind).toBe('transient');
  expect(failure.message).toMatch(/^Sending failed: (Error|Failure|object)$/);
});

it('drops fields of a copy that have the wrong type', () => {
  const failure = asFailure(new Copy({ kind: 'refused', hint: 5, status: 'x', lasting: 'yes' }), 'Sending');

  expect([failure.hint, failure.status, failure.lasting]).toEqual([undefined, undefined, false]);
});
