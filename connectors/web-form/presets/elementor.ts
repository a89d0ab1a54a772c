import type { Json, JsonObject } from '../../../src/platform/json.ts';
import { pathToken } from '../authentication/proof.ts';
import { noFields } from '../mapping/fields.ts';
import { type Preset, putUnder } from './preset.ts';

/** Fields that Elementor adds. Its Date and Time are those of the submission, not of the appointment. */
const additions = new Set([
  'Date',
  'Time',
  'Page URL',
  'User Agent',
  'Remote IP',
  'Powered by',
  'form_id',
  'form_name',
]);

/** Elementor Pro, action Webhook. Without advanced data the keys are labels, with it `fields[name][value]`. */
export const elementor: Preset = {
  title: 'Elementor',
  proofs: [pathToken],
  bodies: ['form', 'multipart'],
  read: (body) => ({ kind: 'booking', fields: advanced(body) ?? simple(body) }),
};

function simple(body: JsonObject): JsonObject {
  const fields = noFields();
  for (const [label, value] of Object.entries(body)) if (!additions.has(label)) fields[label] = value;
  return fields;
}

function advanced(body: JsonObject): JsonObject | undefined {
  const parts = new Map<string, Map<string, Json>>();
  for (const [key, value] of Object.entries(body)) {
    const [, id, part] = /^fields\[([^\]]+)\]\[([^\]]+)\]$/.exec(key) ?? [];
    if (id === undefined || part === undefined) continue;
    parts.set(id, (parts.get(id) ?? new Map<string, Json>()).set(part, value));
  }
  if (parts.size === 0) return undefined;
  const fields = noFields();
  for (const [id, field] of parts) fields[id] = field.get('value') ?? null;
  for (const field of parts.values()) {
    const title = field.get('title');
    if (typeof title === 'string') putUnder(fields, [title], field.get('value'));
  }
  return fields;
}
