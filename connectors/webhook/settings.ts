import { z } from 'zod';
import { changeTypes } from '../../src/domain/clinics/change.ts';
import { network, textSetting, webAddress } from '../../src/domain/clinics/setting.ts';
import { signingKey } from '../../src/platform/network/signature.ts';
import { typeMatcher } from './event.ts';

const Secret = textSetting.refine(
  (secret) => signingKey(secret) !== undefined,
  'starts with whsec_, so base64 must follow; copy it again',
);

const Pattern = z
  .string()
  .refine(
    (pattern) => changeTypes.some(typeMatcher(pattern)),
    `matches no event; write *, appointment.*, *.removed or one of ${changeTypes.join(', ')}`,
  );

const Scalar = z.union([z.string(), z.number(), z.boolean(), z.null()]);

/** Headers that we set: configured ones would break the signature, the framing or the destination. */
const reserved = /^(webhook-.*|host|content-(type|length)|transfer-encoding|connection)$/i;
const HeaderName = z
  .string()
  .regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/, 'is not a header name')
  .refine((name) => !reserved.test(name), 'is set by clinic-sync and cannot be configured');
const HeaderValue = z.string().regex(/^[\t\x20-\x7e]*$/, 'must be printable ASCII on one line');

export const WebhookSettings = z
  .strictObject({
    url: webAddress('; use headers').describe('Where each event is posted. Redirects are not followed.'),
    secret: z
      .union([Secret, z.array(Secret).min(1).max(2)])
      .optional()
      .describe(
        'Signing secret (`whsec_…`, or any text); a list of two during a rotation. Make one with: `echo ' +
          '"whsec_$(openssl rand -base64 24)"`.',
      ),
    secret_file: textSetting.optional().describe('File that holds the secret, or two on two lines.'),
    events: z
      .array(Pattern)
      .min(1)
      .default(['*'])
      .describe('Event types to send; `*` matches any part: `booking.*`, `*.removed`.'),
    where: z
      .record(z.string(), z.union([Scalar, z.array(Scalar).min(1)]))
      .default({})
      .describe(
        'Send an event only when each of these fields of its `data` has (one of) the given values: `{ ' +
          'status: [Completed, Cancelled] }`.',
      ),
    headers: z
      .record(HeaderName, HeaderValue)
      .default({})
      .describe('Headers to add to every request: `{ X-Api-Key: … }`.'),
    allow_networks: z
      .array(network)
      .default([])
      .describe(
        'Private or local networks the receiver may be in: `["10.0.0.0/8"]`. Without it, only public ' +
          'addresses are connected to.',
      ),
    timeout: z.number().min(0.1).max(120).default(15).describe('Seconds the receiver has to answer.'),
    rate: z.number().min(0.1).max(1000).optional().describe('At most this many requests a second.'),
    coalesce: z
      .boolean()
      .default(false)
      .describe(
        'After an outage, send one event per thing with all that changed. Bookings are never merged.',
      ),
    thin: z
      .boolean()
      .default(false)
      .describe('Send only the id of the thing in `data`, for receivers that must not hold its fields.'),
    snapshot: z
      .boolean()
      .default(true)
      .describe(
        'When the connector is new, send everything there is (not bookings) as `created`, `tracked` and ' +
          '`updated` events.',
      ),
  })
  .superRefine(({ secret, secret_file }, context) => {
    if (secret !== undefined && secret_file !== undefined)
      context.addIssue({
        code: 'custom',
        path: ['secret_file'],
        message: 'is given beside secret; keep one',
      });
    if (secret === undefined && secret_file === undefined)
      context.addIssue({
        code: 'custom',
        path: ['secret'],
        message: 'is required: make one with `openssl rand -base64 24` and put whsec_ before it',
      });
  });
export type WebhookSettings = z.infer<typeof WebhookSettings>;
