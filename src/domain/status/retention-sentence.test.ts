import { describe, expect, it } from 'vitest';
import { DAY } from '../../platform/duration.ts';
import { retentionSentence } from './retention-sentence.ts';

describe('the sentence about retention', () => {
  it('lists what has a limit and what has none', () => {
    const sentence = retentionSentence({
      bookings: 3 * 365 * DAY,
      dropped: 30 * DAY,
      changes: null,
      inbox: null,
    });

    expect(sentence).toBe(
      'Keeps bookings for 3 years, dropped bookings for 30 days; without a limit: the change log, inbox files.',
    );
  });

  it('says when nothing is ever removed', () => {
    const sentence = retentionSentence({ bookings: null, dropped: null, changes: null, inbox: null });

    expect(sentence).toBe('Everything is kept: no limit is set under retention.');
  });
});
