import { z } from 'zod';
import type { Json, JsonObject } from '../../../src/platform/json.ts';
import { jsonAnswer, jsonOf, withJson } from '../answer.ts';
import { after, before, type FaultContext, type FaultKind, only } from './kind.ts';

/** Booked, and answered with another `data`. */
const data = (
  description: string,
  change: (id: number, context: FaultContext) => Json | undefined,
): FaultKind =>
  only(
    ['book'],
    after(`Booked, and answered ${description}.`, (context, answer) => {
      const { data: original, ...rest } = jsonOf(answer) ?? {};
      const id = Number((original as JsonObject | undefined)?.appointment_id);
      return withJson(answer, { ...rest, data: change(id, context) });
    }),
  );

const id = (description: string, change: (id: number, context: FaultContext) => Json) =>
  data(`success:true with ${description}`, (original, context) => ({
    appointment_id: change(original, context),
  }));

const withSuccess = (description: string, change: (body: JsonObject) => unknown): FaultKind =>
  only(
    ['book'],
    after(`Booked, and answered ${description}.`, (_context, answer) =>
      withJson(answer, change(jsonOf(answer) ?? {})),
    ),
  );

/** Answers to /appointments/book that are well-formed and say something odd. */
export const bookingFaults = {
  no_id: data('success:true with an empty data object', () => ({})),
  no_data: data('success:true without data', () => undefined),
  null_data: data('success:true with data null', () => null),
  id_null: id('an id of null', () => null),
  id_string: id('the right id as a string', (right) => String(right)),
  id_zero: id('an id of 0', () => 0),
  id_negative: id('a negative id', (right) => -right),
  id_float: id('an id with a fraction', (right) => right + 0.5),
  id_huge: id('an id beyond the exact integers', () => 2 ** 60),
  id_duplicate: id(
    'the id of the first booking ever made',
    (right, { world }) => world.earlierAppointment() ?? right,
  ),
  id_wrong: id('the id of an appointment that does not exist', (right) => right + 1_000_000),
  success_false: before(
    {
      description: '200 with success:false and a message; nothing is carried out.',
      parameters: { message: z.string().default('This slot is no longer available.') },
    },
    (_context, { message }) => jsonAnswer(200, { success: false, message }),
  ),
  success_false_after_commit: withSuccess('200 with success:false', () => ({
    success: false,
    message: 'This slot is no longer available.',
  })),
  success_missing: withSuccess('without a success field', ({ success: _success, ...rest }) => rest),
  success_text: withSuccess('with success as the text "true"', (body) => ({ ...body, success: 'true' })),
};
