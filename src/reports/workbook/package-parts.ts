/**
 * Styles by position in `cellXfs`. A decimal keeps its places, so 10.50 stays 10.50; money has those of its currency.
 */
export const formats = [
  '',
  '@',
  'yyyy-mm-dd',
  'hh:mm',
  'yyyy-mm-dd hh:mm:ss',
  '0',
  '0.0',
  '0.00',
  '0.000',
  '0.0000',
];
export const style = {
  general: 0,
  text: 1,
  date: 2,
  time: 3,
  instant: 4,
  decimal: 5,
  header: formats.length,
};

export const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
export const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const relations = 'http://schemas.openxmlformats.org/package/2006/relationships';
export const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const application = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

const numbers = (count: number) => Array.from({ length: count }, (_, i) => i + 1);
const override = (part: string, type: string) =>
  `<Override PartName="/xl/${part}.xml" ContentType="${application}.${type}+xml"/>`;
export const contentTypes = (sheets: number, tables: number) =>
  `${declaration}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">${[
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>',
    '<Default Extension="xml" ContentType="application/xml"/>',
    override('workbook', 'sheet.main'),
    ...numbers(sheets).map((n) => override(`worksheets/sheet${n}`, 'worksheet')),
    ...numbers(tables).map((n) => override(`tables/table${n}`, 'table')),
    override('styles', 'styles'),
  ].join('')}</Types>`;
export const packageRelations =
  `${declaration}<Relationships xmlns="${relations}">` +
  `<Relationship Id="rId1" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`;
/** Relation 2 is the stylesheet. */
const relationOf = (sheet: number) => (sheet === 1 ? 1 : sheet + 1);
export const workbookRelations = (sheets: number) =>
  `${declaration}<Relationships xmlns="${relations}">${[
    `<Relationship Id="rId2" Type="${office}/styles" Target="styles.xml"/>`,
    ...numbers(sheets).map(
      (n) =>
        `<Relationship Id="rId${relationOf(n)}" Type="${office}/worksheet" Target="worksheets/sheet${n}.xml"/>`,
    ),
  ].join('')}</Relationships>`;
export const sheetRelations =
  `${declaration}<Relationships xmlns="${relations}">` +
  `<Relationship Id="rId1" Type="${office}/table" Target="../tables/table1.xml"/></Relationships>`;
/** Prints each sheet one page wide, and repeats the column names on every page of the first `printed` sheets. */
export const pageSetup = '<pageSetup orientation="landscape" fitToWidth="1" fitToHeight="0"/>';
export const workbook = (names: readonly string[], printed: number) =>
  `${declaration}<workbook xmlns="${main}" xmlns:r="${office}"><sheets>${names
    .map(
      (name, at) =>
        `<sheet name="${name.slice(0, 31)}" sheetId="${at + 1}" r:id="rId${relationOf(at + 1)}"/>`,
    )
    .join('')}</sheets><definedNames>${names
    .slice(0, printed)
    .map(
      (name, at) =>
        `<definedName name="_xlnm.Print_Titles" localSheetId="${at}">'${name.slice(0, 31)}'!$1:$1</definedName>`,
    )
    .join('')}</definedNames></workbook>`;

const FIRST_CUSTOM_FORMAT = 164;
export const styles = (() => {
  const custom = formats.map((format, index) => ({ format, id: FIRST_CUSTOM_FORMAT + index }));
  const named = custom.filter(({ format }) => format !== '' && format !== '@');
  const numFmts = named.map(({ format, id }) => `<numFmt numFmtId="${id}" formatCode="${format}"/>`).join('');
  // 0 and 49 are the built-in General and Text.
  const idOf = ({ format, id }: { format: string; id: number }) =>
    format === '' ? 0 : format === '@' ? 49 : id;
  const xfs = custom
    .map(
      (entry) =>
        `<xf numFmtId="${idOf(entry)}" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>`,
    )
    .join('');
  const header = '<xf numFmtId="49" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/>';
  return (
    `${declaration}<styleSheet xmlns="${main}"><numFmts count="${named.length}">${numFmts}</numFmts>` +
    '<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/>' +
    '<name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill>' +
    '<patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders>' +
    '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
    `<cellXfs count="${formats.length + 1}">${xfs}${header}</cellXfs><cellStyles count="1">` +
    '<cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>'
  );
})();
