import { expect, it } from 'vitest';
import { askedFor, validAnswer } from './contract.ts';

const facts = { connector: {}, has: ['page'] };
const probe = { path: '', headers: {}, body: '' };

it.each([
  ['create', { ...facts, intake: { framedBy: ["https://a.example; script-src 'unsafe-inline'"] } }],
  ['create', { ...facts, intake: { framedBy: ['https://a.example/page'] } }],
  ['create', { ...facts, state: { everyMs: 0 } }],
  ['create', { ...facts, events: { schedule: [1_000], snapshot: true, concurrency: 1e9 } }],
  [
    'receive',
    { kind: 'submission', submission: { fields: {} }, thanks: 'https://a.example/\r\nset-cookie: a=b' },
  ],
  ['receive', { kind: 'submission', submission: { fields: { state: 'booked' } } }],
  ['probe', { ...probe, path: '../../admin/connectors/crm/pause' }],
  ['probe', { ...probe, path: '%2e%2e/another' }],
  ['probe', { ...probe, path: '..\\another' }],
  ['probe', { ...probe, path: 'hook?for=real#' }],
  ['probe', { ...probe, page: '../../admin/audit' }],
  ['probe', { ...probe, headers: { cookie: 'a=b\r\nhost: c' } }],
  ['page', { status: 101, html: '' }],
  ['authorize', { kind: 'refused', status: 200, message: 'come in' }],
  ['encode', { body: 'no text' }],
  ['wants', 'yes'],
])('refuses an answer outside the contract: %s %j', (method, value) => {
  expect(() => validAnswer(method, value)).toThrow('what the contract does not have');
});

it.each([
  ['view.rows', [1, ['bookings'], 'main']],
  ['view.rows', [1, 'audit', 'main']],
  ['view.page', [1, 'bookings', 'main', 1e9]],
  ['view.changes', [1, 'main', 0, 1_001]],
  ['view.page', [1, 'bookings', 'main', 1, { ref: { toString: 'x' } }]],
  ['bookings.accept', [{ fields: 'none' }]],
  ['memory.set', ['text']],
  ['constructor', []],
])('refuses a call outside the contract: %s %j', (method, args) => {
  expect(() => askedFor(method, args)).toThrow('The contract has no such');
});

it('drops fields that a submission may not have', () => {
  const submission = { source: 'another', visitor_ref: 'CS-7K3Q9F', fields: { note: 'soon' } };

  expect(askedFor('bookings.accept', [submission])).toEqual([{ fields: { note: 'soon' } }]);
});

it('names the member at fault, in keys of the contract only', () => {
  const events = { snapshot: true };
  const written = { 'Rahima Khatun': 'many' };

  expect(() => validAnswer('create', { ...facts, events })).toThrow('(events.schedule)');
  expect(() => validAnswer('converge', { problems: [], written })).toThrow(/\(written\)$/);
});

it('takes sentences as problems, and of the catalogue only what is complete', () => {
  const values = { place: 'Fees', count: 2 };
  const complete = { sentence: 'Fees: 2 cells.', weight: 'need', said: { code: 'cells_hidden', values } };
  const others = [
    { code: 'cells_hidden', values: { place: 'Fees' } },
    { code: 'cells_hidden', values: { count: 2 } },
    { code: 'constructor', values: {} },
    'cells_hidden',
  ].map((said) => ({ sentence: 'Something.', said }));

  const { problems } = validAnswer('converge', {
    written: {},
    problems: ['Plain.', complete, ...others],
  }) as {
    problems: unknown[];
  };

  expect(problems).toEqual(['Plain.', complete, ...others.map(() => ({ sentence: 'Something.' }))]);
});
