import { archive, bomb, type End, type Member, ZIP64_EXTRA, zip64End } from './archive.ts';
import { join, latin1, mutate, repeat, u16le, u32le } from './bytes.ts';
import { filesOf, type HostileFile } from './file.ts';
import { LAUGHS } from './jpeg-files.ts';

const xlsx = filesOf('xlsx', 'sheet', '.xlsx');
const xls = filesOf('xls', 'sheet', '.xls');
const csv = filesOf('csv', 'sheet', '.csv');
const MOST = 0xffffffff;

const XML = '<?xml version="1.0" encoding="UTF-8"?>';
const MAIN =
  'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

const relation = (id: string, type: string, target: string, mode = ''): string =>
  `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}" ${mode}/>`;
const relations = (...some: string[]): string =>
  `${XML}<Relationships xmlns="${PACKAGE}/relationships">${some.join('')}</Relationships>`;

const text = (place: string, value: string): string => `<c r="${place}" t="inlineStr"><is><t>${value}</t></is></c>`;
const HEADS = `<row r="1">${text('A1', 'MAC')}${text('B1', 'Name')}</row>`;
/** A sheet with a column of MAC addresses, so that reading it goes all the way. */
const sheet = (rows: string, around = ''): string =>
  `${XML}<worksheet ${MAIN}>${around}<sheetData>${HEADS}${rows}</sheetData></worksheet>`;
const behind = (after: string): string =>
  `${XML}<worksheet ${MAIN}><sheetData>${HEADS}</sheetData>${after}</worksheet>`;

const SHEET = 'xl/worksheets/sheet1.xml';
const STRINGS = 'xl/sharedStrings.xml';
const STYLES = 'xl/styles.xml';

