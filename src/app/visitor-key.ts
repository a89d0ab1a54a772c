import { randomBytes } from 'node:crypto';
import type { Store } from '../store/store.ts';

const SCOPE = 'http';
const KEY = 'visitor_key';

/** This installation's secret for the references of visitors, made at the first start. Throws `Failure` transient. */
export async function visitorKey({ keyValue }: Pick<Store, 'keyValue'>): Promise<string> {
  const known = await keyValue.get(SCOPE, KEY);
  if (known !== undefined) return known;
  const made = randomBytes(32).toString('base64url');
  await keyValue.set(SCOPE, { [KEY]: made });
  return made;
}
