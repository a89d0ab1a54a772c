import * as z from 'zod';
import { visitStandings } from '../../domain/bookings/visit-now.ts';
import { statusReport } from '../../domain/status/report.ts';
import { publicReport } from '../access/public-status.ts';
import { manyPath, type OperationDescription } from '../admin.ts';
import { visitOrders } from '../desk.ts';
import { done } from './api-schemas.ts';
import { auditList, bookingAnswer, bookingList, changeListSchema, sessionList } from './booking-schemas.ts';
import { insight } from './insight-operations.ts';
import { intake } from './intake-operations.ts';
import { afterOperation, backToPage, type Operation, page, pageOrJson, refusedAnswer } from './operation.ts';
import { formatQuery, pageOrFile } from './report-schemas.ts';

/** A `POST /admin/…` for the pages' buttons and for programs. */
const action = (summary: string, body: z.ZodObject | undefined, json: z.ZodType = done): Operation => ({
  summary,
  tag: 'actions',
  ...(body && { body }),
  answers: {
    200: { description: 'Done', json },
    202: { description: 'It takes longer; the page will show the outcome', json: done },
    303: backToPage,
    404: refusedAnswer('No such thing'),
    409: refusedAnswer('Not possible in its present state'),
  },
});

const manyDone = z
  .strictObject({
    ok: z.literal(true),
    message: z.string(),
    done: z.array(z.string()).optional().meta({ description: 'References.' }),
    refused: z.array(z.strictObject({ ref: z.string(), message: z.string() })).optional(),
  })
  .meta({ id: 'ManyDone' });

/** Each reference carries what was seen of it. Of the fields for one, only the reason can be that of many. */
function manyBody(body: z.ZodObject | undefined): z.ZodObject {
  const { why } = body?.shape ?? {};
  const picks = z.string().meta({ description: 'References, `REF` or `REF.SEEN`, with spaces between.' });
  return z.object({ picks, ...(why && { why }) });
}

const choose: Operation = {
  summary: 'The page that asks once before many bookings are decided',
  tag: 'actions',
  answers: { 200: page('The page'), 303: backToPage },
};

function actionOperations(
  operations: Readonly<Record<string, OperationDescription>>,
): Record<string, Operation> {
  const one = Object.entries(operations).map(([path, { summary, body }]) => [
    `POST ${path}`,
    action(summary, body),
  ]);
  const many = Object.entries(operations).flatMap(([path, { many, body }]) =>
    many === undefined ? [] : [[`POST ${manyPath(path)}`, action(many, manyBody(body), manyDone)]],
  );
  return Object.fromEntries([...one, ['POST /admin/bookings/many/choose', choose], ...many]);
}

const { health: word } = statusReport.shape;
const oneWord = z.strictObject({ health: word }).meta({ id: 'OneWord' });
const syncState = z
  .strictObject({
    ok: z.boolean(),
    health: word,
    reasons: z.array(z.string()),
    waits: z.array(z.string()).optional(),
  })
  .meta({ id: 'SyncState' });

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
    answers: { 200: { description: 'Yes', json: alive }, 503: refusedAnswer('No') },
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
      ...afterOperation('need'),
      clinics: 'The clinics that follow this one',
      refresh: '`off`: does not reload itself',
      all: 'Also what only those who run it need; admins always see it',
    },
    answers: { 200: page('The page; strangers see one word, or counts') },
  },
  'GET /status.json': {
    summary: 'What the status page shows',
    tag: 'status',
    query: afterOperation('clinic'),
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
      after: 'Only changes after this sequence; default 0',
      limit: 'Maximum number of changes; default 100, at most 1000',
      wait: 'Seconds to wait for a change when there is none yet, at most 30',
    },
    answers: {
      200: {
        description: 'Oldest first; patients’ fields for those who may see bookings',
        json: changeListSchema,
      },
      400: refusedAnswer('A parameter cannot be read'),
      404: refusedAnswer('No such clinic'),
    },
  },
  'GET /assets/status.css': {
    summary: 'The stylesheet of the pages',
    tag: 'status',
    answers: { 200: { description: 'CSS', text: ['text/css'] } },
  },
  'GET /assets/desk.js': {
    summary: 'The script of the bookings pages',
    tag: 'status',
    answers: { 200: { description: 'The script', text: ['text/javascript'] } },
  },
};

