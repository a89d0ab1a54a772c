import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { secretReader } from './secrets.ts';

/** What is said of an app key with this in its file. */
async function faultOf(secret: string) {
  const file = join(await temporaryFolder(), 'key');
  writeFileSync(file, secret);
  const said: { fault?: string; warning?: string } = {};
  const read = secretReader(
    (_path, message) => {
      said.fault = message;
    },
    (_path, message) => {
      said.warning = message;
    },
  );
  read(['clinics', 'main', 'app_key'], undefined, file);
  return said;
}

it.each([
  ['a no-break space', 'ke\u00a0y', 'U+00A0, character 3'],
  ['a soft hyphen', 'k\u00adey', 'U+00AD, character 2'],
  ['a zero-width space at the end', 'key\u200b', 'U+200B, character 4'],
  ['a byte order mark inside', 'ke\ufeffy', 'U+FEFF, character 3'],
  ['a tab', 'ke\ty', 'U+0009, character 3'],
  [
    'the variable of another program',
    'HIS_VARIABLE=key',
    'begins with HIS_VARIABLE=, like a line of an .env file',
  ],
])('warns of what was pasted with a secret: %s', async (_what, secret, message) => {
  expect(await faultOf(secret)).toEqual({ warning: expect.stringContaining(message) });
});

it.each(['CLINIC_APP_KEY=key', 'app_key=key', 'export APP_KEY=key', 'APP_KEY = key'])(
  'refuses a secret that is surely a line of an .env file: %s',
  async (secret) => {
    expect(await faultOf(secret)).toEqual({ fault: expect.stringContaining('like a line of an .env file') });
  },
);

it.each([
  'a2V5X2E=',
  'QUJDREVGRw==',
  'AB_CD=',
  'AB_CD==',
  'abc=def',
  'p\u00e4ss w\u00f6rd',
  'x=1&y=2',
  'KEY',
])('takes a secret as it is: %s', async (secret) => {
  expect(await faultOf(secret)).toEqual({});
});
