import { gzipSync } from 'node:zlib';
import { z } from 'zod';
import { wholeNumber } from '../../../src/domain/clinics/setting.ts';
import { htmlAnswer, replaced, type SandboxAnswer } from '../answer.ts';
import { afterCommit, type FaultContext } from './kind.ts';
import { half, headOf } from './raw.ts';

const MEGABYTE = 1024 * 1024;

/** Carries the request out and answers 200 with another body, or with the right one under other headers. */
const body = (
  description: string,
  given: string | Buffer | ((original: Buffer) => Buffer | string) | undefined,
  headers: Record<string, string> = {},
) =>
  afterCommit(description, (_context, answer) =>
    replaced(answer, { headers, body: typeof given === 'function' ? given(answer.body) : given }),
  );

/**
 * Compressed once and repeated: gzip streams may be concatenated, so a bomb costs the sandbox nothing. It ends as valid
 * JSON, so that nothing but its size is wrong.
 */
function bomb(megabytes: number): Buffer {
  const filling = gzipSync(Buffer.alloc(MEGABYTE, ' '));
  return Buffer.concat([
    gzipSync('{"success":true,"data":['),
    ...Array(megabytes).fill(filling),
    gzipSync(']}'),
  ]);
}

async function pour({ connection, world }: FaultContext, answer: SandboxAnswer, megabytes: number) {
  const filling = Buffer.alloc(64 * 1024, ' ');
  connection.write(headOf(answer, { framing: { 'transfer-encoding': 'chunked' } }));
  connection.write('1\r\n{\r\n');
  for (let left = megabytes * 16; left > 0 && !connection.ended.aborted; left -= 1) {
    connection.write(`10000\r\n`);
    connection.write(filling);
    connection.write('\r\n');
    await connection.drained();
    await world.clock.sleep(0, connection.ended).catch(() => {});
  }
  connection.write('1\r\n}\r\n0\r\n\r\n');
  connection.close();
}

/** Answers with status 200 whose body is not JSON or is too large. The request is carried out. */
export const bodyFaults = {
  html_200: afterCommit('200 with an HTML page, as a captive portal or a maintenance page gives.', () =>
    htmlAnswer(200, 'We will be back soon'),
  ),
  empty_200: body('200 with an empty body.', ''),
  text_200: body('200 with the text OK.', 'OK', { 'content-type': 'text/plain' }),
  null_200: body('200 with the JSON value null.', 'null'),
  array_200: body('200 with an empty JSON array.', '[]'),
  half_json_200: body('200, rightly framed, whose JSON ends in the middle.', half),
  wrong_content_type: body('The right JSON labelled text/html.', undefined, {
    'content-type': 'text/html',
  }),
  byte_order_mark: body('The right JSON after a byte order mark.', (original) => `\ufeff${original}`),
  invalid_utf8: body(
    'A JSON string with bytes that are no UTF-8.',
    Buffer.concat([Buffer.from('{"success":true,"message":"'), Buffer.from([0xff, 0xc3]), Buffer.from('"}')]),
  ),
  deep_json: body('JSON nested 100,000 deep.', () => `{"data":${'['.repeat(100_000)}${']'.repeat(100_000)}}`),
  huge_body: afterCommit(
    {
      description: 'A body of `megabytes` (default 64), chunked, valid JSON.',
      parameters: { megabytes: wholeNumber(1, 4_096).default(64) },
    },
    async (context, answer, { megabytes }) => {
      await pour(context, answer, megabytes);
      return undefined;
    },
  ),
  gzip: body('The right answer, gzip-compressed without being asked for; legal.', gzipSync, {
    'content-encoding': 'gzip',
  }),
  gzip_bomb: afterCommit(
    {
      description: 'A small gzip body that becomes `megabytes` (default 256) of valid JSON.',
      parameters: { megabytes: wholeNumber(1, 16_384).default(256) },
    },
    (_context, answer, { megabytes }) =>
      replaced(answer, { headers: { 'content-encoding': 'gzip' }, body: bomb(megabytes) }),
  ),
  gzip_broken: body('A gzip body that is damaged in the middle.', (original) => half(gzipSync(original)), {
    'content-encoding': 'gzip',
  }),
  gzip_mislabelled: body('Plain JSON that claims to be gzip.', undefined, {
    'content-encoding': 'gzip',
  }),
  unknown_encoding: body('An unknown Content-Encoding.', undefined, {
    'content-encoding': 'x-dental',
  }),
  informational: afterCommit('100, 102 and 103 before the right answer; legal.', ({ response }, answer) => {
    response.writeContinue();
    response.writeProcessing();
    response.writeEarlyHints({ link: '</style.css>; rel=preload' });
    return answer;
  }),
  skewed_date: afterCommit(
    {
      description: 'The Date header is off by `seconds` (default one day ahead); the answer is right.',
      parameters: { seconds: z.number().int().default(86_400) },
    },
    ({ world }, answer, { seconds }) =>
      replaced(answer, { headers: { date: new Date(world.clock.now() + seconds * 1000).toUTCString() } }),
  ),
};
