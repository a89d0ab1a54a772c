import type { JsonObject } from '../../../src/platform/json.ts';
import { asText } from './fields.ts';
import { isFormLabel, isMachineName } from './form-labels.ts';

/** Characters of what no rule takes. */
const MOST = 2_000;

/** What no person writes: tokens, drawn signatures, numbers of payment cards. */
const opaque = /^data:|^[\w.+/=~|-]{40,}$|^[2-6]\d{3}(?:[ -]?\d{4}){3}$|^3[47]\d\d[ -]?\d{6}[ -]?\d{5}$/;

/**
 * What no rule takes, for a note: each answer once; of an empty one its name, when that is what was written. Kept where a
 * form sent no phone number, for then nobody can be asked: a form whose fields are not mapped would be a booking of nobody.
 * The note goes to the clinic with the booking, so nothing that is meant for programs is in it.
 */
export function unmappedLines(fields: JsonObject, unused: readonly string[]): string[] {
  const lines = new Map<string, string>();
  let room = MOST;
  for (const name of unused) {
    const text = asText(fields[name]);
    if (isMachineName(name) || opaque.test(text || name)) continue;
    if (lines.has(text || name) || (text === '' && isFormLabel(name))) continue;
    const line = (text === '' ? name : `${name}: ${text}`).slice(0, room);
    room -= line.length;
    if (line !== '') lines.set(text || name, line);
  }
  return [...lines.values()];
}
