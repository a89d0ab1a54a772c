import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ReportColumns } from '../domain/clinics/report-columns.ts';
import type { Row } from '../domain/clinics/tables.ts';
import type { Locale } from '../platform/text/locale.ts';
import { csvOf, reportFields } from '../reports/figures.ts';
import { reportSheet } from '../reports/workbook/report-sheet.ts';
import { renderSheets } from '../reports/workbook/workbook.ts';
import { queryText, sendHtml, wantsHtml } from './answers.ts';

export const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** A page of data, which programs and people get in the form they ask for. */
interface DataPage {
  page?: () => string;
  /** The page's rows, without `ok`. */
  json: () => object;
  /** All rows, not only the page's. */
  file: TableFile;
}

interface TableFile {
  /** Without its ending. */
  name: string;
  columns: ReportColumns;
  pages: AsyncIterable<readonly Row[]> | readonly (readonly Row[])[];
  /** Of a workbook. */
  locale: Locale;
}

type Format = 'html' | 'json' | 'csv' | 'xlsx';

/** What `?format=` asks for, else `Accept`. */
export function answerFormat(request: FastifyRequest): Format {
  const asked = queryText(request, 'format');
  if (asked === 'json' || asked === 'csv' || asked === 'xlsx') return asked;
  const { accept = '' } = request.headers;
  if (wantsHtml(request)) return 'html';
  if (accept.includes('text/csv')) return 'csv';
  return accept.includes(XLSX) ? 'xlsx' : 'json';
}

export const wantsFile = (request: FastifyRequest): boolean =>
  ['csv', 'xlsx'].includes(answerFormat(request));

/** Answers with a page, its data, or all rows as a file. */
export function sendData(request: FastifyRequest, reply: FastifyReply, { page, json, file }: DataPage) {
  const format = answerFormat(request);
  reply.header('vary', 'accept');
  if (format === 'html' && page !== undefined) return sendHtml(reply, page());
  if (format === 'json' || format === 'html') return reply.send({ ok: true, ...json() });
  const { name, columns, pages, locale } = file;
  reply.header('content-disposition', `attachment; filename="${name}.${format}"`);
  if (format === 'xlsx')
    return reply.type(XLSX).send(Readable.from(renderSheets([reportSheet(name, columns, pages, locale)])));
  return reply.type('text/csv; charset=utf-8').send(Readable.from(csvPages(columns, pages)));
}

async function* csvPages(columns: ReportColumns, pages: TableFile['pages']): AsyncGenerator<string> {
  const fields = reportFields(columns);
  yield csvOf(fields, []);
  for await (const page of pages) if (page.length > 0) yield csvOf(fields, page, false);
}

/** Rows read in pages, each after the last of the one before; other work goes on in between. */
export async function* allPages<Item>(
  read: (last: Item | undefined, limit: number) => Promise<readonly Item[]>,
  rowsOf: (item: Item) => Row[],
): AsyncGenerator<Row[]> {
  for (let last: Item | undefined; ; ) {
    const some = await read(last, ROWS_AT_ONCE);
    yield some.flatMap(rowsOf);
    if (some.length < ROWS_AT_ONCE) return;
    last = some.at(-1);
  }
}

const ROWS_AT_ONCE = 200;
