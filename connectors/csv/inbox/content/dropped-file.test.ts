import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openDropped } from './dropped-file.ts';
import { readRow } from './row.ts';

const runs = 300 * Number(process.env.VERIFY_RUNS ?? 1);
const signal = new AbortController().signal;
const lines = 'name,phone,date,time\nZoé 🦷,017,2026-04-01,10:00\n';

async function all(records: AsyncIterable<string[]>): Promise<string[][]> {
  const found: string[][] = [];
  for await (const record of records) found.push(record);
  return found;
}

describe('encodings', () => {
  it.each([
    ['UTF-8', Buffer.from(lines)],
    ['UTF-8 with a mark', Buffer.from(`\uFEFF${lines}`)],
    ['UTF-16LE', Buffer.from(`\uFEFF${lines}`, 'utf16le')],
    ['a spreadsheet’s sep= line', Buffer.from(`sep=|\r\n${lines.replaceAll(',', '|')}`)],
    ['tabs', Buffer.from(lines.replaceAll(',', '\t'))],
    [
      'more commas in a note than there are columns',
      Buffer.from(`${lines.replaceAll(',', ';').trimEnd()}, a, b, c, d, e, f\n`),
    ],
    ['commas in a file of tabs', Buffer.from(`${lines.replaceAll(',', '\t').trimEnd()}, a, b, c, d, e, f\n`)],
    ['old Mac line ends', Buffer.from(lines.replaceAll('\n', '\r'))],
    [
      'delimiters in a quoted header',
      Buffer.from(lines.replace('name', '"na;m;e;;;;"').replace('phone', 'phone,name')),
    ],
  ])('understands %s', async (_, bytes) => {
    const { file } = await openDropped(bytes, {}, signal);

    const [row = []] = file ? await all(file.records()) : [];
    expect(file?.rows).toBe(1);
    expect(row).toContain('Zoé 🦷');
  });

  it.each([
    ['big-endian UTF-16', Buffer.from([0xfe, 0xff, 0, 65, 0xd8, 0]), 'byte 4'],
    ['UTF-16 with half a pair', Buffer.from('\uFEFFab\uD83Ecd', 'utf16le'), 'byte 6'],
    [
      'UTF-8 with half a character',
      Buffer.concat([Buffer.from(lines).subarray(0, 24), Buffer.from('\n')]),
      'byte 23 (line 2) does not belong there, and its code page cannot be told for sure. Save it as “CSV ' +
        'UTF-8”, or set encoding',
    ],
    ['UTF-8 with an overlong slash', Buffer.from([97, 10, 0xc0, 0xaf]), 'byte 2 (line 2)'],
  ])('says where %s goes wrong', async (_, bytes, where) => {
    const { fault } = await openDropped(bytes, {}, signal);

    expect(fault).toContain(where);
  });
});

describe('Windows-1252', () => {
  const read = async (bytes: Buffer) => {
    const { file, fault } = await openDropped(bytes, {}, signal);
    const [row = []] = file ? await all(file.records()) : [];
    return fault ?? row[0];
  };
  const withName = (name: Buffer) =>
    Buffer.concat([Buffer.from('name,phone,date,time\n'), name, Buffer.from(',017,2026-04-01,10:00\n')]);

  it.each([
    ['French', 'Zoé d’Âme', [0x5a, 0x6f, 0xe9, 0x20, 0x64, 0x92, 0xc2, 0x6d, 0x65]],
    ['German', 'Jürgen Groß', Buffer.from('Jürgen Groß', 'latin1')],
    ['Spanish', '¿Iñigo Muñoz?', Buffer.from('¿Iñigo Muñoz?', 'latin1')],
    ['Danish', 'Søren Ågård', Buffer.from('Søren Ågård', 'latin1')],
    ['a euro sign', '€ 20', [0x80, 0x20, 0x32, 0x30]],
  ])('is read where it can be nothing else: %s', async (_, name, bytes) => {
    expect(await read(withName(Buffer.from(bytes)))).toBe(name);
  });

  it.each([
    ['a Cyrillic word (Windows-1251)', [0xc7, 0xee, 0xff]],
    ['a Polish word (Windows-1250)', Buffer.from('Pawe³ek', 'latin1')],
    ['UTF-8 in a part of it', Buffer.from('Zo\xc3\xa9 Ren\xe9', 'latin1')],
    ['a control character', [0x5a, 0x07, 0xe9]],
  ])('is not guessed at in %s', async (_, bytes) => {
    expect(await read(withName(Buffer.from(bytes)))).toMatch(/^The file is not UTF-8/);
  });
});

describe('whatever is dropped', () => {
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 400 }),
    fc.string({ unit: fc.constantFrom('"', ',', ';', '\n', '\r', '\t', '\0', 'a', '\uD800') }),
    fc.string({ unit: 'binary', maxLength: 200 }).map((text) => `name,phone,date,time\n${text}`),
    fc
      .string({ unit: 'binary', maxLength: 200 })
      .map((text) => Buffer.from(`\uFEFFname;phone;date;time\n${text}`, 'utf16le')),
  );

  it('is read to its last row, or refused with a reason', {
    timeout: 600_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(bytes, async (content) => {
        const { file, fault } = await openDropped(Buffer.from(content as string), {}, signal);

        if (file === undefined) expect(fault).toMatch(/\w.*\.$/s);
        else {
          const { headers, map, rows } = file;
          const records = await all(file.records());
          expect(records).toHaveLength(rows);
          for (const cells of records) readRow(cells, { headers, map, dateFormat: 'DD/MM/YYYY' });
        }
      }),
      { numRuns: runs },
    );
  });
});