const base = (): Member[] => [
  {
    name: '[Content_Types].xml',
    content: `${XML}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/><Override PartName="/xl/sharedStrings.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sharedStrings+xml"/><Override PartName="/xl/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml"/></Types>`,
  },
  { name: '_rels/.rels', content: relations(relation('rId1', 'officeDocument', 'xl/workbook.xml')) },
  {
    name: 'xl/workbook.xml',
    content: `${XML}<workbook ${MAIN}><sheets><sheet name="A" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  },
  {
    name: 'xl/_rels/workbook.xml.rels',
    content: relations(
      relation('rId1', 'worksheet', 'worksheets/sheet1.xml'),
      relation('rId2', 'sharedStrings', 'sharedStrings.xml'),
      relation('rId3', 'styles', 'styles.xml'),
    ),
  },
  { name: SHEET, content: sheet('') },
];

/** A workbook that is taken, with these members instead of or besides its own. */
function book(changed: readonly Member[], end: End = {}): Buffer {
  const names = new Set(changed.map(({ name }) => name));
  return archive([...base().filter(({ name }) => !names.has(name)), ...changed], end);
}

const withSheet = (content: string): Buffer => book([{ name: SHEET, content }]);
const spaced = (name: string, megabytes: number, before = '', after = ''): Member => ({
  name,
  content: '',
  packed: bomb(megabytes, before, after),
});
const ENTITY =
  '<!DOCTYPE x [<!ENTITY x SYSTEM "file:///etc/passwd"><!ENTITY % y SYSTEM "http://127.0.0.1:9/x.dtd">%y;]>';
const EVERYTHING = 'A1:XFD1048576';

const bombs = (): HostileFile[] => [
  xlsx('whose sheet inflates to 1 GB', 'a decompression bomb', () => book([spaced(SHEET, 1000)])),
  xlsx('whose sheet has a cell of 60 MB', 'a decompression bomb below the limit', () =>
    book([
      spaced(
        SHEET,
        60,
        `<worksheet ${MAIN}><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>`,
        '</t></is></c></row></sheetData></worksheet>',
      ),
    ]),
  ),
  xlsx('whose texts inflate to 1 GB', 'a decompression bomb', () => book([spaced(STRINGS, 1000)])),
  xlsx('whose styles inflate to 1 GB and say 1 kB', 'a size that is trusted', () =>
    book([{ ...spaced(STYLES, 1000), says: { bytes: 1000 } }]),
  ),
  xlsx('of 40 members of 100 MB', 'a decompression bomb', () =>
    book(Array.from({ length: 40 }, (_, index) => spaced(`xl/media/${index}.xml`, 100))),
  ),
  xlsx('of 40,000 members that overlap', 'a decompression bomb of one kernel', () =>
    book([
      spaced('k', 10),
      ...Array.from({ length: 40_000 }, (_, index) => ({
        name: `a/${index}`,
        content: '',
        packed: Buffer.alloc(0),
        says: { offset: 0, packedBytes: 5000, bytes: 5_000_000 },
      })),
    ]),
  ),
  xlsx('of Zip64 with 2^63 members', 'numbers that are no safe integers', () =>
    book([], {
      entries: 0xffff,
      directoryBytes: MOST,
      directoryAt: MOST,
      before: zip64End(2n ** 63n, 2n ** 63n, 0n, 0n),
    }),
  ),
  xlsx('of a member of 2^63 bytes', 'numbers that are no safe integers', () =>
    book([
      {
        name: SHEET,
        content: 'x',
        says: { bytes: MOST, packedBytes: MOST, offset: MOST, extra: ZIP64_EXTRA(2n ** 63n) },
      },
    ]),
  ),
  xlsx('of a member that says 4 GiB', 'a buffer by the header', () =>
    book([{ name: SHEET, content: 'x', says: { bytes: MOST - 1 } }]),
  ),
  xlsx('of a directory of 4 GiB', 'a buffer by the header', () => book([], { directoryBytes: MOST })),
  ...['../../../../tmp/ams-escaped', '/tmp/ams-escaped', 'xl\\..\\..\\ams-escaped', '__proto__', 'constructor'].map(
    (name) =>
      xlsx(`with a member named ${name}`, 'a path that leaves the folder', () => book([{ name, content: 'escaped' }])),
  ),
];

const entities = (): HostileFile[] =>
  [SHEET, STRINGS, 'xl/workbook.xml', '[Content_Types].xml', '_rels/.rels', STYLES, 'docProps/core.xml'].flatMap(
    (name) => [
      xlsx(`with an external entity in ${name}`, 'a parser that reads other files', () =>
        book([
          {
            name,
            content: `${XML}${ENTITY}<worksheet ${MAIN}><sheetData><row r="1">${text('A1', '&x;')}</row></sheetData></worksheet>`,
          },
        ]),
      ),
      xlsx(`with a billion laughs in ${name}`, 'a parser that expands entities', () =>
        book([
          {
            name,
            content: `${LAUGHS}<worksheet ${MAIN}><sheetData><row r="1">${text('A1', '&lol9;')}</row></sheetData></worksheet>`,
          },
        ]),
      ),
    ],
  );

const sheets = (): HostileFile[] => [
  xlsx(`that says it is ${EVERYTHING}`, 'a table by the header', () =>
    withSheet(sheet('', `<dimension ref="${EVERYTHING}"/>`)),
  ),
  xlsx('that says it is A1:ZZZZZZZ99999999999', 'a table by the header', () =>
    withSheet(sheet('', '<dimension ref="A1:ZZZZZZZ99999999999"/>')),
  ),
  xlsx('with one cell in its last corner', 'a table by the cells', () =>
    withSheet(sheet(`<row r="1048576">${text('XFD1048576', 'x')}</row>`)),
  ),
  xlsx('with a row of 2^32 - 1', 'an array by the number of a row', () =>
    withSheet(sheet(`<row r="4294967295">${text('A4294967295', 'x')}</row>`)),
  ),
  xlsx('with a row of -1', 'an index below the first', () => withSheet(sheet(`<row r="-1">${text('A-1', 'x')}</row>`))),
  xlsx('with a column of ZZZZZZZZZZ', 'an array by the number of a column', () =>
    withSheet(sheet(`<row r="2">${text('ZZZZZZZZZZ2', 'x')}</row>`)),
  ),
  xlsx('of 300,000 empty rows', 'a loop over rows', () => withSheet(sheet('<row/>'.repeat(300_000)))),
  xlsx('of a row of 200,000 cells', 'a loop over cells', () =>
    withSheet(sheet(`<row r="2">${text('A2', 'x').repeat(200_000)}</row>`)),
  ),
  xlsx('merged 200,000 times', 'a loop over ranges', () =>
    withSheet(behind(`<mergeCells>${`<mergeCell ref="${EVERYTHING}"/>`.repeat(200_000)}</mergeCells>`)),
  ),
  xlsx('linked in every cell', 'a cell per cell of a range', () =>
    book([
      { name: SHEET, content: behind(`<hyperlinks><hyperlink ref="${EVERYTHING}" r:id="rId1"/></hyperlinks>`) },
      {
        name: 'xl/worksheets/_rels/sheet1.xml.rels',
        content: relations(relation('rId1', 'hyperlink', 'file:///etc/passwd', 'TargetMode="External"')),
      },
    ]),
  ),
  xlsx('with columns from 1 to 2^31', 'a loop over columns', () =>
    withSheet(sheet('', '<cols><col min="1" max="2147483647" width="9"/></cols>')),
  ),
  xlsx('with a formula for every cell', 'a cell per cell of a range', () =>
    withSheet(
      sheet(
        `<row r="2"><c r="A2"><f t="shared" ref="${EVERYTHING}" si="0">A1</f><v>1</v></c><c r="B2"><f t="array" ref="${EVERYTHING}">A1</f><v>1</v></c></row>`,
      ),
    ),
  ),
  xlsx('with a formula of 500,000 brackets', 'recursion', () =>
    withSheet(sheet(`<row r="2"><c r="A2"><f>${'('.repeat(500_000)}</f><v>1</v></c></row>`)),
  ),
  xlsx('with texts that are not there', 'an index out of range', () =>
    withSheet(sheet('<row r="2"><c r="A2" t="s"><v>2147483647</v></c><c r="B2" t="s"><v>-1</v></c></row>')),
  ),
  xlsx('of 500,000 texts', 'a table by the file', () =>
    book([
      {
        name: STRINGS,
        content: `<sst ${MAIN} count="4294967295" uniqueCount="4294967295">${'<si><t>x</t></si>'.repeat(500_000)}</sst>`,
      },
    ]),
  ),
  xlsx('of 300,000 styles', 'a table by the file', () =>
    book([
      {
        name: STYLES,
        content: `<styleSheet ${MAIN}><cellXfs count="4294967295">${'<xf numFmtId="14"/>'.repeat(300_000)}</cellXfs></styleSheet>`,
      },
    ]),
  ),
  xlsx('with a format of 1 MB', 'an expression that takes for ever', () =>
    book([
      {
        name: STYLES,
        content: `<styleSheet ${MAIN}><numFmts count="1"><numFmt numFmtId="200" formatCode="${'[Red]y\\-'.repeat(120_000)}"/></numFmts><cellXfs count="1"><xf numFmtId="200"/></cellXfs></styleSheet>`,
      },
      { name: SHEET, content: sheet('<row r="2"><c r="A2" s="0"><v>1e308</v></c></row>') },
    ]),
  ),
  xlsx('of 100,000 nested elements', 'recursion', () =>
    withSheet(sheet('<row r="2"><c r="A2" t="inlineStr"><is>'.repeat(100_000))),
  ),
  xlsx('with a tag of 5 MB', 'an expression that takes for ever', () =>
    withSheet(sheet(`<row r="2" ${'a="b" '.repeat(800_000)}></row>`)),
  ),
  xlsx('with tags that do not end', 'an expression that takes for ever', () =>
    withSheet(sheet('<c r="A2" <is><t'.repeat(300_000))),
  ),
  xlsx('with comments that do not end', 'an expression that takes for ever', () =>
    withSheet(sheet('<!--'.repeat(500_000))),
  ),
  xlsx('of 5,000 sheets', 'a sheet each', () =>
    book([
      {
        name: 'xl/workbook.xml',
        content: `${XML}<workbook ${MAIN}><sheets>${Array.from({ length: 5000 }, (_, index) => `<sheet name="${index}" sheetId="${index + 1}" r:id="rId1"/>`).join('')}</sheets></workbook>`,
      },
    ]),
  ),
  xlsx('whose sheet is /etc/passwd', 'a file that is not in it', () =>
    book([
      {
        name: 'xl/_rels/workbook.xml.rels',
        content: relations(relation('rId1', 'worksheet', '../../../../../../etc/passwd')),
      },
    ]),
  ),
  xlsx('whose sheet is itself', 'recursion', () =>
    book([
      {
        name: 'xl/worksheets/_rels/sheet1.xml.rels',
        content: relations(
          relation('rId1', 'worksheet', 'sheet1.xml'),
          relation('rId2', 'comments', 'sheet1.xml'),
          relation('rId3', 'drawing', '../workbook.xml'),
        ),
      },
    ]),
  ),
  xlsx('with a program in it', 'a reader of macros', () =>
    book([{ name: 'xl/vbaProject.bin', content: Buffer.alloc(100_000, 0xff) }]),
  ),
  xlsx('that is an empty archive', 'a read out of range', () => archive([])),
  xlsx('that is a document of text', 'a reader by the first bytes', () =>
    archive([{ name: 'word/document.xml', content: XML }]),
  ),
  xlsx('that is a table of OpenDocument, repeated 2^31 times', 'a cell per repetition', () =>
    archive([
      { name: 'mimetype', content: 'application/vnd.oasis.opendocument.spreadsheet', method: 0 },
      {
        name: 'META-INF/manifest.xml',
        content: '<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"/>',
      },
      {
        name: 'content.xml',
        content:
          '<office:document-content><office:body><office:spreadsheet><table:table table:name="A"><table:table-row table:number-rows-repeated="2147483647"><table:table-cell table:number-columns-repeated="2147483647" office:value-type="string"><text:p>x</text:p></table:table-cell></table:table-row></table:table></office:spreadsheet></office:body></office:document-content>',
      },
      { name: 'xl/workbook.xml', content: XML },
    ]),
  ),
];

const COMPOUND = Buffer.from('d0cf11e0a1b11ae1', 'hex');

/** The header of a compound file ([MS-CFB] 2.2) with these numbers, and sectors that all contain `link`. */
const compound = (sectorShift: number, link: number, sectors: number, directory = 1): Buffer =>
  join(
    ...[COMPOUND, Buffer.alloc(16), u16le(0x3e, 3, 0xfffe, sectorShift, 6), Buffer.alloc(6)],
    ...[
      u32le(0, sectors, directory, 0, 4096, link, MOST, link, MOST),
      u32le(...Array.from({ length: 109 }, (_, index) => index % Math.max(sectors, 1))),
    ],
    repeat(sectors * 128, u32le(link)),
  );

/** Records of BIFF8 ([MS-XLS] 2.4) without a compound file around them. */
const biff = (...records: (readonly [type: number, content: Buffer])[]): Buffer =>
  join(records.map(([type, content]) => join(u16le(type, content.length), content)));
const BOF = [0x809, join(u16le(0x600, 0x10), Buffer.alloc(12))] as const;

const oldBooks = (): HostileFile[] => [
  ...(
    [
      ['0', 0],
      ['31', 31],
      ['65,535', 65_535],
    ] as const
  ).map(([name, shift]) =>
    xls(`of sectors of 2^${name} bytes`, 'a buffer by the header', () => compound(shift, MOST, 4)),
  ),
  xls('whose sectors form a circle', 'an endless loop', () => compound(9, 0, 8)),
  xls('whose sectors lie beyond it', 'a read out of range', () => compound(9, 0x7ffffff0, 8)),
  xls('whose directory is 4 GiB away', 'a read out of range', () => compound(9, 0xfffffffe, 4, 0x7fffffff)),
  xls('that is only its beginning', 'a read out of range', () => join(COMPOUND, Buffer.alloc(4))),
  xls('of 2^32 texts', 'a table that is trusted', () => biff(BOF, [0xfc, u32le(MOST, MOST)])),
  xls('of records without end', 'a loop over records', () =>
    biff(BOF, ...Array.from({ length: 100_000 }, () => [0x3c, Buffer.alloc(4, 0xff)] as const)),
  ),
  xls('of a row of 65,535 numbers', 'a table that is trusted', () =>
    biff(BOF, [0xbd, u16le(65_535, 0, 65_535)], [0x200, u32le(MOST, MOST, MOST)]),
  ),
  ...[1, 2, 3, 4].map((seed) =>
    xls(`with noise, ${seed}`, 'whatever breaks', () => mutate(compound(9, 0xfffffffe, 20), seed, 8)),
  ),
  xls('that is a page with a table', 'a reader by the content', () =>
    latin1(`<html><table><tr><td colspan="2147483647" rowspan="2147483647">MAC</td></tr></table></html>`),
  ),
  xls('that is a table of 2003', 'a reader by the content', () =>
    latin1(
      `${XML}<?mso-application progid="Excel.Sheet"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet"><Worksheet><Table><Row ss:Index="2147483647"><Cell ss:Index="2147483647"><Data>MAC</Data></Cell></Row></Table></Worksheet></Workbook>`,
    ),
  ),
];

