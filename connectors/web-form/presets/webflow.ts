import { pathToken } from '../authentication/proof.ts';
import { milliseconds, signature } from '../authentication/signature.ts';
import { noFields } from '../mapping/fields.ts';
import type { Preset } from './preset.ts';
import { idAt, objectAt } from './shape.ts';

/** Webflow form submissions. Webhooks made through its API are signed; those made in its dashboard are not. */
export const webflow: Preset = {
  title: 'Webflow',
  proofs: [
    signature({
      header: 'x-webflow-signature',
      encoding: 'hex',
      read(given, { headers, body }) {
        const at = headers['x-webflow-timestamp'];
        return at ? { signatures: [given], content: [`${at}:`, body], atMs: milliseconds(at) } : undefined;
      },
    }),
    pathToken,
  ],
  bodies: ['json'],
  labels: true,
  read(body) {
    if (body.triggerType !== 'form_submission')
      return { kind: 'ignored', message: 'Only form submissions are taken' };
    const payload = objectAt(body.payload);
    return {
      kind: 'booking',
      fields: Object.assign(noFields(), objectAt(payload.data)),
      id: idAt(payload.id),
    };
  },
};
