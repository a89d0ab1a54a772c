import { readFile, stat } from 'node:fs/promises';
import { z } from 'zod';
import { codeOf, Failure } from '../../../src/platform/failure.ts';
import { parsedJson } from '../../../src/platform/json.ts';
import type { GoogleSheetsSettings } from '../settings.ts';

/** The smallest scope for a spreadsheet that people made: `drive.file` only covers files that we made. */
export const SHEETS_SCOPE = 'https://www.googleapis.com/auth/spreadsheets';
/**
 * Shows whether a file is in the bin, which the Sheets API does not. Only service accounts request it: they see just
 * the files shared with them, while a person would have to open all of theirs.
 */
export const BIN_SCOPE = 'https://www.googleapis.com/auth/drive.metadata.readonly';
/** For Application Default Credentials; gcloud insists on the second scope. */
const CLOUD_SCOPE = 'https://www.googleapis.com/auth/cloud-platform';
export const GCLOUD_LOGIN = `gcloud auth application-default login --scopes=${SHEETS_SCOPE},${CLOUD_SCOPE}`;
export const googleTokenUrl = 'https://oauth2.googleapis.com/token';

const KeyFile = z.object({
  type: z.literal('service_account'),
  client_email: z.string().includes('@'),
  private_key: z.string().includes('PRIVATE KEY'),
  private_key_id: z.string().optional(),
  token_uri: z.url().default(googleTokenUrl),
});

/** A person's sign-in, as `connectors login` and gcloud write it. */
const SignInFile = z.object({
  type: z.literal('authorized_user'),
  client_id: z.string().min(1),
  client_secret: z.string().min(1),
  refresh_token: z.string().min(1),
  token_uri: z.url().default(googleTokenUrl),
});

/** Our identity at Google. `address` is whom the spreadsheet must be shared with, for messages. */
export type GoogleCredentials = { address: string } & (
  | { kind: 'service_account'; key: string; keyId: string | undefined; tokenUrl: string }
  | { kind: 'user'; clientId: string; clientSecret: string; refreshToken: string; tokenUrl: string }
  | { kind: 'default' }
);

/** Throws `Failure` refused, without any part of the key. */
export async function readCredentials(
  settings: GoogleSheetsSettings,
  connector: string,
): Promise<GoogleCredentials> {
  const { credentials_file: file, credentials, application_default } = settings;
  if (application_default) return { kind: 'default', address: 'this machine’s Google account' };
  const where = file ?? 'the setting credentials';
  const text = file === undefined ? (credentials ?? '') : await readKeyFile(file, connector);
  const person = SignInFile.safeParse(parsedJson(text));
  if (person.success) {
    const { client_id, client_secret, refresh_token, token_uri } = person.data;
    return {
      kind: 'user',
      address: 'the person who signed in',
      clientId: client_id,
      clientSecret: client_secret,
      refreshToken: refresh_token,
      tokenUrl: token_uri,
    };
  }
  const parsed = KeyFile.safeParse(parsedJson(text));
  if (!parsed.success)
    throw new Failure({
      kind: 'refused',
      message: `What is in ${where} is neither the key of a service account nor a sign-in.`,
      hint:
        'In the Google Cloud console choose the service account, then Keys, Add key, JSON; use that file as it ' +
        `is. Where the organization forbids keys: clinic-sync connectors login ${connector}.`,
    });
  const { client_email: address, private_key: key, private_key_id: keyId, token_uri: tokenUrl } = parsed.data;
  return { kind: 'service_account', address, key, keyId, tokenUrl };
}

export async function readKeyFile(file: string, connector?: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    const code = codeOf(cause) ?? 'unknown';
    throw new Failure({
      kind: 'refused',
      message: `The file ${file} cannot be read (${code}).`,
      hint:
        `Put the key there${connector ? ` (or sign in: clinic-sync connectors login ${connector})` : ''}, ` +
        `readable by user id ${process.getuid?.() ?? 'of the daemon'}.`,
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
