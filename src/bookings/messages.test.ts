import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { bookingStates, holdReasons } from '../domain/bookings/booking.ts';
import { heldMessage, holds, overdue, states, taskPrefix, unknownChoices } from './messages.ts';

const handbook = readFileSync(new URL('../../docs/bookings.md', import.meta.url), 'utf8');

describe('the handbook for clinic staff', () => {
  it.each(bookingStates)('shows the product’s own sentences for %s', (state) => {
    expect(handbook).toContain(`| \`${state}\` | ${states[state].means} | ${states[state].todo} |`);
  });

  it.each(holdReasons)('shows the product’s own sentences for a hold by %s', (reason) => {
    expect(handbook).toContain(`| \`${reason}\` | ${holds[reason].means} | ${holds[reason].todo} |`);
  });

  it('shows the sentence for a lead that could not be sent yet', () => {
    expect(handbook).toContain(`| ${overdue.means} | ${overdue.todo} |`);
  });

  it.each(Object.values(unknownChoices))('shows the way out "$way"', ({ way, command }) => {
    expect(handbook).toContain(`- ${way} \`${command}\``);
  });

  it('names tasks as the product does', () => {
    expect(handbook.replaceAll('\n', ' ')).toContain(`“${taskPrefix}”`);
  });
});

describe('the message of a hold', () => {
  it('states each fault once, the reason first', () => {
    const faults = [{ message: 'The time is missing.' }, { message: 'The time is missing.' }];

    expect(heldMessage('missing_field', faults)).toBe(`${holds.missing_field.means} The time is missing.`);
  });
});
