/** Texts of about `size` characters in shapes that slow careless readers down. */
const repeated = (part: string) => (size: number) =>
  part.repeat(Math.ceil(size / part.length)).slice(0, size);
const between = (before: string, part: string, after: string) => (size: number) =>
  before + repeated(part)(Math.max(0, size - before.length - after.length)) + after;

export const shapes: Readonly<Record<string, (size: number) => string>> = {
  blanks: repeated(' '),
  'blanks, then a letter': between('', ' ', 'x'),
  'a name, then blanks': between('Name: A\n', ' ', 'x'),
  tabs: between('a', '\t', 'b'),
  colons: repeated(':'),
  'blanks and colons': repeated(' :'),
  quotes: repeated('"'),
  'quotes and commas': repeated('",'),
  apostrophes: repeated("'"),
  brackets: repeated('['),
  braces: repeated('{'),
  'nested JSON': (size) => '['.repeat(size / 2) + ']'.repeat(size / 2),
  'nested objects': (size) => '{"a":'.repeat(size / 6) + '1'.padEnd(size / 6 + 1, '}'),
  placeholders: repeated('{{ '),
  backslashes: repeated('\\'),
  digits: repeated('0'),
  'digits and dots': repeated('1.'),
  'zeros before a digit': between('1.', '0', '1'),
  'lists of names': repeated(' It has: A (1)'),
  'digits with gaps': repeated('01 712-'),
  'a long number': between('{"a":', '9', '}'),
  commas: repeated(','),
  emoji: repeated('👩🏽‍⚕️'),
  'combining marks': between('a', '\u0301', ''),
  'other digits': repeated('𝟘১'),
  'marks of direction': between('a', '\u202a', 'b'),
  joiners: repeated('\u200d'),
  'equals and percents': repeated('=%'),
  ampersands: repeated('a=1&'),
  'line ends': repeated('\r\n'),
  'mixed line ends': repeated('\r\r\n\n'),
  'many fields': (size) =>
    JSON.stringify(Object.fromEntries(Array.from({ length: size / 16 }, (_, i) => [`f${i}`, 'x']))),
  'one huge field': (size) => JSON.stringify({ note: 'x '.repeat(Math.max(0, size / 2 - 8)) }),
  'one huge name': (size) => JSON.stringify({ ['n '.repeat(Math.max(0, size / 2 - 8))]: 'x' }),
  'parts of a form': repeated('--x\r\ncontent-disposition: form-data; name="a"\r\n\r\nb\r\n'),
  'slashes and dots': repeated('/../'),
  anchors: repeated('&a *a '),
};
