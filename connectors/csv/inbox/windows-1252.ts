/** Control characters, and bytes that mean nothing in Windows-1252 (the WHATWG Encoding Standard maps them to such). */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const meaningless = /[\x00-\x08\x0b\x0c\x0e-\x1f\x81\x8d\x8f\x90\x9d]/;

/** A sign in the middle of a word, or an opening mark right behind a letter: a letter of some other code page. */
const misplaced = /(?<=\p{L})[¢-©¬®-¹¼-¾×÷€ƒ†‡ˆ‰˜™](?=\p{L})|(?<=\p{L})[¡¿]/u;

/** Characters of two or more bytes in UTF-8, cut off at the end too, as their bytes look in Windows-1252. */
const utf8Traces = /[À-ß][\x80-¿]|[à-ï][\x80-¿]{2}|[ð-÷][\x80-¿]{3}|[À-÷]$/;

/** No word of a language written in it has more in a row; Cyrillic, Greek, Arabic and Asian code pages have. */
const longRun = /[\x80-ÿ]{3}/;

/**
 * The text of bytes that are Windows-1252 beyond doubt, as Excel saves CSV in Western Europe and the Americas; undefined
 * when they may be another code page, or a mixture.
 */
export function readWindows1252(bytes: Buffer): string | undefined {
  const asBytes = bytes.toString('latin1');
  if (meaningless.test(asBytes) || utf8Traces.test(asBytes) || longRun.test(asBytes)) return undefined;
  const text = new TextDecoder('windows-1252').decode(bytes);
  return misplaced.test(text) ? undefined : text;
}
