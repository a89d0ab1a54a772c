import { isObject, type JsonObject } from '../../../src/platform/json.ts';
import { bearer, pathToken } from '../authentication/proof.ts';
import { milliseconds, signature, standardWebhooks, timedSignature } from '../authentication/signature.ts';
import { noFields } from '../mapping/fields.ts';
import { calCom } from './cal-com.ts';
import { calendly } from './calendly.ts';
import { elementor } from './elementor.ts';
import { jotform } from './jotform.ts';
import {
  entryIdAt,
  fieldsAt,
  idAt,
  noLead,
  objectAt,
  type Preset,
  putUnder,
  unknownEvent,
} from './preset.ts';
import { tally } from './tally.ts';
import { typeform } from './typeform.ts';

/** The booking's fields by their own names: Zapier, Make, n8n, a clinic's own code. */
const native: Preset = {
  title: 'JSON in our own words',
  proven: { level: 'tool', by: 'Node-RED 4.1 and 5.0 and the Standard Webhooks library' },
  proofs: [standardWebhooks, bearer, pathToken],
  bodies: ['json', 'form', 'multipart', 'text'],
  labels: false,
  own: 'unless ruled',
  read(body, { headers }) {
    const id = idAt(body.submission_id) ?? headers['idempotency-key'] ?? headers['webhook-id'];
    return { kind: 'booking', fields: body, id };
  },
  write: (fields, submission_id) => ({ ...fields, submission_id }),
};

/** A browser's own form, authenticated by its Origin and token instead of a secret: see form/form-intake.ts. */
const htmlForm: Preset = {
  title: 'A form in a web page',
  proven: { level: 'tool', by: 'Chromium' },
  proofs: [],
  bodies: ['form', 'multipart'],
  // Rules are for a clinic's own form; our form, shown after it, uses the booking's own names.
  own: 'first',
  read: (body) => ({ kind: 'booking', fields: body }),
};

/**
 * Contact Form 7 with “CF7 to Webhook”: flat JSON by field names, lists for menus; text when its template is not JSON.
 */
const contactForm7: Preset = {
  title: 'Contact Form 7',
  proven: {
    level: 'tool',
    by: 'WordPress 6.1 and 7.1, Contact Form 7 5.7.7 and 6.1.6, CF7 to Webhook 4.1.0',
  },
  proofs: [bearer],
  bodies: ['json', 'text', 'form'],
  read: (body) => ({ kind: 'booking', fields: body }),
};

/** Gravity Forms, Webhooks add-on: the whole entry by field numbers (`1.3`), or fields under names the admin chose. */
const gravityForms: Preset = {
  title: 'Gravity Forms',
  proven: { level: 'source', by: 'the Webhooks add-on’s GF_Webhooks' },
  proofs: [bearer],
  bodies: ['json', 'form'],
  read: (body) => ({ kind: 'booking', fields: body, id: entryIdAt(body.id) ?? entryIdAt(body.entry_id) }),
  write: (fields, id) => ({ ...fields, id }),
};

/** WPForms, Webhooks addon, request format JSON; its urlencoded format cannot be verified, so it is refused. */
const wpforms: Preset = {
  title: 'WPForms',
  proven: {
    level: 'tool',
    by:
      'WordPress 6.1 and 7.1 and WPForms Lite 1.8.9.6 and 2.0.0.2 with our plugin; the Webhooks addon from its ' +
      'source, its Process',
  },
  proofs: [timedSignature('x-wpforms-webhook-signature', 'v', 'v1')],
  read: (body) => ({ kind: 'booking', fields: wpformsFields(body), id: entryIdAt(body.entry_id) }),
  write: (fields, entry_id) => ({ ...fields, entry_id }),
};

/** A date is `{ value, unix }`; || separates the answers of a list and the lines of an address. */
function wpformsFields(body: JsonObject): JsonObject {
  const fields = noFields();
  for (const [name, sent] of Object.entries(body)) {
    const { value, unix } = objectAt(sent);
    if (value !== undefined && unix !== undefined) {
      fields[name] = value;
      putUnder(fields, [`${name}.value`], value);
    } else fields[name] = typeof sent === 'string' && sent.includes('||') ? sent.split('||') : sent;
  }
  return fields;
}

/** Webflow form submissions. Webhooks created through its API are signed; those created in its dashboard are not. */
const webflow: Preset = {
  title: 'Webflow',
  proven: {
    level: 'source',
    by: 'Webflow’s own client (webflow/js-webflow-api at 31e9cf38), its FormSubmissionTrigger and its verifySignature',
  },
  proofs: [
    signature({
      header: 'x-webflow-signature',
      encoding: 'hex',
      read(given, { headers, body }) {
        const at = headers['x-webflow-timestamp'];
        return at ? { signatures: [given], content: [`${at}:`, body], atMs: milliseconds(at) } : undefined;
      },
      write: (body, atMs) => ({
        content: [`${atMs}:`, body],
        value: (mac) => mac,
        headers: { 'x-webflow-timestamp': String(atMs) },
      }),
    }),
    pathToken,
  ],
  read(body) {
    const { triggerType, payload, data: former, _id } = body;
    const other = noLead(triggerType, otherWebflowEvents, 'Only form submissions are taken');
    if (other !== undefined) return other;
    // The former API sends the answers beside the form’s name, and no kind.
    if (triggerType === undefined && isObject(former))
      return { kind: 'booking', fields: fieldsAt(former), id: idAt(_id) };
    if (triggerType !== 'form_submission') return unknownEvent(body);
    const { data, id } = objectAt(payload);
    return { kind: 'booking', fields: fieldsAt(data), id: idAt(id) };
  },
  write: (data, id) => ({ triggerType: 'form_submission', payload: { data, id } }),
};

/** Webflow’s events that are no leads. */
const otherWebflowEvents =
  /^(?:site_publish|page_|ecomm_|collection_item_|comment_created|memberships_|user_account_)/;

/** Google Forms through the script google-forms.gs, which posts signed answers by question. */
const googleForms: Preset = {
  title: 'Google Forms',
  proven: {
    level: 'source',
    by:
      'Google’s own samples (googleworkspace/apps-script-samples at 8a31678d); the script is ours and runs in ' +
      'our tests',
  },
  proofs: [standardWebhooks],
  read({ test, answers, response_id }) {
    if (test === true) return { kind: 'ignored', event: 'test', message: 'The test arrived' };
    return { kind: 'booking', fields: fieldsAt(answers), id: idAt(response_id) };
  },
  write: (answers, response_id) => ({ answers, response_id }),
};

/** Every form tool, by its name in the configuration. */
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
