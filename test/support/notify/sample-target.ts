import { noMailServer } from '../../../src/config/mail.ts';
import type { NotifyTarget } from '../../../src/config/notify.ts';

/** One that hears of what needs a person. */
export const sampleTarget = (over: Partial<NotifyTarget> = {}): NotifyTarget => ({
  name: 'desk',
  use: 'webhook',
  on: ['needs_you'],
  remindMs: undefined,
  quiet: undefined,
  escalate: undefined,
  linksMs: undefined,
  clinics: undefined,
  includePatient: false,
  language: 'en',
  allowNetworks: ['127.0.0.0/8'],
  settings: { url: '', mail: noMailServer, from: '', to: [], token: '', chat: '', thread: '', secret: '' },
  ...over,
});
