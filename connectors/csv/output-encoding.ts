/** What exported files may be written in, besides UTF-8, for programs that read nothing else. */
export const outputEncodings = [
  'utf-8',
  ...([
    'windows-1250',
    'windows-1251',
    'windows-1252',
    'windows-1253',
    'windows-1254',
    'windows-1257',
  ] as const),
] as const;
export type OutputEncoding = (typeof outputEncodings)[number];

const UNKNOWN = 0x3f;
const encoders = new Map<OutputEncoding, (text: string) => Buffer>();

export function encoder(encoding: OutputEncoding): (text: string) => Buffer {
  const known = encoders.get(encoding);
  if (known !== undefined) return known;
  const made = encoding === 'utf-8' ? (text: string) => Buffer.from(text) : singleByte(encoding);
  encoders.set(encoding, made);
  return made;
}

function singleByte(encoding: OutputEncoding): (text: string) => Buffer {
  const upper = new TextDecoder(encoding).decode(Uint8Array.from({ length: 128 }, (_, at) => at + 0x80));
  const bytes = new Map([...upper].map((letter, at) => [letter, at + 0x80]));
  const byteOf = (letter: string): number => {
    const code = letter.codePointAt(0) ?? UNKNOWN;
    if (code < 0x80) return code;
    // Without its accent, before it is lost.
    return bytes.get(letter) ?? plainByte(letter.normalize('NFD')[0] ?? '', bytes);
  };
  return (text) => Buffer.from(Array.from(text.normalize('NFC'), byteOf));
}

function plainByte(letter: string, bytes: ReadonlyMap<string, number>): number {
  const code = letter.codePointAt(0) ?? UNKNOWN;
  return code < 0x80 ? code : (bytes.get(letter) ?? UNKNOWN);
}
