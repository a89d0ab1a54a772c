/** The hash of what was sent, of a stored hash. */
export const sentHash = (stored: string): string => stored.replace(/#\d+$/, '');

/** A content is stored under its hash, and numbered when it comes again after it was dropped for another. */
export function storedHash(sent: string, before: readonly (string | null)[]): string {
  const numbers = before.map((stored) => Number(/#(\d+)$/.exec(stored ?? '')?.[1] ?? 1));
  return numbers.length === 0 ? sent : `${sent}#${Math.max(...numbers) + 1}`;
}
