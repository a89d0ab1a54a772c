import { calCom } from './cal-com.ts';
import { calendly } from './calendly.ts';
import { contactForm7 } from './contact-form-7.ts';
import { elementor } from './elementor.ts';
import { googleForms } from './google-forms.ts';
import { gravityForms } from './gravity-forms.ts';
import { htmlForm } from './html-form.ts';
import { jotform } from './jotform.ts';
import { native } from './native.ts';
import type { Preset } from './preset.ts';
import { tally } from './tally.ts';
import { typeform } from './typeform.ts';
import { webflow } from './webflow.ts';
import { wpforms } from './wpforms.ts';

/** Every form tool, by the name it has in the configuration. */
export const presets = {
  native,
  'html-form': htmlForm,
  elementor,
  'contact-form-7': contactForm7,
  'gravity-forms': gravityForms,
  wpforms,
  typeform,
  jotform,
  webflow,
  'google-forms': googleForms,
  tally,
  calendly,
  'cal.com': calCom,
} as const satisfies Record<string, Preset>;

export type PresetName = keyof typeof presets;
export const presetNames = Object.keys(presets) as [PresetName, ...PresetName[]];
