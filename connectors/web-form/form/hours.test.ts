import { expect, it, onTestFinished, vi } from 'vitest';
import { readHours } from './hours.ts';

const open = { open: '09:00', close: '17:00' };
const text = JSON.stringify({ monday: open, tuesday: open, wednesday: { is_closed: true } });

it('names runs of days in the form’s language, with one formatter however often the page is loaded', () => {
  const made = vi.spyOn(Intl, 'DateTimeFormat');
  onTestFinished(() => made.mockRestore());

  const pages = Array.from({ length: 100 }, () => readHours(text, 'fr').lines);

  expect(pages[99]).toEqual([
    { days: 'lundi–mardi', hours: '09:00–17:00' },
    { days: 'mercredi', hours: null },
  ]);
  expect(made.mock.calls.length).toBeLessThanOrEqual(1);
});
