import type { JsonObject } from '../../../src/platform/json.ts';
import { asText } from './fields.ts';
import { isFormLabel, isMachineName } from './form-labels.ts';

/** Characters kept of unmapped fields. */
const MOST = 2_000;

/** Matches what no person writes: tokens, drawn signatures, payment card numbers. */
const opaque = /^data:|^[\w.+/=~|-]{40,}$|^[2-6]\d{3}(?:[ -]?\d{4}){3}$|^3[47]\d\d[ -]?\d{6}[ -]?\d{5}$/;

/**
 * Unmapped answers for a note, each once; an empty one gives its name, when that holds what was written. Kept when a
 * form sent no phone number: with no one to ask, a form with unmapped fields would be an anonymous booking. The note
 * goes to the clinic, so fields meant for programs are left out.
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
