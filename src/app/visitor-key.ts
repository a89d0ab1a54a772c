import { randomBytes } from 'node:crypto';
import type { Store } from '../store/store.ts';

const SCOPE = 'http';
const KEY = 'visitor_key';

/** This installation's secret for the references of visitors, made at the first start. Throws `Failure` transient. */
export async function visitorKey({ keyValue }: Pick<Store, 'keyValue'>): Promise<string> {
  // Another daemon may make one at the same moment.
  return (await keyValue.get(SCOPE, KEY)) ?? (await keyValue.keep(SCOPE, KEY, newKey()));
}

const newKey = () => randomBytes(32).toString('base64url');