const bookings: Record<string, Operation> = {
  'GET /bookings': {
    summary: 'Bookings, newest first; with one of the last five parameters visits, by time',
    tag: 'bookings',
    query: {
      state: 'A state, or `needs_you`',
      source: 'The connector they came from',
      from: 'The first day of receiving: YYYY-MM-DD, `today` or `tomorrow`',
      to: 'The last day of receiving',
      q: 'A name, a phone number in any notation, a reference, an e-mail address',
      visit_from: 'The first day of the visit; default: a month ago, or before `visit_to`',
      visit_to: 'The last day of the visit; default: three months ahead, or after `visit_from`',
      dentist: 'The dentist’s name',
      standing: `What became of the visit: ${visitStandings.join(', ')}`,
      sort: `One of ${visitOrders.join(', ')}`,
      ...{ ...afterOperation('reference'), ...formatQuery },
    },
    answers: pageOrFile('Up to fifty of them; as a file all', bookingList),
  },
  'GET /bookings/new': {
    summary: 'The form for a booking taken down by a person; programs send `POST /admin/bookings/add`',
    tag: 'bookings',
    query: { clinic: 'Its key; needed where several are configured' },
    answers: { 200: page('The form') },
  },
  'GET /bookings/:ref': {
    summary: 'One booking: what happened, what is known, what can be done',
    tag: 'bookings',
    answers: {
      ...pageOrJson('The booking', bookingAnswer),
      404: refusedAnswer('No such booking'),
    },
  },
  'GET /bookings/:ref/receipt': {
    summary: 'One booking on paper: what was asked, sent, answered and decided',
    tag: 'bookings',
    answers: {
      ...pageOrJson('The receipt; as JSON the booking', bookingAnswer),
      404: refusedAnswer('No such booking'),
    },
  },
};

const signIn = z.object({
  token: z.string(),
  name: z.string().optional().meta({ description: 'Who uses the admin token.' }),
  next: z.string().optional().meta({ description: 'The page to go on to.' }),
});

const ended = { 200: { description: 'Ended', json: done }, 303: backToPage };

const goneLinks = {
  404: refusedAnswer('Not a valid link'),
  409: refusedAnswer('The booking has changed, or the action is refused'),
  410: refusedAnswer('It was used, or is too old'),
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
      403: refusedAnswer('Another site sent it'),
      503: refusedAnswer('Try again in a few seconds'),
      ...goneLinks,
    },
  },
  'POST /admin/sign-out': {
    summary: 'End the session of this browser',
    tag: 'people',
    answers: { 303: { description: 'Signed out' } },
  },
  'GET /sessions': {
    summary: 'Browser sessions: one’s own, or all for admins',
    tag: 'people',
    answers: pageOrJson('The sessions', sessionList),
  },
  'POST /admin/sessions/:id/end': { summary: 'End a session', tag: 'people', answers: ended },
  'POST /admin/sessions/:id/end-all': {
    summary: 'End all sessions of the same person',
    tag: 'people',
    answers: ended,
  },
  'GET /audit': {
    summary: 'Who did what, newest first',
    tag: 'people',
    query: { before: 'Only rows older than the one with this number', ...formatQuery },
    answers: pageOrFile('200 rows; as a file all', auditList),
  },
};

/** Every registered route by `METHOD path`; a test fails when one is missing. */
export const operationsOf = (
  admin: Readonly<Record<string, OperationDescription>>,
): Readonly<Record<string, Operation>> => ({
  ...health,
  ...status,
  ...insight,
  ...intake,
  ...bookings,
  ...actionOperations(admin),
  ...people,
});
