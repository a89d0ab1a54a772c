import { expect, it } from 'vitest';
import { finalReader, outcomeReader } from './status-outcome.ts';

it.each([
  ['Completed', 'completed'],
  ['  COMPLETED ', 'completed'],
  ['Pending', 'booked'],
  ['no_show', 'no_show'],
  ['No-Show', 'no_show'],
  ['NoShow', 'no_show'],
  ['Canceled', 'cancelled'],
  ['Storniert', 'cancelled'],
  ['CONFIRMÉ', 'booked'],
  ['İptal', 'cancelled'],
  ['مكتمل', 'completed'],
  ['সম্পন্ন', 'completed'],
  ['रद्द', 'cancelled'],
  ['Não compareceu', 'no_show'],
  ['Not completed', 'unknown'],
  ['Completed?', 'completed'],
  ['Fertig', 'unknown'],
  ['Завершено', 'unknown'],
  ['', 'unknown'],
])('reads %s as %s', (status, outcome) => {
  expect(outcomeReader({})(status)).toBe(outcome);
});

it('prefers the clinic’s own meaning', () => {
  const outcomeOf = outcomeReader({ completed: ['Fertig'], no_show: ['Missed call'], booked: ['Done'] });

  expect(['fertig', 'MISSED CALL', 'done', 'Completed'].map(outcomeOf)).toEqual([
    'completed',
    'no_show',
    'booked',
    'completed',
  ]);
});

it('takes any spelling of a final status that is listed, and any other word for it', () => {
  const isFinal = finalReader(['Filed away', 'Cancelled'], outcomeReader({}));

  expect(['FILED AWAY', 'filed-away', 'Canceled', 'Annulé'].map(isFinal)).toEqual([true, true, true, true]);
  expect(['Filed', 'Scheduled', 'Completed'].map(isFinal)).toEqual([false, false, false]);
});
