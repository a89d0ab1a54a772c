import * as z from 'zod';
import { leadGroups } from '../../domain/clinics/report-columns.ts';
import { XLSX } from '../table-downloads.ts';
import { afterOperation, type Operation, page, pageOrJson, refusedAnswer } from './operation.ts';
import { formatQuery, recordAnswer, reportAnswers } from './report-schemas.ts';

const shown = (description: string): Operation['answers'] => ({
  200: page(description),
  404: refusedAnswer('No such thing'),
});

const month = (summary: string, type: string): Operation => ({
  ...{ summary, tag: 'status' },
  query: {
    clinic: 'The clinic; default: the first',
    month: 'The month, as 2026-03; default: the current one',
  },
  answers: { 200: { description: 'The file', text: [type] }, 404: refusedAnswer('No such clinic or month') },
});

/** Insight pages; tables also as JSON, CSV and workbook. */
export const insight: Record<string, Operation> = {
  'GET /clinics/:clinic': { summary: 'The page of a clinic', tag: 'status', answers: shown('The page') },
  'GET /clinics/:clinic/:poll': {
    summary: 'The page of one resource of a clinic',
    tag: 'status',
    query: { ...afterOperation('record'), ...formatQuery },
    answers: { ...reportAnswers.records, 404: refusedAnswer('No such thing') },
  },
  'GET /clinics/:clinic/:poll/:id': {
    summary: 'The page of one record of a clinic and its changes',
    tag: 'status',
    query: { before: 'Where the previous page ended' },
    answers: { ...recordAnswer, 404: refusedAnswer('No such thing') },
  },
  'GET /connectors/:name': {
    summary: 'The page of a connector, with its last deliveries',
    tag: 'status',
    query: { before: 'Only deliveries older than the one with this number' },
    answers: shown('The page'),
  },
  'POST /connectors/:name/try': {
    summary: 'What a submission would become at a form; nothing of it is stored, sent or logged',
    tag: 'status',
    body: z.object({ body: z.string().meta({ description: 'What the form or form tool sends' }) }),
    answers: {
      ...pageOrJson('The page; for programs the judgement', z.looseObject({ ok: z.literal(true) })),
      303: { description: 'Sign in first' },
      404: refusedAnswer('No such connector'),
    },
  },
  'GET /change-log': {
    summary: 'The page of the change log',
    tag: 'status',
    query: {
      clinic: 'One clinic',
      resource: 'One of its resources',
      id: 'One record of it',
      before: 'Where the previous page ended',
      ...formatQuery,
    },
    answers: reportAnswers.changes,
  },
  'GET /incidents': {
    summary: 'The page of incidents and how long they lasted',
    tag: 'status',
    query: { clinic: 'One clinic', before: 'Only those older than the one with this number', ...formatQuery },
    answers: reportAnswers.incidents,
  },
  'GET /reports': {
    summary: 'The page of totals of bookings and visits',
    tag: 'status',
    query: {
      clinic: 'One clinic',
      month: 'The month, as 2026-03; default: the current one',
      by: `One row for each: ${leadGroups.join(', ')}`,
      after: 'The last clinic of the previous page',
      ...formatQuery,
    },
    answers: { ...reportAnswers.reports, 404: refusedAnswer('No such clinic') },
  },
  'GET /reports/month.html': month('A month of a clinic as a file to print', 'text/html'),
  'GET /reports/month.xlsx': month('A month of a clinic as a workbook', XLSX),
  'GET /fees': {
    summary: 'The page of a clinic’s prices',
    tag: 'status',
    query: {
      clinic: 'One clinic',
      on: 'At the end of this day, as 2026-03-31; default: today',
      ...formatQuery,
    },
    answers: {
      ...reportAnswers.fees,
      400: refusedAnswer('That day has not come yet'),
      404: refusedAnswer('No such clinic'),
    },
  },
  'GET /fees/:clinic/:kind/:id': {
    summary: 'The page of the fee history of one thing',
    tag: 'status',
    query: { before: 'Only fees that began before this instant', ...formatQuery },
    answers: { ...reportAnswers.fee, 404: refusedAnswer('No such thing') },
  },
  'GET /live': {
    summary: 'Tells an open page that something changed (server-sent events)',
    tag: 'status',
    answers: {
      200: { description: 'A stream that ends after five minutes', text: ['text/event-stream'] },
      406: refusedAnswer('Not requested as `text/event-stream`'),
      503: refusedAnswer('Too many pages are open'),
    },
  },
  'GET /assets/live.js': {
    summary: 'The script of open pages',
    tag: 'status',
    answers: { 200: { description: 'The script', text: ['text/javascript'] } },
  },
};
