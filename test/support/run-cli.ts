import { runCli } from '../../src/cli/cli.ts';

interface Ran {
  code: number;
  out: string;
  err: string;
}

async function* nobody() {}

/**
 * Runs one command line as a pipe would see it. `onOut` hears of each piece of text the moment it is written. `typed`:
 * lines of a person, who can then be asked.
 */
export async function runCommand(
  argv: readonly string[],
  onOut: (text: string) => void = () => {},
  typed: () => AsyncIterable<string> = nobody,
  columns = 100,
): Promise<Ran> {
  const written = { out: '', err: '' };
  const code = await runCli(argv, {
    out(text) {
      written.out += text;
      onOut(text);
    },
    err(text) {
      written.err += text;
    },
    environment: {},
    terminal: false,
    columns,
    typed,
    asks: typed !== nobody,
    signal: new AbortController().signal,
  });
  return { code, ...written };
}
