import * as z from 'zod';
import { polls } from '../../domain/resource.ts';
import {
  auditList,
  bookingAnswer,
  bookingList,
  bookingState,
  changeList,
  checked,
  correction,
  ignored,
  receipt,
  rehearsal,
  sessionList,
  submission,
  unmapped,
} from './booking-schemas.ts';
import { insight } from './insight-operations.ts';
import { after, backToPage, type Operation, page, pageOrJson, refused } from './operation.ts';
import { oneWord, publicReport, statusReport, syncState } from './report-schemas.ts';
import { done } from './schema.ts';

const alive = z.strictObject({ ok: z.literal(true) });

const health: Record<string, Operation> = {
  'GET /livez': {
    summary: 'Is the process alive?',
    tag: 'health',
    answers: { 200: { description: 'Yes', json: alive } },
  },
  'GET /readyz': {
    summary: 'Can a booking be taken now?',
    tag: 'health',
    answers: { 200: { description: 'Yes', json: alive }, 503: refused('No') },
  },
  'GET /syncz': {
    summary: 'Is the data fresh?',
    tag: 'health',
    answers: {
      200: { description: 'It is; trouble is named', json: syncState },
      503: { description: 'Stale', json: syncState },
    },
  },
  'GET /metrics': {
    summary: 'Metrics for Prometheus',
    tag: 'health',
    answers: { 200: { description: 'The exposition format', text: ['text/plain'] } },
  },
  'GET /openapi.json': {
    summary: 'This document',
    tag: 'health',
    answers: { 200: { description: 'OpenAPI 3.1', json: z.looseObject({ openapi: z.string() }) } },
  },
};

const status: Record<string, Operation> = {
  'GET /': {
    summary: 'The status page',
    tag: 'status',
    query: {
      ...after('need'),
      clinics: 'The clinics that follow this one',
      refresh: '`off`: does not reload itself',
    },
    answers: { 200: page('The page; strangers see one word, or counts') },
  },
  'GET /status.json': {
    summary: 'What the status page shows',
    tag: 'status',
    query: after('clinic'),
    answers: {
      200: {
        description: 'All of it with a token; for strangers counts (`http.status: public`) or one word',
        json: [statusReport, publicReport, oneWord],
      },
    },
  },
  'GET /changes': {
    summary: 'The change log of a clinic, to be pulled',
    tag: 'status',
    query: {
      clinic: 'Its key; needed where several are configured',
      after: 'Only changes after this sequence; 0 without it',
      limit: 'At most so many; 100 without it, 1000 at most',
      wait: 'Seconds to wait for a change where there is none yet, 30 at most',
    },
    answers: {
      200: { description: 'Oldest first; patients’ fields for those who may see bookings', json: changeList },
      400: refused('A parameter cannot be read'),
      404: refused('No such clinic'),
    },
  },
  'GET /assets/status.css': {
    summary: 'The stylesheet of the pages',
    tag: 'status',
    answers: { 200: { description: 'CSS', text: ['text/css'] } },
  },
  'GET /assets/desk.js': {
    summary: 'The keys of the bookings’ pages',
    tag: 'status',
    answers: { 200: { description: 'The script', text: ['text/javascript'] } },
  },
};

const intakeQuery = {
  validate: '`1`: only checks the fields; nothing is stored',
  rehearse: '`1`: says what would become of it; nothing is stored',
};

const submit: Operation = {
  summary: 'Submit a booking',
  tag: 'intake',
  query: intakeQuery,
  body: submission,
  answers: {
    200: {
      description: 'Stored (the same submission again: the same reference), checked, rehearsed or ignored',
      json: [receipt, checked, rehearsal, ignored],
      text: ['text/html'],
    },
    303: { description: 'A browser is sent to the configured page' },
    413: refused('The body is too large'),
    422: { description: 'With `validate=1`: these fields are wrong', json: unmapped },
    429: refused('Too many: `Retry-After` says when to come again'),
    503: refused('Not stored: send it again, as `Retry-After` says'),
  },
};

const preflight: Operation = {
  summary: 'May a script of another site ask?',
  tag: 'intake',
  answers: { 204: { description: 'Yes' } },
};

const readOwn: Operation = {
  summary: 'The state of a booking, or a page of the form',
  tag: 'intake',
  answers: {
    200: {
      description: 'The booking of that reference; other paths are pages of a served form',
      json: bookingState,
      text: ['text/html', 'text/javascript', 'text/calendar'],
    },
    404: refused('No such booking or page'),
    429: refused('Too many: `Retry-After` says when to come again'),
  },
};

const intake: Record<string, Operation> = {
  'POST /in/:connector': submit,
  'POST /in/:connector/*': { ...submit, summary: 'Submit a booking with the token in the path' },
  'GET /in/:connector': { ...readOwn, summary: 'The page of a served form' },
  'GET /in/:connector/*': readOwn,
  'OPTIONS /in/:connector': preflight,
  'OPTIONS /in/:connector/*': preflight,
};

const bookings: Record<string, Operation> = {
  'GET /bookings': {
    summary: 'Bookings, newest first',
    tag: 'bookings',
    query: {
      state: 'A state, or `needs_you`',
      source: 'The connector they came from',
      from: 'The first day of receiving, YYYY-MM-DD',
      to: 'The last day of receiving, YYYY-MM-DD',
      q: 'A name, a phone number in any writing, a reference, an e-mail address',
      ...after('reference'),
    },
    answers: pageOrJson('Fifty of them', bookingList),
  },
  'GET /bookings/:ref': {
    summary: 'One booking: what happened, what is known, what can be done',
    tag: 'bookings',
    answers: {
      ...pageOrJson('The booking', bookingAnswer),
      404: refused('No such booking'),
    },
  },
};

