/** For comparing names: one form, one case, single spaces. Never stored, never sent. */
export const fold = (text: string): string =>
  text.toWellFormed().normalize('NFKC').toLowerCase().replace(/\s+/gu, ' ').trim();
