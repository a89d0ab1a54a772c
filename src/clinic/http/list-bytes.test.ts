import { expect, it } from 'vitest';
import { listBytes } from './list-bytes.ts';

const rows = '[{"treatment_id":1,"areas":["a]","b"]},{"treatment_id":2}]';
const bytes = (text: string) => listBytes(Buffer.from(text))?.toString();

it.each([
  `{"success":true,"data":${rows}}`,
  `{"success":true,"at":"2026-03-02T09:00:00Z","data":${rows},"took":12}`,
  ` { "at" : 7 , "success" : true , "data" : ${rows} } `,
  `{"note":"the \\"data\\" are [here]","success":true,"data":${rows}}`,
])('finds the list of an answer, whatever is beside it: %s', (text) => {
  expect(bytes(text)).toBe(rows);
});

it.each([
  ['says no', `{"success":false,"data":${rows}}`],
  ['does not say yes', `{"data":${rows}}`],
  ['has its list elsewhere', `{"success":true,"meta":{"data":[1]},"data":${rows}}`],
  ['has two of one name', `{"success":true,"data":${rows},"data":null}`],
  ['has a list of another name', `{"success":true,"data":null,"rows":${rows}}`],
  ['has no list', '{"success":true,"data":{}}'],
  ['was cut', `{"success":true,"data":${rows.slice(0, 40)}`],
  ['is no JSON', `<p>"data": ${rows}</p>`],
  ['is empty', ''],
])('leaves an answer to be read that %s', (_, text) => {
  expect(bytes(text)).toBeUndefined();
});
