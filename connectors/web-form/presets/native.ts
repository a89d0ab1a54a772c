import { bearer } from '../authentication/proof.ts';
import { standardWebhooks } from '../authentication/signature.ts';
import type { Preset } from './preset.ts';
import { idAt } from './shape.ts';

/** The booking's fields by their own names: Zapier, Make, n8n, a clinic's own code. */
export const native: Preset = {
  title: 'JSON in our own words',
  proofs: [standardWebhooks, bearer],
  bodies: ['json', 'form', 'multipart', 'text'],
  labels: false,
  own: 'unless ruled',
  read(body, { headers }) {
    const id = idAt(body.submission_id) ?? headers['idempotency-key'] ?? headers['webhook-id'];
    return { kind: 'booking', fields: body, id };
  },
};