const plain = (): HostileFile[] => [
  csv('of one cell of 5 MB', 'a text that is trusted', () => Buffer.alloc(5_000_000, 0x41)),
  csv('of a quote that does not end', 'a scan to the end per row', () => latin1(`MAC\n${'"x\n'.repeat(1_000_000)}`)),
  csv('of 5 million columns', 'a cell each', () => join(latin1('MAC'), Buffer.alloc(5_000_000, 0x2c))),
  csv('of 5 million rows', 'a row each', () => join(latin1('MAC'), Buffer.alloc(5_000_000, 0x0a))),
  csv('of quotes only', 'a parser of quotes', () => Buffer.alloc(5_000_000, 0x22)),
  csv('of zeros', 'a guess of the encoding', () => Buffer.alloc(1_000_000)),
  csv('of UTF-16 with an odd end', 'a decoder', () => join(Buffer.from('fffe', 'hex'), Buffer.alloc(99_999, 0xd8))),
  csv('of bytes that are no text', 'a decoder', () => Buffer.alloc(1_000_000, 0xff)),
  csv('of formulas', 'a spreadsheet that runs them', () =>
    latin1(`MAC,Name\n${'=cmd|"/c calc"!A0,@SUM(1)\n'.repeat(20_000)}`),
  ),
  csv('that is a list of names of objects', 'a key that is a property of all', () =>
    latin1('__proto__,constructor,toString\n1,2,3\n'),
  ),
];

export const sheetFiles = (): HostileFile[] => [...bombs(), ...entities(), ...sheets(), ...oldBooks(), ...plain()];
