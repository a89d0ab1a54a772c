import { expect, it } from 'vitest';
import { newStoreFile, openTestStore } from '../../test/support/store/store-file.ts';
import type { Config } from '../config/config.ts';
import { createVisitorRefs } from '../http/visitor-refs.ts';
import { installationKey } from './installation-key.ts';

/** All that the key is made of. */
const configOf = (clinicSecret: string, ...tokens: string[]) =>
  ({
    clinics: [{ secret_key: clinicSecret }],
    http: { people: tokens.map((key) => ({ name: key, role: 'desk', key })) },
  }) as unknown as Config;
const secrets = configOf('secret');

it('gives a visitor the same reference after a restart, and in no other installation', async () => {
  const file = newStoreFile();
  const refIn = async (store: Awaited<ReturnType<typeof openTestStore>>) =>
    createVisitorRefs(await installationKey(store, secrets, 'visitor_key'))('website', 'form-1');
  const first = await openTestStore(file);
  const before = await refIn(first);
  await first.close();

  const after = await refIn(await openTestStore(file));
  const elsewhere = await refIn(await openTestStore());

  expect(after).toBe(before);
  expect(elsewhere).not.toBe(before);
});

it('cannot be made from the database alone, and ends with a person’s token', async () => {
  const store = await openTestStore();
  const keyOf = (config: Config) => installationKey(store, config, 'one_tap_key');

  const keys = [
    await keyOf(configOf('secret')),
    await keyOf(configOf('another secret')),
    await keyOf(configOf('secret', 'token of Rima')),
    await keyOf(configOf('another secret', 'token of Rima')),
    await keyOf(configOf('secret', 'new token of Rima')),
    (await store.keyValue.get('http', 'one_tap_key')) ?? '',
  ];

  expect(keys[3]).toBe(keys[2]);
  expect(new Set(keys).size).toBe(5);
});
