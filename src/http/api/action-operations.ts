import * as z from 'zod';
import { manyPath, type OperationDescription } from '../admin.ts';
import { done } from './api-schemas.ts';
import { backToPage, type Operation, page, refusedAnswer } from './operation.ts';

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

export function actionOperations(
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