bookings['GET /bookings/:ref/receipt'] = {
  summary: 'One booking on paper: what was asked, sent, answered and decided',
  tag: 'bookings',
  answers: {
    ...pageOrJson('The receipt; as JSON the booking', bookingAnswer),
    404: refused('No such booking'),
  },
};

const signIn = z.object({
  token: z.string(),
  name: z.string().optional().meta({ description: 'Who uses the admin token.' }),
  next: z.string().optional().meta({ description: 'The page to go on to.' }),
});

const ended = { 200: { description: 'Ended', json: done }, 303: backToPage };

const goneLinks = {
  404: refused('No link of ours'),
  409: refused('The booking has changed, or the action is refused'),
  410: refused('It was used, or is too old'),
};

const people: Record<string, Operation> = {
  'GET /admin/sign-in': {
    summary: 'The sign-in page',
    tag: 'people',
    query: { next: 'The page to go on to' },
    answers: { 200: page('The page') },
  },
  'POST /admin/sign-in': {
    summary: 'Sign a browser in',
    tag: 'people',
    body: signIn,
    answers: {
      303: { description: 'Signed in: the answer sets the session’s cookie' },
      401: page('The token is wrong'),
      429: page('Too many wrong tokens'),
    },
  },
  'GET /links/:token': {
    summary: 'What a link of a message would do; changes nothing',
    tag: 'people',
    answers: { 200: page('The page with the button'), ...goneLinks },
  },
  'POST /links/:token': {
    summary: 'Do what a link of a message says, once',
    tag: 'people',
    body: z.object({
      appointment_id: z.string().optional().meta({ description: 'The number of what was found.' }),
    }),
    answers: {
      200: { description: 'Done', json: done, text: ['text/html'] },
      403: refused('Another site sent it'),
      503: refused('Try again in a few seconds'),
      ...goneLinks,
    },
  },
  'POST /admin/sign-out': {
    summary: 'End the session of this browser',
    tag: 'people',
    answers: { 303: { description: 'Signed out' } },
  },
  'GET /sessions': {
    summary: 'Sessions in browsers: one’s own, for admins all',
    tag: 'people',
    answers: pageOrJson('The sessions', sessionList),
  },
  'POST /admin/sessions/:id/end': { summary: 'End a session', tag: 'people', answers: ended },
  'POST /admin/sessions/:id/end-all': {
    summary: 'End all sessions of its person',
    tag: 'people',
    answers: ended,
  },
  'GET /audit': {
    summary: 'Who did what, newest first',
    tag: 'people',
    query: { before: 'Only rows older than the one of this number' },
    answers: pageOrJson('200 rows', auditList),
  },
};

/** A `POST /admin/…`, which the pages' buttons and programs use alike. */
const action = (summary: string, body?: z.ZodObject): Operation => ({
  summary,
  tag: 'actions',
  ...(body && { body }),
  answers: {
    200: { description: 'Done', json: done },
    202: { description: 'It takes longer; the page will show its outcome', json: done },
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
  confirm: tick.meta({ description: 'Although the clinic shows something else, or may still be working.' }),
});
const delivery = z.object({ id: z.string().optional().meta({ description: 'One delivery; else all.' }) });

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

const actions: Record<string, Operation> = {
  'POST /admin/bookings/:ref/approve': action('Release a booking, to be sent'),
  'POST /admin/bookings/:ref/take': action('Send a changed submission instead of the first one'),
  'POST /admin/bookings/:ref/edit': action('Correct what will be sent', correction),
  'POST /admin/bookings/:ref/resolve': action('Say what became of a booking', resolution),
  'POST /admin/bookings/:ref/drop': action('Drop a booking', z.object({ why: z.string().optional() })),
  'POST /admin/bookings/:ref/undo': action(
    'Take a decision back, within ten seconds',
    z.object({ as_of: z.string() }),
  ),
  'POST /admin/bookings/:ref/acknowledge': action('The difference is seen, and right'),
  'POST /admin/bookings/many/choose': {
    summary: 'The page that asks once before many bookings are decided',
    tag: 'actions',
    answers: { 200: page('The page'), 303: backToPage },
  },
  'POST /admin/bookings/many/approve': manyAction('Release many bookings, each checked by itself', many),
  'POST /admin/bookings/many/drop': manyAction(
    'Drop many bookings, each by itself',
    many.extend({ why: z.string().optional() }),
  ),
  'POST /admin/bookings/many/undo': manyAction('Take back decisions of the last ten seconds', many),
  'POST /admin/bookings/:ref/reconcile': action('Look for it at the clinic'),
  'POST /admin/connectors/:name/pause': action('Pause a connector'),
  'POST /admin/connectors/:name/resume': action('Let a connector go on'),
  'POST /admin/connectors/:name/check': action('Run a connector’s own check, which changes nothing'),
  'POST /admin/connectors/:name/deliveries/retry': action('Send given-up deliveries again', delivery),
  'POST /admin/connectors/:name/deliveries/skip': action('Skip given-up deliveries', delivery),
  'POST /admin/guards/:id/approve': action('Let a guarded answer through'),
  'POST /admin/clinics/:clinic/resume-lane': action('Send bookings to the clinic again'),
  'POST /admin/clinics/:clinic/sync': action(
    'Read the clinic now',
    z.object({ resource: z.enum(polls).optional().meta({ description: 'One of them; else all.' }) }),
  ),
};

/** Every route by `METHOD path`, as it is registered: a route that is missing here fails a test. */
export const operations: Readonly<Record<string, Operation>> = {
  ...health,
  ...status,
  ...insight,
  ...intake,
  ...bookings,
  ...actions,
  ...people,
};
