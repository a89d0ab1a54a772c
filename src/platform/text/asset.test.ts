import { globSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Script } from 'node:vm';
import { expect, it } from 'vitest';
import { assetOf } from './asset.ts';

const assets = globSync('{src,connectors}/**/assets/*').map(
  (file) => [file, pathToFileURL(resolve(file))] as const,
);

it.each(assets)('%s is sent without indentation and comments', (_file, url) => {
  expect(assetOf(url)).toMatch(/^\S/);
  expect(assetOf(url)).not.toMatch(/\n\s|^\/\/|\/\*/m);
});

it.each(assets.filter(([file]) => file.endsWith('.js')))('%s is still a script then', (_file, url) => {
  expect(() => new Script(assetOf(url))).not.toThrow();
});
