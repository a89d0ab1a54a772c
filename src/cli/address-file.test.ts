import { readFileSync, renameSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { isKnownReady, tellAddress } from './address-file.ts';

/** A daemon's `/readyz` on this machine that answers with this status. */
async function readyz(status: number): Promise<string> {
  const server = createServer((_request, response) => response.writeHead(status).end());
  onTestFinished(() => void server.close());
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/readyz`;
}

const fileIn = async () => ({ CLINIC_SYNC_ADDRESS_FILE: join(await temporaryFolder(), 'address') });

describe('the address that a daemon tells', () => {
  it.each([
    [200, true],
    [503, false],
  ])('is asked for health: %s', async (status, isReady) => {
    const environment = await fileIn();
    tellAddress(environment, await readyz(status));

    expect(await isKnownReady(environment)).toBe(isReady);
  });

  it('says nothing when it is old, missing or not asked for', async () => {
    const environment = await fileIn();
    expect(await isKnownReady({})).toBe(false);
    expect(await isKnownReady(environment)).toBe(false);
    tellAddress(environment, 'http://127.0.0.1:9/readyz');
    expect(await isKnownReady(environment)).toBe(false);
  });

  it('is not told and does not stay when it is not on this machine', async () => {
    const environment = await fileIn();
    tellAddress(environment, await readyz(200));
    tellAddress(environment, 'http://192.0.2.1:8080/readyz');

    expect(await isKnownReady(environment)).toBe(false);
  });

  it('is readable for its owner only, and written through no link', async () => {
    const environment = await fileIn();
    const file = environment.CLINIC_SYNC_ADDRESS_FILE;
    writeFileSync(`${file}-of-others`, 'untouched');
    symlinkSync(`${file}-of-others`, file);

    tellAddress(environment, await readyz(200));

    expect(readFileSync(`${file}-of-others`, 'utf8')).toBe('untouched');
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it.each([
    ['a link', (file: string) => [renameSync(file, `${file}-real`), symlinkSync(`${file}-real`, file)]],
    ['more than an address', (file: string) => writeFileSync(file, `${readFileSync(file, 'utf8')}?x=1`)],
  ])('is not believed when the file is %s', async (_name, spoil) => {
    const environment = await fileIn();
    tellAddress(environment, await readyz(200));
    expect(await isKnownReady(environment)).toBe(true);

    spoil(environment.CLINIC_SYNC_ADDRESS_FILE);

    expect(await isKnownReady(environment)).toBe(false);
  });
});
