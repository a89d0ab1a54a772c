import { readFileSync } from 'node:fs';

declare const asset: unique symbol;
/** The text of a file of our own: a stylesheet, a script or a picture. */
export type Asset = string & { readonly [asset]: true };

/**
 * Such a file as it is sent, without indentation and comments. `file` is written as a `new URL` relative to
 * `import.meta.url`, for which the bundle holds the text: see `embeddedAssets` in scripts/bundle.ts. A script may have
 * no text of several lines, and none that looks like a comment.
 */
export const assetOf = (file: URL): Asset =>
  readFileSync(file, 'utf8')
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('//'))
    .join('\n') as Asset;
