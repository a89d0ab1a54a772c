import { seconds, signature, signatureParts } from '../authentication/signature.ts';
import type { Preset } from './preset.ts';
import { entryIdAt } from './shape.ts';

/** WPForms, Webhooks addon, request format JSON: its urlencoded format cannot be verified, so it is not taken. */
export const wpforms: Preset = {
  title: 'WPForms',
  proofs: [
    signature({
      header: 'x-wpforms-webhook-signature',
      encoding: 'hex',
      read(given, { body }) {
        const parts = signatureParts(given);
        const at = parts.get('t');
        const mac = parts.get('v') ?? parts.get('v1');
        return at && mac ? { signatures: [mac], content: [`${at}.`, body], atMs: seconds(at) } : undefined;
      },
    }),
  ],
  bodies: ['json'],
  labels: true,
  read: (body) => ({ kind: 'booking', fields: body, id: entryIdAt(body.entry_id) }),
};
