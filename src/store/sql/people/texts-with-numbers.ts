/**
 * SQL for finding phone numbers in texts. Neither database can read the digits of every script, as `mentionsPhone`
 * does, so these conditions return a superset.
 */

/** The zeros of other scripts; each is followed by its other nine digits. */
const ZEROS = [
  ...[
    0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xde6, 0xe50, 0xed0,
  ],
  ...[0xf20, 0x1040, 0x1090, 0x17e0, 0x1810, 0x1946, 0x19d0, 0x1a80, 0x1a90, 0x1b50, 0x1bb0, 0x1c40, 0x1c50],
  ...[0xa620, 0xa8d0, 0xa900, 0xa9d0, 0xa9f0, 0xaa50, 0xabf0],
].map((zero) => [zero, zero + 9] as const);
/** Other spaces and dashes, superscripts, circled numbers, full-width forms, and everything beyond 16 bits. */
const FORMS = [
  ...([
    [0xb, 0xc],
    [0xa0, 0xa0],
    [0xb2, 0xb3],
    [0xb9, 0xb9],
    [0x1680, 0x1680],
    [0x2000, 0x2017],
    // Between them are quotation marks, which our own messages have.
    [0x2020, 0x20ff],
  ] as const),
  ...([
    [0x2460, 0x24ff],
    [0x3000, 0x3000],
    [0xfe50, 0xfe6f],
    [0xfeff, 0xfeff],
    [0xff00, 0xffef],
  ] as const),
  [0x10000, 0x10ffff] as const,
];
const unusual = [...ZEROS, ...FORMS]
  .map(([first, last]) => `${String.fromCodePoint(first)}-${String.fromCodePoint(last)}`)
  .join('');

const SEPARATORS = [' ', '(', ')', '.', '-', '/', '\t', '\n', '\r'];

interface Words {
  withoutSeparators(text: string): string;
  hasFiveDigits(text: string): string;
  /** Contains a character that is not printable ASCII. */
  isBeyondAscii(text: string): string;
  /** Contains one of `unusual`. */
  isUnusual(text: string): string;
  isNoDate(text: string): string;
  contains(text: string, digits: string): string;
}

const sqlite: Words = {
  withoutSeparators: (text) =>
    SEPARATORS.reduce((inner, one) => `replace(${inner}, char(${one.charCodeAt(0)}), '')`, text),
  hasFiveDigits: (text) => `${text} GLOB '*[0-9][0-9][0-9][0-9][0-9]*'`,
  isBeyondAscii: (text) => `${text} GLOB '*[^ -~]*'`,
  // First what most texts are, Latin letters and quotation marks: many ranges cost more than storing the booking.
  isUnusual: (text) => `(${text} GLOB '*[^ -~À-ɏ‘-‟]*' AND ${text} GLOB '*[${unusual}]*')`,
  isNoDate: (text) => `${text} NOT GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'`,
  contains: (text, digits) => `instr(${text}, '${digits}')`,
};

const postgres: Words = {
  withoutSeparators: (text) => `translate(${text}, E'${SEPARATORS.join('')}', '')`,
  hasFiveDigits: (text) => `${text} ~ '[0-9]{5}'`,
  isBeyondAscii: (text) => `${text} ~ '[^ -~]'`,
  isUnusual: (text) => `${text} ~ '[${unusual}]'`,
  isNoDate: (text) => `${text} !~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$'`,
  contains: (text, digits) => `strpos(${text}, '${digits}') > 0`,
};

function conditions(say: Words) {
  /** The texts of a booking, including its own phone only if that is unreadable or unusually long. */
  const texts = `(${[
    ...['patient_name', 'address', 'doctor', 'treatment', 'note', 'message', 'appointment_time'],
    'CASE WHEN phone_e164 IS NULL OR length(patient_phone) > 20 THEN patient_phone END',
    `CASE WHEN ${say.isNoDate('appointment_date')} THEN appointment_date END`,
  ]
    .map((text) => `coalesce(${text}, '')`)
    .join(` || ',' || `)})`;
  const isUnusual = say.isUnusual(texts);
  const has = (text: string, digits: readonly string[]) => digits.map((some) => say.contains(text, some));

  return {
    /** The condition of an index: may only change with a migration. */
    withNumbers: `(phone_e164 IS NULL AND patient_phone IS NOT NULL)
  OR ${say.hasFiveDigits(say.withoutSeparators(texts))} OR ${isUnusual}`,

    /** Bookings whose texts contain one of these numbers, or must be read to tell. */
    withDigits: (digits: readonly string[]): string =>
      [
        '(phone_e164 IS NULL AND patient_phone IS NOT NULL)',
        ...has(say.withoutSeparators(texts), digits),
        isUnusual,
      ].join(' OR '),

    idsWithDigits: (digits: readonly string[]): string =>
      [...has(say.withoutSeparators('submission_id'), digits), say.isBeyondAscii('submission_id')].join(
        ' OR ',
      ),

    phonesWithDigits: (digits: readonly string[]): string =>
      `phone_e164 IS NOT NULL AND (${['1 = 0', ...has('phone_e164', digits)].join(' OR ')})`,
  };
}

export const textsFor = { sqlite: conditions(sqlite), postgres: conditions(postgres) };
