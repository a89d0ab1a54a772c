import { standardWebhooks } from '../authentication/signature.ts';
import { noFields } from '../mapping/fields.ts';
import type { Preset } from './preset.ts';
import { idAt, objectAt } from './shape.ts';

/** Google Forms through the script in google-forms.gs, which posts the answers by their questions, signed. */
export const googleForms: Preset = {
  title: 'Google Forms',
  proofs: [standardWebhooks],
  bodies: ['json'],
  labels: true,
  read(body) {
    if (body.test === true) return { kind: 'ignored', message: 'The test arrived' };
    return {
      kind: 'booking',
      fields: Object.assign(noFields(), objectAt(body.answers)),
      id: idAt(body.response_id),
    };
  },
};
