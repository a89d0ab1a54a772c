import * as z from 'zod';
import { polls } from '../../domain/clinics/resource.ts';
import { correction } from './booking-schemas.ts';
import { backToPage, type Operation, page, refused } from './operation.ts';
import { done } from './schema.ts';

/** A `POST /admin/…` for the pages' buttons and for programs. */
const action = (summary: string, body?: z.ZodObject): Operation => ({
  summary,
  tag: 'actions',
  ...(body && { body }),
  answers: {
    200: { description: 'Done', json: done },
    202: { description: 'It takes longer; the page will show the outcome', json: done },
    303: backToPage,
    404: refused('No such thing'),
    409: refused('Not possible in its present state'),
  },
});

const tick = z.union([z.boolean(), z.enum(['on', 'true'])]).optional();
const resolution = z.object({
  as: z.enum(['booked', 'booked-no-id', 'not-booked']),
  appointment_id: z
    .union([z.int().min(1), z.string()])
    .optional()
    .meta({ description: 'Needed as `booked`.' }),
  confirm: tick.meta({
    description: 'Even though the clinic shows something else, or may still be working.',
  }),
});
const delivery = z.object({ id: z.string().optional().meta({ description: 'One delivery; default: all.' }) });

const many = z.object({
  picks: z.string().meta({ description: 'References, `REF` or `REF.SEEN`, with spaces between.' }),
});

const manyDone = z
  .strictObject({
    ok: z.literal(true),
    message: z.string(),
    done: z.array(z.string()).optional().meta({ description: 'References.' }),
    refused: z.array(z.strictObject({ ref: z.string(), message: z.string() })).optional(),
  })
  .meta({ id: 'ManyDone' });
const manyAction = (summary: string, body: z.ZodObject): Operation => {
  const one = action(summary, body);
  return { ...one, answers: { ...one.answers, 200: { description: 'Done', json: manyDone } } };
};

export const actions: Record<string, Operation> = {
  'POST /admin/bookings/:ref/approve': action('Release a booking to be sent'),
  'POST /admin/bookings/:ref/take': action('Send a changed submission instead of the first one'),
  'POST /admin/bookings/:ref/edit': action('Correct what will be sent', correction),
  'POST /admin/bookings/:ref/resolve': action('Resolve a booking', resolution),
  'POST /admin/bookings/:ref/drop': action('Drop a booking', z.object({ why: z.string().optional() })),
  'POST /admin/bookings/:ref/undo': action(
    'Undo a decision within ten seconds',
    z.object({ as_of: z.string() }),
  ),
  'POST /admin/bookings/:ref/acknowledge': action('Accept a difference from what was requested'),
  'POST /admin/bookings/many/choose': {
    summary: 'The page that asks once before many bookings are decided',
    tag: 'actions',
    answers: { 200: page('The page'), 303: backToPage },
  },
  'POST /admin/bookings/many/approve': manyAction('Release many bookings, each checked on its own', many),
  'POST /admin/bookings/many/drop': manyAction(
    'Drop many bookings, each on its own',
    many.extend({ why: z.string().optional() }),
  ),
  'POST /admin/bookings/many/undo': manyAction('Undo decisions of the last ten seconds', many),
  'POST /admin/bookings/:ref/reconcile': action('Look for it at the clinic'),
  'POST /admin/connectors/:name/pause': action('Pause a connector'),
  'POST /admin/connectors/:name/resume': action('Resume a connector'),
  'POST /admin/connectors/:name/check': action('Run a connector’s own check, which changes nothing'),
  'POST /admin/connectors/:name/deliveries/retry': action('Send given-up deliveries again', delivery),
  'POST /admin/connectors/:name/deliveries/skip': action('Skip given-up deliveries', delivery),
  'POST /admin/guards/:id/approve': action('Let a guarded answer through'),
  'POST /admin/clinics/:clinic/resume-lane': action('Send bookings to the clinic again'),
  'POST /admin/clinics/:clinic/sync': action(
    'Read the clinic now',
    z.object({ resource: z.enum(polls).optional().meta({ description: 'One of them; default: all.' }) }),
  ),
  'POST /admin/silences/:clinic/answer': action(
    'Say until when a clinic is closed, so that nobody is told that no leads arrive',
    z.object({
      until: z.string().meta({ description: 'The day on which it opens again; today: it is open.' }),
    }),
  ),
};
