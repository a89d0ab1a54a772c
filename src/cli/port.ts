import type { Options } from 'yargs';

/** A number that can be listened on; anything else is a fault of the command line. */
export const portOption = (describe: string): Options & { coerce(given: unknown): number } => ({
  type: 'number',
  requiresArg: true,
  describe,
  coerce(given) {
    const port = Number(given);
    if (!Number.isInteger(port) || port < 0 || port > 65_535)
      throw new TypeError('A port is a number from 0 to 65535.');
    return port;
  },
});
