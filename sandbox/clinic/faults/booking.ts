import { z } from 'zod';
import type { JsonObject } from '../../../src/platform/json.ts';
import { jsonAnswer, jsonOf, withJson } from '../answer.ts';
import { type AnswerEdit, edited } from './edits.ts';
import { afterCommit, before, only } from './kind.ts';

const booked = (description: string, ...edits: readonly AnswerEdit[]) =>
  edited(['book'], `Booked, and answered ${description}.`, ...edits);
const id = (description: string, how: Omit<AnswerEdit, 'path'>) =>
  booked(`success:true with ${description}`, { path: 'appointment_id', ...how });

const taken = 'This slot is no longer available.';

/** Well-formed answers to /appointments/book with unexpected content. */
export const bookingFaults = {
  no_id: booked('success:true with an empty data object', { path: '.', as: 'empty_map' }),
  no_data: booked('success:true without data', { path: '.', as: 'missing' }),
  null_data: booked('success:true with data null', { path: '.', as: 'null' }),
  id_null: id('an id of null', { as: 'null' }),
  id_string: id('the right id as a string', { as: 'digits' }),
  id_zero: id('an id of 0', { value: 0 }),
  id_negative: id('a negative id', { as: 'negative' }),
  id_float: id('an id with a fraction', { plus: 0.5 }),
  id_huge: id('an id beyond the exact integers', { value: 2 ** 60 }),
  id_duplicate: only(
    ['book'],
    afterCommit(
      'Booked, and answered success:true with the id of the first booking ever made.',
      ({ world }, answer) => {
        const { data, ...rest } = jsonOf(answer) ?? {};
        const appointment_id = world.earlierAppointment() ?? (data as JsonObject | undefined)?.appointment_id;
        return withJson(answer, { ...rest, data: { appointment_id } });
      },
    ),
  ),
  id_wrong: id('the id of an appointment that does not exist', { plus: 1_000_000 }),
  success_false: before(
    {
      description: '200 with success:false and a message; nothing is carried out.',
      parameters: { message: z.string().default(taken) },
    },
    (_context, { message }) => jsonAnswer(200, { success: false, message }),
  ),
  success_false_after_commit: booked(
    '200 with success:false',
    { path: '/success', value: false },
    { path: '/message', value: taken },
    { path: '.', as: 'missing' },
  ),
  success_missing: booked('without a success field', { path: '/success', as: 'missing' }),
  success_text: booked('with success as the text "true"', { path: '/success', value: 'true' }),
};
