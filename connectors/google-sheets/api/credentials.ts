import { readFile, stat } from 'node:fs/promises';
import { z } from 'zod';
import { codeOf, Failure } from '../../../src/platform/failure.ts';
import { parsedJson } from '../../../src/platform/json.ts';
import type { GoogleSheetsSettings } from '../settings.ts';

export const googleTokenUrl = 'https://oauth2.googleapis.com/token';

const KeyFile = z.object({
  type: z.literal('service_account'),
  client_email: z.string().includes('@'),
  private_key: z.string().includes('PRIVATE KEY'),
  private_key_id: z.string().optional(),
  token_uri: z.url().default(googleTokenUrl),
});

/** Who we are to Google. */
export interface Credentials {
  email: string;
  key: string;
  keyId: string | undefined;
  tokenUrl: string;
}

/** Throws `Failure` refused, without any part of the key. */
export async function readCredentials(settings: GoogleSheetsSettings): Promise<Credentials> {
  const { credentials_file: file, credentials } = settings;
  const where = file ?? 'the setting credentials';
  const text = file === undefined ? (credentials ?? '') : await readKeyFile(file);
  const parsed = KeyFile.safeParse(parsedJson(text));
  if (!parsed.success)
    throw new Failure({
      kind: 'refused',
      message: `What is in ${where} is not the key of a service account.`,
      hint: 'In the Google Cloud console choose the service account, then Keys, Add key, JSON; use that file as it is.',
    });
  const { client_email: email, private_key: key, private_key_id: keyId, token_uri: tokenUrl } = parsed.data;
  return { email, key, keyId, tokenUrl };
}

async function readKeyFile(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    const code = codeOf(cause) ?? 'unknown';
    throw new Failure({
      kind: 'refused',
      message: `The key file ${file} cannot be read (${code}).`,
      hint: `Put it there, readable by user id ${process.getuid?.() ?? 'of the daemon'}.`,
      cause,
    });
  }
}

/** True when other users of this machine may read the key; undefined without a file. */
export async function isOpenToOthers(file: string | undefined): Promise<boolean | undefined> {
  if (file === undefined || process.platform === 'win32') return undefined;
  const { mode } = await stat(file);
  return (mode & 0o077) !== 0;
}
