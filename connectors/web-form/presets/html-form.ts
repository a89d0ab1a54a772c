import type { Preset } from './preset.ts';

/**
 * A browser's own form. Where it comes from is shown by its Origin and by the token in the form, not by a secret:
 * see form/form-intake.ts.
 */
export const htmlForm: Preset = {
  title: 'A form in a web page',
  proofs: [],
  bodies: ['form', 'multipart'],
  labels: true,
  // Rules are for a clinic's own form; the form that is served here, shown after it, has the booking's own names.
  own: 'first',
  read: (body) => ({ kind: 'booking', fields: body }),
};
