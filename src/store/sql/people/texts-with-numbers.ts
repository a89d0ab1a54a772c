/**
 * SQL for finding phone numbers in texts. SQLite cannot read the digits of every script, as `mentionsPhone` does: these
 * conditions let through all it may find, and some more.
 */

/** Zeros of other scripts; the other nine digits follow each. */
const ZEROS = [
  ...[
    0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xde6, 0xe50, 0xed0,
  ],
  ...[0xf20, 0x1040, 0x1090, 0x17e0, 0x1810, 0x1946, 0x19d0, 0x1a80, 0x1a90, 0x1b50, 0x1bb0, 0x1c40, 0x1c50],
  ...[0xa620, 0xa8d0, 0xa900, 0xa9d0, 0xa9f0, 0xaa50, 0xabf0],
].map((zero) => [zero, zero + 9] as const);
/** Other spaces and dashes, superscripts, numbers in circles, full-width forms, and all beyond 16 bits. */
const FORMS = [
  ...([
    [0xb, 0xc],
    [0xa0, 0xa0],
    [0xb2, 0xb3],
    [0xb9, 0xb9],
    [0x1680, 0x1680],
    [0x2000, 0x20ff],
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
const withoutSeparators = (text: string): string =>
  SEPARATORS.reduce((inner, one) => `replace(${inner}, char(${one.charCodeAt(0)}), '')`, text);
const isUnusual = (text: string): string => `${text} GLOB '*[${unusual}]*'`;

/** The texts of a booking, with its own phone only if that is unreadable or unusually long. */
const texts = `(${[
  ...['patient_name', 'address', 'doctor', 'treatment', 'note', 'message', 'appointment_time'],
  'CASE WHEN phone_e164 IS NULL OR length(patient_phone) > 20 THEN patient_phone END',
  `CASE WHEN appointment_date NOT GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]' THEN appointment_date END`,
]
  .map((text) => `coalesce(${text}, '')`)
  .join(` || ',' || `)})`;

/** The condition of an index: it may only change with a migration. */
export const textsWithNumbers = `(phone_e164 IS NULL AND patient_phone IS NOT NULL)
  OR ${withoutSeparators(texts)} GLOB '*[0-9][0-9][0-9][0-9][0-9]*' OR ${isUnusual(texts)}`;

/** Bookings whose texts contain one of these numbers, or have to be read to tell. */
export const textsWithDigits = (digits: readonly string[]): string =>
  [
    '(phone_e164 IS NULL AND patient_phone IS NOT NULL)',
    ...has(withoutSeparators(texts), digits),
    isUnusual(texts),
  ].join(' OR ');

export const idsWithDigits = (digits: readonly string[]): string =>
  [...has(withoutSeparators('submission_id'), digits), `submission_id GLOB '*[^ -~]*'`].join(' OR ');

export const phonesWithDigits = (digits: readonly string[]): string =>
  `phone_e164 IS NOT NULL AND (${['0', ...has('phone_e164', digits)].join(' OR ')})`;

const has = (text: string, digits: readonly string[]) => digits.map((some) => `instr(${text}, '${some}')`);
