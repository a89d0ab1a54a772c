import { execFile } from 'node:child_process';
import { mkdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { findProgram } from '../program.ts';
import { temporaryFolder } from '../temporary-folder.ts';

/** A cell as a program holds it: a number, or a day, a time, a moment or a text as text. */
export type OpenedCell = string | number;

export const soffice = findProgram('soffice');
/** Debian's, beside Debian's Python. */
export const openpyxl = findProgram('/usr/lib/python3/dist-packages/openpyxl');

/** What LibreOffice makes of these files, all in one start; `filter` is its import filter. */
export async function inLibreOffice(paths: readonly string[], filter?: string): Promise<OpenedCell[][][]> {
  const folder = await temporaryFolder();
  await mkdir(join(folder, 'out'));
  await promisify(execFile)(
    soffice ?? '',
    [
      ...[`-env:UserInstallation=file://${folder}/profile`, '--headless'],
      ...(filter === undefined ? [] : [`--infilter=${filter}`]),
      ...['--convert-to', 'fods', '--outdir', join(folder, 'out'), ...paths],
    ],
    { maxBuffer: 16 * 2 ** 20 },
  );
  const written = paths.map((path) => join(folder, 'out', basename(path).replace(/\.\w+$/, '.fods')));
  return Promise.all(written.map(async (path) => cellsOf(await readFile(path, 'utf8'))));
}

/** The cells of the first sheet of a flat OpenDocument file. */
function cellsOf(xml: string): OpenedCell[][] {
  const sheet = /<table:table .*?<\/table:table>/s.exec(xml)?.[0] ?? '';
  return [...sheet.matchAll(/<table:table-row.*?<\/table:table-row>/gs)].map(([row]) =>
    [...row.matchAll(/<table:table-cell([^>]*?)(?:\/>|>(.*?)<\/table:table-cell>)/gs)].flatMap(
      ([, attributes = '', content = '']) => {
        const times = Number(/number-columns-repeated="(\d+)"/.exec(attributes)?.[1] ?? 1);
        // What is right of the table is repeated to the end of the sheet.
        return times > 1_000 ? [] : Array.from({ length: times }, () => cellOf(attributes, content));
      },
    ),
  );
}

function cellOf(attributes: string, content: string): OpenedCell {
  const value = (name: string) => new RegExp(`office:${name}="([^"]*)"`).exec(attributes)?.[1];
  const number = value('value');
  if (number !== undefined) return Number(number);
  const typed = value('date-value')?.replace('T', ' ') ?? value('time-value');
  if (typed !== undefined) return typed.replace(/^PT(\d+)H(\d+)M\d+S$/, '$1:$2');
  return [...content.matchAll(/<text:p[^>]*>(.*?)<\/text:p>/gs)]
    .map(([, text = '']) =>
      text.replace(/<[^>]*>/g, '').replace(/&(\w+);/g, (_, name) => entities[name] ?? ''),
    )
    .join('\n');
}

const entities: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

const SCRIPT = `
import datetime, json, sys, openpyxl
def shown(value):
    if isinstance(value, datetime.datetime):
        midnight = (value.hour, value.minute, value.second) == (0, 0, 0)
        return value.strftime('%Y-%m-%d' if midnight else '%Y-%m-%d %H:%M:%S')
    if isinstance(value, datetime.time):
        return value.strftime('%H:%M')
    return '' if value is None else value
books = [openpyxl.load_workbook(path) for path in sys.argv[1:]]
print(json.dumps([{name: [[shown(c) for c in row] for row in book[name].iter_rows(values_only=True)]
                   for name in book.sheetnames} for book in books]))`;

/** The sheets of each workbook, as openpyxl reads them. */
export async function inOpenpyxl(paths: readonly string[]): Promise<Record<string, OpenedCell[][]>[]> {
  const { stdout } = await promisify(execFile)('/usr/bin/python3', ['-c', SCRIPT, ...paths], {
    maxBuffer: 16 * 2 ** 20,
  });
  return JSON.parse(stdout);
}
