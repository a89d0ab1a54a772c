import { userInfo } from 'node:os';

/** Who acts at the command line: stored with every decision. */
export function actorName(): string {
  try {
    return userInfo().username;
  } catch {
    // A container's user need not have a name.
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}
