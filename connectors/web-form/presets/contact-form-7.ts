import { bearer } from '../authentication/proof.ts';
import type { Preset } from './preset.ts';

/** Contact Form 7 with “CF7 to Webhook”: flat JSON by field names, lists for menus; text when its template is no JSON. */
export const contactForm7: Preset = {
  title: 'Contact Form 7',
  proofs: [bearer],
  bodies: ['json', 'text', 'form'],
  labels: true,
  read: (body) => ({ kind: 'booking', fields: body }),
};
