/** Control characters, and bytes without a meaning in Windows-1252 (the WHATWG Encoding Standard maps them to controls). */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const meaningless = /[\x00-\x08\x0b\x0c\x0e-\x1f\x81\x8d\x8f\x90\x9d]/;

/** A sign within a word, or an opening mark after a letter, which shows another code page. */
const misplaced = /(?<=\p{L})[¢-©¬®-¹¼-¾×÷€ƒ†‡ˆ‰˜™](?=\p{L})|(?<=\p{L})[¡¿]/u;

/** Multi-byte UTF-8 characters, also truncated ones, when read as Windows-1252. */
const utf8Traces = /[À-ß][\x80-¿]|[à-ï][\x80-¿]{2}|[ð-÷][\x80-¿]{3}|[À-÷]$/;

/** No language written in Windows-1252 has such a run; Cyrillic, Greek, Arabic and Asian code pages do. */
const longRun = /[\x80-ÿ]{3}/;

/**
 * Decodes bytes that are certainly Windows-1252, as Excel saves CSV in Western Europe and the Americas; undefined when
 * they may be another code page or a mixture.
 */
export function readWindows1252(bytes: Buffer): string | undefined {
  const asBytes = bytes.toString('latin1');
  if (meaningless.test(asBytes) || utf8Traces.test(asBytes) || longRun.test(asBytes)) return undefined;
  const text = new TextDecoder('windows-1252').decode(bytes);
  return misplaced.test(text) ? undefined : text;
}
