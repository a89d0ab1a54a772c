/** Western digits for those of any script: ০১৭১২ and ٠١٧١٢ become 01712. Also applies NFKC; ASCII is unchanged. */
export const westernDigits = (text: string): string =>
  /[^ -~]/.test(text) ? text.normalize('NFKC').replace(/\p{Nd}/gu, digitValue) : text;

/** In Unicode, the ten digits of a script are consecutive, zero first. */
function digitValue(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let value = 0;
  while (/\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value += 1;
  return String(value % 10);
}
