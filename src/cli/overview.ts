import { load } from './commands.ts';

/** Name and purpose of every command, in the order of the help. The bundle has them as data. */
export const overview = async (): Promise<{ name: string; describe: string }[]> =>
  (await load()).map(({ name, describe }) => ({ name, describe }));
