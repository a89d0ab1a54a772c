/** Values to redact from a clinic's message: servers quote what they were sent. */
interface Unsayable {
  secrets?: string[];
  patient?: { name: string; phone: string; texts: (string | undefined)[] };
}

/** A clinic's message made safe to store and show: one short line, without patient data or secrets. */
export function safeWords(text: string, { secrets = [], patient }: Unsayable): string {
  let words = text
    .slice(0, 2_000)
    .toWellFormed()
    .replace(/[\p{C}\p{Z}\s]+/gu, ' ')
    .trim();
  for (const secret of secrets) if (secret !== '') words = words.replaceAll(secret, '[secret]');
  if (patient !== undefined) {
    const { name, phone, texts } = patient;
    // The whole name first, then each word: a server may quote only the surname.
    const parts = [...texts, name, ...name.split(/[\s,;.]+/)].map((part) => part?.trim() ?? '');
    for (const part of parts) if (part.length >= 3) words = words.replace(anywhere(part), '[patient]');
    const digits = phone.replace(/\D/g, '').slice(-9);
    if (digits.length >= 6) words = words.replace(spelled(digits), '[patient]');
  }
  return words.length > MOST ? `${words.slice(0, MOST - 1)}…` : words;
}

const MOST = 300;

const anywhere = (part: string) => new RegExp(`(?<![\\p{L}\\p{N}])${literal(part)}(?![\\p{L}\\p{N}])`, 'giu');
const literal = (text: string) => text.toWellFormed().replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

/** Matches the number in any grouping and with any country code. */
const spelled = (digits: string) =>
  new RegExp(`(?:\\+?\\d[\\d() ./-]*)?${[...digits].join('[() ./-]*')}`, 'g');
