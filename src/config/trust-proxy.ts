import { z } from 'zod';
import { network, wholeNumber } from '../domain/clinics/setting.ts';

/** How many proxies are in front (0 for none), or their networks. */
export type TrustProxy = number | readonly string[];

export const TrustProxySetting = z
  .union([z.boolean(), wholeNumber(0, 10), z.array(network).min(1)])
  .default(false)
  .describe(
    'Reverse proxies in front: how many (`true` is 1), or their networks, such as `[10.0.0.0/8]`. The ' +
      'visitor’s address is the one that the outermost of them saw. In a container: CLINIC_SYNC_TRUST_PROXY.',
  );

export const trustProxyOf = (setting: z.infer<typeof TrustProxySetting>): TrustProxy =>
  typeof setting === 'boolean' ? Number(setting) : setting;

/** A list in an environment variable. */
export const listed = (text: string): string[] => text.split(',').map((one) => one.trim());

/** The setting as text (an environment variable): `true`, `1`, `10.0.0.0/8,192.168.1.2`. */
export function trustProxyFromText(text: string): unknown {
  if (/^(true|false)$/i.test(text)) return text.toLowerCase() === 'true';
  return /^\d+$/.test(text) ? Number(text) : listed(text);
}
