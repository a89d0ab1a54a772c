import { bearer } from '../authentication/proof.ts';
import type { Preset } from './preset.ts';
import { entryIdAt } from './shape.ts';

/** Gravity Forms, Webhooks add-on: the whole entry by field numbers (`1.3`), or fields under names of the admin’s own. */
export const gravityForms: Preset = {
  title: 'Gravity Forms',
  proofs: [bearer],
  bodies: ['json', 'form'],
  labels: true,
  read: (body) => ({ kind: 'booking', fields: body, id: entryIdAt(body.id) ?? entryIdAt(body.entry_id) }),
};
