import {
  bookingState,
  checkedSchema,
  ignored,
  receipt,
  rehearsalSchema,
  submission,
  unmapped,
} from './booking-schemas.ts';
import { type Operation, refusedAnswer } from './operation.ts';

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
      json: [receipt, checkedSchema, rehearsalSchema, ignored],
      text: ['text/html'],
    },
    303: { description: 'A browser is sent to the configured page' },
    413: refusedAnswer('The body is too large'),
    422: { description: 'With `validate=1`: these fields are wrong', json: unmapped },
    429: refusedAnswer('Too many: `Retry-After` says when to retry'),
    503: refusedAnswer('Not stored: send it again, as `Retry-After` says'),
  },
};

const preflight: Operation = {
  summary: 'CORS preflight of a script on another site',
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
    404: refusedAnswer('No such booking or page'),
    429: refusedAnswer('Too many: `Retry-After` says when to retry'),
  },
};

/** What senders ask at `/in/`. */
export const intake: Record<string, Operation> = {
  'POST /in/:connector': submit,
  'POST /in/:connector/*': { ...submit, summary: 'Submit a booking with the token in the path' },
  'GET /in/:connector': { ...readOwn, summary: 'The page of a served form' },
  'GET /in/:connector/*': readOwn,
  'OPTIONS /in/:connector': preflight,
  'OPTIONS /in/:connector/*': preflight,
};
