// Fails when the lockfile lacks platform packages: made against a partial mirror, it breaks `npm ci` elsewhere.
import { readFileSync } from 'node:fs';

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
const names = new Set(Object.keys(packages).map((k) => k.slice(k.lastIndexOf('node_modules/') + 13)));
const missing = Object.entries(packages).flatMap(([k, v]) =>
  Object.keys(v.optionalDependencies ?? {})
    .filter((o) => !names.has(o))
    .map((o) => `${k} -> ${o}`),
);
if (missing.length) {
  console.error(missing.join('\n'));
  process.exit(1);
}
