import type { FieldFault } from '../../../src/domain/bookings/booking.ts';
import type { Json, JsonObject } from '../../../src/platform/json.ts';
import { pathToken } from '../authentication/proof.ts';
import { noFields } from '../mapping/fields.ts';
import { idAt, type Preset, putUnder } from './preset.ts';

/** Fields that Elementor adds. Its Date and Time are those of the submission, not of the appointment. */
const additions = new Set([
  'Date',
  'Time',
  'Page URL',
  'Page Title',
  'User Agent',
  'Remote IP',
  'Powered by',
  'form_id',
  'form_name',
]);

/** Elementor Pro, action Webhook. Keys are labels, or `fields[name][value]` with advanced data. */
export const elementor: Preset = {
  title: 'Elementor',
  proven: { level: 'tool', by: 'WordPress 6.1 and 7.1 and the forms module of PRO Elements 3.33.1' },
  proofs: [pathToken],
  bodies: ['form', 'multipart'],
  read(body) {
    const fields = advanced(body);
    const page = idAt(body['Page URL']) ?? idAt(body['meta[page_url][value]']);
    return fields
      ? { kind: 'booking', fields, page }
      : { kind: 'booking', fields: simple(body), page, problems: overwritten(body) };
  },
  write: (fields) => ({ Date: '-', Time: '-', ...fields }),
};

function simple(body: JsonObject): JsonObject {
  const fields = noFields();
  for (const [label, value] of Object.entries(body)) if (!additions.has(label)) fields[label] = value;
  return fields;
}

/**
 * Elementor translates the names of its added fields, and one with the same name as a form field replaces it with the
 * day or hour of the submission. English names prove that none was replaced.
 */
const overwritten = (body: JsonObject): FieldFault[] =>
  (['Date', 'Time'] as const)
    .filter((name) => !Object.hasOwn(body, name))
    .map((name) => ({
      field: name === 'Date' ? 'appointment_date' : 'appointment_time',
      message:
        'Elementor may have put the moment of the submission in its place. Switch Advanced Data on in the ' +
        'form’s Webhook settings.',
    }));

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
