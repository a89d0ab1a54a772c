import { expect, it } from 'vitest';
import type { Json, JsonObject } from '../../../src/platform/json.ts';
import { unknownEvent } from './preset.ts';

it('keeps the words of an unknown event, however deeply the rest of it is nested', () => {
  let nested: Json = 'the deepest word';
  for (let level = 0; level < 30_000; level += 1) nested = level % 2 === 0 ? [nested] : { a: nested };
  const body: JsonObject = { event: 'form.moved', answers: [{ phone: '+8801712345678' }], nested };

  const { extra = '', fields, problems } = unknownEvent(body);

  expect(JSON.parse(extra)).toMatchObject({ event: 'form.moved', answers: [{ phone: '+8801712345678' }] });
  expect(extra).toContain('"…"');
  expect(extra).not.toContain('the deepest word');
  expect(fields).toEqual({});
  expect(problems).toHaveLength(1);
});
