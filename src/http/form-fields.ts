import type { FastifyRequest } from 'fastify';
import { Failure } from '../platform/failure.ts';

/** The text fields of an admin request, from a form or a flat JSON object. Throws `Failure` refused. */
export function readFormFields({ body, headers }: FastifyRequest): Record<string, string> {
  const fields: Record<string, string> = Object.create(null);
  if (!Buffer.isBuffer(body) || body.length === 0) return fields;
  const text = body.toString('utf8');
  const pairs = headers['content-type']?.startsWith('application/x-www-form-urlencoded')
    ? new URLSearchParams(text)
    : jsonPairs(text);
  for (const [name, value] of pairs) fields[name] = value.toWellFormed();
  return fields;
}

function jsonPairs(text: string): [string, string][] {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return Object.entries(value)
        .filter(([, item]) => ['string', 'number', 'boolean'].includes(typeof item))
        .map(([name, item]) => [name, String(item)]);
    }
  } catch {
    // Refused below, like JSON other than an object.
  }
  const hint = 'Send {"name":"value"} with content-type application/json.';
  throw new Failure({ kind: 'refused', status: 400, message: 'The body is not a JSON object', hint });
}
