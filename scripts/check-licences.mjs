// Fails when a production package has no licence or one that is not listed here.
import { readFileSync } from 'node:fs';

const allowed = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  // How url-template names its BSD-3-Clause.
  'BSD',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'Unlicense',
  'WTFPL',
]);

/** Evaluates an SPDX expression of names, AND, OR and parentheses. */
function isAllowed(expression) {
  const bare = expression.replace(/^\((.*)\)$/, '$1');
  if (bare.includes(' OR ')) return bare.split(' OR ').some(isAllowed);
  return bare.split(' AND ').every((name) => allowed.has(name.replace(/[()]/g, '')));
}

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
const production = Object.entries(packages).filter(
  ([path, { dev, devOptional }]) => path !== '' && !dev && !devOptional,
);
const refused = production.filter(
  ([, { license }]) => typeof license !== 'string' || !isAllowed(license.trim()),
);
for (const [path, { license }] of refused)
  console.error(`${path.replace(/^.*node_modules\//, '')}: ${license ?? 'no licence named'}`);
if (refused.length > 0 || production.length === 0) process.exit(1);
