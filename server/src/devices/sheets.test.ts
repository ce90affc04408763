import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { deflateRawSync } from 'node:zlib';
import { addDays, type Envelope, type ImportResult, localMac, neutralText, plainText } from '@ams/contract';
import { CFB, read, utils, write } from '@e965/xlsx';
import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { dataOf, type Session, startTestServer } from '../../test/server.ts';
import { archive } from '../../test/hostile-files/archive.ts';
import { collidingOnce } from '../../test/meanwhile.ts';
import { rowsOf } from '../../test/sheets.ts';
import { ALL_MESSAGES } from '../platform/http/messages.ts';
import { readDate } from './sheet-dates.ts';
import { bareWord, COLUMNS } from './sheet-heads.ts';

const server = await startTestServer({ AMS_TRIAL_DAYS: '10' });
const admin = await server.login();
const boss = await server.createUser('leading');
const member = await server.createUser('member', boss);
const stranger = await server.createUser('member');

const today = new Date().toISOString().slice(0, 10);
const newMac = (): string => localMac(randomBytes(6));
type Cells = (string | number | Date | null)[];

/** A workbook as a spreadsheet program saves it. */
const book = (type: 'xlsx' | 'biff8', ...sheets: Cells[][]): Uint8Array<ArrayBuffer> => {
  const made = utils.book_new();
  sheets.forEach((rows, index) => utils.book_append_sheet(made, utils.aoa_to_sheet(rows), `Sheet ${index + 1}`));
  return new Uint8Array(write(made, { bookType: type, type: 'buffer' }));
};

async function send(
  body: RequestInit['body'],
  session: Session = boss,
  headers: Record<string, string> = {},
): Promise<Envelope<ImportResult>> {
  const reply = await fetch(`${server.url}/api/devices/import`, {
    method: 'POST',
    headers: { authorization: `Bearer ${session.token}`, ...headers },
    body,
  });
  return (await reply.json()) as Envelope<ImportResult>;
}

const form = (name: string, content: string | Uint8Array<ArrayBuffer>): FormData => {
  const made = new FormData();
  made.append('file', new File([content], name));
  return made;
};

const exported = async (session: Session, query = '', language = 'en') => {
  const reply = await fetch(`${server.url}/api/devices/export${query}`, {
    headers: { 'authorization': `Bearer ${session.token}`, 'accept-language': language },
  });
  return { reply, bytes: new Uint8Array(await reply.arrayBuffer()) };
};

const deviceBy = async (mac: string, session = boss) =>
  dataOf(await session.calls.devices.list({ query: { q: mac } })).items[0];

test('an export is a real .xls file of the filtered devices, with headings in the reader’s language', async () => {
  const mac = newMac();
  const ofBoss = newMac();
  dataOf(await boss.calls.devices.create({ body: { mac, name: '=1+1', area: 'Lyon', ownerId: member.user.id } }));
  dataOf(await boss.calls.devices.create({ body: { mac: ofBoss } }));
  const { reply, bytes } = await exported(boss, `?owner=${member.user.id}`);
  expect(reply.headers.get('content-disposition')).toBe(`attachment; filename="device MAC export ${today}.xls"`);
  expect(reply.headers.get('content-type')).toBe('application/vnd.ms-excel');
  // The signature of a compound file, and within it the stream of BIFF8 (BOF record: version 0x0600).
  expect(Buffer.from(bytes.subarray(0, 8)).toString('hex')).toBe('d0cf11e0a1b11ae1');
  expect(Buffer.from(bytes).includes(Buffer.from('0908100000060500', 'hex'))).toBe(true);
  const [heads, ...rows] = rowsOf(bytes);
  expect(heads?.slice(0, 4)).toEqual(['mac', 'name', 'owner', 'expires']);
  // The name that would run as a formula is text, and stays so wherever the file goes.
  expect(rows.map((row) => row.slice(0, 8))).toEqual([
    [mac, "'=1+1", member.user.username, addDays(today, 10), '', 'Lyon', '', 'offline'],
  ]);
  const chinese = rowsOf((await exported(member, '', 'zh')).bytes);
  expect(chinese[0]?.slice(0, 4)).toEqual(['MAC 地址', '名称', '所属用户', '到期日期']);
  expect(chinese.slice(1).map(([first]) => first)).toEqual([mac]);
  expect(rowsOf((await exported(stranger)).bytes)).toHaveLength(1);
});

test('the devices of a group are exported, and nobody exports those of a group out of scope', async () => {
  const [inside, outside] = [newMac(), newMac()];
  dataOf(await boss.calls.devices.create({ body: { mac: inside, tags: ['export group'] } }));
  dataOf(await boss.calls.devices.create({ body: { mac: outside } }));
  const body = { name: 'Exported', filter: { tags: { all: ['export group'] } } };
  const { id } = dataOf(await boss.calls.groups.create({ body }));
  const rows = rowsOf((await exported(boss, `?group=${id}`)).bytes);
  expect(rows.slice(1).map(([mac]) => mac)).toEqual([inside]);
  expect((await exported(stranger, `?group=${id}`)).reply.status).toBe(404);
});

test('chosen devices are exported, those of others left out', async () => {
  const [chosen, other] = [newMac(), newMac()];
  const { id } = dataOf(await boss.calls.devices.create({ body: { mac: chosen } }));
  dataOf(await boss.calls.devices.create({ body: { mac: other } }));
  const post = async (session: Session) => {
    const reply = await fetch(`${server.url}/api/devices/export`, {
      method: 'POST',
      headers: { 'authorization': `Bearer ${session.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ids: [id] }),
    });
    expect(reply.headers.get('content-disposition')).toContain('.xls');
    return rowsOf(new Uint8Array(await reply.arrayBuffer())).map(([mac]) => mac);
  };
  expect(await post(boss)).toEqual(['mac', chosen]);
  expect(await post(stranger)).toEqual(['mac']);
});

test('the template names the columns, explains how to fill them in, and is no import by itself', async () => {
  for (const [index, language] of ['en', 'de', 'zh', 'ar'].entries()) {
    const reply = await fetch(`${server.url}/api/devices/template`, {
      headers: { 'authorization': `Bearer ${boss.token}`, 'accept-language': language },
    });
    expect(reply.headers.get('content-disposition')).toBe('attachment; filename="batch import template.xls"');
    const bytes = new Uint8Array(await reply.arrayBuffer());
    if (index === 0) expect(rowsOf(bytes)).toEqual([['mac', 'name', 'owner', 'expires', 'tags', 'area', 'address']]);
    expect(read(bytes).SheetNames).toHaveLength(2);
    expect(await send(form('batch import template.xls', bytes))).toMatchObject({ error: 'SPREADSHEET_EMPTY' });
  }
});

test('imports valid rows and reports a reason for every other row, without naming foreign owners', async () => {
  const [good, dated, twice, taken, foreign] = [newMac(), newMac(), newMac(), newMac(), newMac()];
  dataOf(await boss.calls.devices.create({ body: { mac: taken } }));
  dataOf(await stranger.calls.devices.list());
  dataOf(await admin.calls.devices.create({ body: { mac: foreign, ownerId: stranger.user.id } }));
  const before = dataOf(await boss.calls.home.summary()).devices.total;
  const rows: Cells[] = [
    ['Devices of the new hall'],
    [],
    ['Owner', 'Remark', 'MAC address', 'Expires', 'Name'],
    ['', 'ours', good.toUpperCase().replaceAll(':', '-'), '', 'Hall 1'],
    [member.user.username.toUpperCase(), '', dated.replaceAll(':', ''), new Date(`${addDays(today, 40)}T00:00:00`), ''],
    ['', '', twice, 'never', ''],
    ['', '', twice, '', ''],
    ['', '', taken, '', ''],
    ['', '', foreign, '', ''],
    [],
    ['', '', 'not a mac', '', ''],
    ['', '', '', '', 'only a name'],
    ['nobody', '', newMac(), '', ''],
    [stranger.user.username, '', newMac(), '', ''],
    ['', '', newMac(), '03/04/2099', ''],
    ['', '', newMac(), '2020-01-01', ''],
    ['', '', newMac(), '', 'x'.repeat(61)],
    ['', '', newMac(), '', '\u3164\u200b'],
    ['', 'nothing for us', '', '', ''],
  ];
  for (const [round, type] of (['xlsx', 'biff8'] as const).entries()) {
    const { added, rejected } = dataOf(await send(book(type, rows)));
    expect(added).toBe(round === 0 ? 3 : 0);
    const reasons = rejected.map(({ row, reason }) => [row, reason]);
    const known = [4, 5, 6].map((row) => [row, 'macTaken']);
    const others = [
      [7, 'macTwice'],
      [8, 'macTaken'],
      [9, 'macTaken'],
      [11, 'macInvalid'],
      [12, 'macMissing'],
      [13, 'ownerUnknown'],
      [14, 'ownerUnknown'],
      [15, 'dateInvalid'],
      [16, 'datePast'],
      [17, 'nameLong'],
      [18, 'nameInvisible'],
    ];
    expect(reasons).toEqual(round === 0 ? others : [...known, ...others]);
    expect(rejected.find(({ row }) => row === 9)).toEqual({
      row: 9,
      mac: foreign,
      name: '',
      owner: '',
      expires: '',
      tags: '',
      area: '',
      address: '',
      reason: 'macTaken',
      message: 'A device with this MAC address already exists',
    });
    expect(rejected.find(({ row }) => row === 7)?.message).toBe('This MAC address is already in row 6');
  }
  expect(await deviceBy(good)).toMatchObject({
    name: 'Hall 1',
    owner: { id: boss.user.id },
    operator: { id: boss.user.id },
    expiresAt: addDays(today, 10),
  });
  expect(await deviceBy(dated)).toMatchObject({ owner: { id: member.user.id }, expiresAt: addDays(today, 40) });
  expect(await deviceBy(twice)).toMatchObject({ expiresAt: null });
  expect(dataOf(await boss.calls.home.summary()).devices.total).toBe(before + 3);
  const [line] = dataOf(await boss.calls.users.listAudit({ query: { limit: 1 } })).items;
  expect(line).toMatchObject({ action: 'devices.import', details: { count: 0, rejected: 14 } });
});

test.each([
  ['UTF-8 with its mark, semicolons and quoted line ends', (text: string) => Buffer.from(`\ufeff${text}`)],
  ['UTF-16 with its mark', (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')],
  ['plain UTF-8', (text: string) => Buffer.from(text)],
])('a .csv file in %s', async (_, encode) => {
  const macs = [newMac(), newMac()];
  const text = `sep=;\r\nName;MAC地址;到期日期\r\n"Zur ""Linde""\r\nhinten; links";${macs[0]};31.12.2098\r\n'+49 Straße;${macs[1]};`;
  expect(dataOf(await send(form('list.csv', encode(text))))).toEqual({ added: 2, rejected: [] });
  expect(await deviceBy(macs[0] ?? '')).toMatchObject({
    name: 'Zur "Linde"\r\nhinten; links',
    expiresAt: '2098-12-31',
  });
  // The apostrophe that kept it from being a formula is gone.
  expect(await deviceBy(macs[1] ?? '')).toMatchObject({ name: '+49 Straße' });
});

test.each([';', '\t', ','])('a .csv file with a title above its headings, separated by "%s"', async (sign) => {
  const mac = newMac();
  const lines = ['Devices of the new hall', '', ['Name', 'MAC', 'Tags'].join(sign), ['Hall 1', mac, 'a'].join(sign)];
  expect(dataOf(await send(form('list.csv', lines.join('\n'))))).toEqual({ added: 1, rejected: [] });
  expect(await deviceBy(mac)).toMatchObject({ name: 'Hall 1', tags: ['a'] });
});

test('a .csv file in the encoding that older programs write', async () => {
  const mac = newMac();
  const gbk = Buffer.concat([Buffer.from('mac,name\n'), Buffer.from(`${mac},`), Buffer.from('b1b1bea9', 'hex')]);
  dataOf(await send(gbk, boss, { 'accept-language': 'zh-CN', 'content-type': 'text/csv' }));
  expect(await deviceBy(mac)).toMatchObject({ name: '北京' });
});

test('formulas are never evaluated: a cell counts as its last displayed value', async () => {
  const mac = newMac();
  const sheet = utils.aoa_to_sheet([['mac', 'name'], [mac]]);
  sheet['B2'] = { t: 's', f: 'HYPERLINK("http://evil.example","x")', v: 'shown' };
  sheet['!ref'] = 'A1:B2';
  const made = utils.book_new();
  utils.book_append_sheet(made, sheet, 'a');
  dataOf(await send(new Uint8Array(write(made, { bookType: 'xlsx', type: 'buffer' }))));
  expect(await deviceBy(mac)).toMatchObject({ name: 'shown' });
});

test('an .ods file as LibreOffice saves it: full-width MACs are read, errors are no names', async () => {
  const bytes = new Uint8Array(readFileSync(new URL('../../test/sheets/devices.ods', import.meta.url)));
  const { added, rejected } = dataOf(await send(form('devices.ods', bytes)));
  expect(added).toBe(1);
  expect(await deviceBy('02:00:5e:00:00:01')).toMatchObject({ name: 'Lobby', expiresAt: '2098-12-31' });
  expect(rejected.map(({ row, mac, name, reason }) => [row, mac, name, reason])).toEqual([
    [4, '02-00-5e-00-00-02', '#DIV/0!', 'nameError'],
    // LibreOffice took 02005e000003 for a number in scientific notation.
    [5, '2.005e+6', '#N/A', 'macInvalid'],
    [6, '2.005e+7', '# 1', 'macInvalid'],
  ]);
});

test.each(['xlsx', 'biff8'] as const)(
  'a number is a MAC that lost its leading zeros, unless it is too short (%s)',
  async (type) => {
    const [zeros, whole] = type === 'xlsx' ? [1_234_567, 112_233_445_501] : [1_234_568, 112_233_445_502];
    const { added, rejected } = dataOf(
      await send(book(type, [['mac', 'name'], [zeros], [whole], [12_345], [7, 'Hall']])),
    );
    expect(added).toBe(2);
    expect(await deviceBy(`0000${zeros}`)).toBeDefined();
    expect(rejected.map(({ row, mac, reason }) => [row, mac, reason])).toEqual([
      [4, '12345', 'macInvalid'],
      [5, '7', 'macInvalid'],
    ]);
  },
);

test.each(['xlsx', 'biff8'] as const)('a formula that failed is no name, nor is its text (%s)', async (type) => {
  const macs = [newMac(), newMac(), newMac()];
  const sheet = utils.aoa_to_sheet([['mac', 'name'], ...macs.map((mac) => [mac, '#BEZUG!'])]);
  sheet['B2'] = { t: 'e', v: 0x17 };
  sheet['B4'] = { t: 's', v: '#1 Lobby' };
  const made = utils.book_new();
  utils.book_append_sheet(made, sheet, 'a');
  const sent = new Uint8Array(write(made, { bookType: type, type: 'buffer' }));
  const { added, rejected } = dataOf(await send(sent));
  expect(added).toBe(1);
  expect(rejected.map(({ name, reason }) => [name, reason])).toEqual([
    ['#REF!', 'nameError'],
    ['#BEZUG!', 'nameError'],
  ]);
  expect(await deviceBy(macs[2] ?? '')).toMatchObject({ name: '#1 Lobby' });
});

test.each(['area', 'address', 'tags'])('a formula that failed is no %s', async (column) => {
  const rows = [
    ['mac', column],
    [newMac(), '#N/A'],
    [newMac(), '#1 Lobby'],
  ];
  const { added, rejected } = dataOf(await send(form('list.csv', rows.map((row) => row.join(';')).join('\n'))));
  expect([added, rejected.map(({ row, reason }) => [row, reason])]).toEqual([1, [[2, 'cellError']]]);
});

/** An .ods file of these rows in XML. */
const ods = (rows: string, manifest = '<manifest/>'): Uint8Array<ArrayBuffer> =>
  new Uint8Array(
    archive([
      { name: 'mimetype', content: 'application/vnd.oasis.opendocument.spreadsheet' },
      { name: 'META-INF/manifest.xml', content: manifest },
      { name: 'styles.xml', content: '<office:document-styles/>' },
      {
        name: 'content.xml',
        content: `<office:document-content><office:body><office:spreadsheet><table:table table:name="A">${rows}</table:table></office:spreadsheet></office:body></office:document-content>`,
      },
    ]),
  );
const odsCell = (text: string, attributes = ''): string =>
  `<table:table-cell office:value-type="string" ${attributes}><text:p>${text}</text:p></table:table-cell>`;
const odsRow = (cells: string, attributes = ''): string => `<table:table-row ${attributes}>${cells}</table:table-row>`;

/** A zip whose one sheet is `megabytes` of spaces. */
function bomb(megabytes: number): Buffer<ArrayBuffer> {
  const inflated = Buffer.alloc(megabytes * 2 ** 20, ' ');
  const packed = deflateRawSync(inflated);
  const name = Buffer.from('xl/workbook.xml');
  const sizes = Buffer.alloc(30);
  sizes.writeUInt32LE(0x04034b50);
  sizes.writeUInt16LE(8, 8);
  sizes.writeUInt32LE(packed.length, 18);
  sizes.writeUInt16LE(name.length, 26);
  const central = Buffer.alloc(46);
  central.writeUInt32LE(0x02014b50);
  central.writeUInt16LE(8, 10);
  central.writeUInt32LE(packed.length, 20);
  central.writeUInt16LE(name.length, 28);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50);
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(46 + name.length, 12);
  end.writeUInt32LE(30 + name.length + packed.length, 16);
  return Buffer.concat([sizes, name, packed, central, name, end]);
}

/** First bytes of a password-protected workbook ([MS-OFFCRYPTO] 2.3.4). */
function locked(): Uint8Array<ArrayBuffer> {
  const container = CFB.utils.cfb_new();
  const info = Buffer.alloc(64);
  info.writeUInt16LE(4, 0);
  info.writeUInt16LE(4, 2);
  CFB.utils.cfb_add(container, '/EncryptionInfo', info);
  CFB.utils.cfb_add(container, '/EncryptedPackage', Buffer.alloc(4096));
  return new Uint8Array(CFB.write(container, { type: 'buffer' }));
}

test.each([
  ['6 MB', 'list.xls', () => Buffer.alloc(6 * 2 ** 20, 'x'), 413, 'TOO_LARGE'],
  ['a little more than 5 MB', 'list.xls', () => Buffer.alloc(5 * 2 ** 20 + 1, 'x'), 413, 'TOO_LARGE'],
  ['a zip bomb', 'list.xlsx', () => bomb(200), 422, 'BAD_SPREADSHEET'],
  ['an .ods bomb', 'list.ods', () => ods(odsRow(odsCell(' '.repeat(100 * 2 ** 20)))), 422, 'BAD_SPREADSHEET'],
  [
    'an .ods file of 100 million rows',
    'list.ods',
    () => ods(odsRow(odsCell('x'), 'table:number-rows-repeated="100000000"')),
    422,
    'SPREADSHEET_HEAVY',
  ],
  [
    'an .ods file of 100 million columns',
    'list.ods',
    () => ods(odsRow(odsCell('x', 'table:number-columns-repeated="100000000"'))),
    422,
    'SPREADSHEET_HEAVY',
  ],
  [
    'an .ods file with a password',
    'list.ods',
    () => ods('', '<manifest:file-entry><manifest:encryption-data/></manifest:file-entry>'),
    422,
    'SPREADSHEET_PROTECTED',
  ],
  ['half an .ods file', 'list.ods', () => ods(odsRow(odsCell('mac'))).subarray(0, 200), 422, 'BAD_SPREADSHEET'],
  ['text called .ods', 'list.ods', () => 'mac,name\n021a2b3c4d5e,x\n', 422, 'BAD_SPREADSHEET'],
  ['text called .xls', 'list.xls', () => 'mac,name\n021a2b3c4d5e,x\n', 422, 'BAD_SPREADSHEET'],
  ['HTML called .xls', 'list.xls', () => '<html><table><tr><td>mac</td></tr></table></html>', 422, 'BAD_SPREADSHEET'],
  [
    'HTML called .csv',
    'list.csv',
    () => '<html><table><tr><td>mac</td></tr></table></html>',
    415,
    'UNSUPPORTED_FORMAT',
  ],
  ['a picture', 'list.png', () => Buffer.from('89504e470d0a1a0a0000000d', 'hex'), 415, 'UNSUPPORTED_FORMAT'],
  ['an archive of something else', 'list.zip', () => Buffer.from('504b0304', 'hex'), 422, 'BAD_SPREADSHEET'],
  ['nothing', 'list.xls', () => '', 422, 'SPREADSHEET_EMPTY'],
  ['blank lines', 'list.csv', () => '\n ; ;\n', 422, 'SPREADSHEET_EMPTY'],
  ['a password', 'list.xlsx', locked, 422, 'SPREADSHEET_PROTECTED'],
  ['half a workbook', 'list.xls', () => book('biff8', [['mac'], [newMac()]]).slice(0, 900), 422, 'BAD_SPREADSHEET'],
  ['no MAC column', 'list.csv', () => 'colour,size\nred,2\n', 422, 'SPREADSHEET_HEADS'],
  ['rows on two sheets', 'a.xls', () => book('biff8', [['mac'], ['a']], [['mac'], ['b']]), 422, 'SPREADSHEET_SHEETS'],
  ['too many rows', 'a.csv', () => `mac\n${'x\n'.repeat(20_001)}`, 422, 'TOO_MANY_ROWS'],
])('%s is refused with what to do', async (_, name, content, code, error) => {
  const reply = await send(form(name, content()));
  expect(reply).toMatchObject({ code, error });
  expect(reply.message).not.toMatch(/[{}]/);
});

test('a form without a file, and one with two, are refused with the reason', async () => {
  const two = form('a.csv', 'mac');
  two.append('other', new File(['mac'], 'b.csv'));
  for (const body of [new FormData(), two]) {
    expect(await send(body)).toMatchObject({ code: 400, details: { fields: [{ message: 'Choose a file' }] } });
  }
});

test.each([
  ['a NUL', "filename*=UTF-8''a%00.csv", 'a.csv'],
  ['a plain NUL', 'filename="a\0.csv"', 'a.csv'],
  ['300 characters', `filename="${'n'.repeat(296)}.csv"`, `${'n'.repeat(196)}.csv`],
])('a file name with %s is recorded as far as it can be', async (_what, filename, recorded) => {
  const mac = newMac();
  const lines = [
    '--edge',
    `content-disposition: form-data; name="file"; ${filename}`,
    '',
    `mac\n${mac}`,
    '--edge--',
    '',
  ];
  const headers = { 'content-type': 'multipart/form-data; boundary=edge' };
  expect(dataOf(await send(lines.join('\r\n'), boss, headers))).toEqual({ added: 1, rejected: [] });
  const [line] = dataOf(await boss.calls.users.listAudit({ query: { limit: 1 } })).items;
  expect(line).toMatchObject({ action: 'devices.import', details: { file: recorded, count: 1 } });
});

test('an import that fails after its first rows records the rows that are in', async () => {
  const broken = newMac();
  await sql`
    create function refuse_mac() returns trigger language plpgsql as $$ begin raise 'broken'; end $$;
    create trigger refuse_mac before insert on devices for each row
      when (new.mac = ${sql.lit(broken)}) execute function refuse_mac()`.execute(server.deps.db);
  const macs = [...Array.from({ length: 2000 }, newMac), broken];
  const text = ['mac', ...macs].join('\n');
  try {
    expect(await send(form('many.csv', text))).toMatchObject({ code: 500 });
  } finally {
    await sql`drop function refuse_mac cascade`.execute(server.deps.db);
  }
  const lines = async () => dataOf(await boss.calls.users.listAudit({ query: { limit: 2 } })).items;
  const [line, before] = await lines();
  expect(line).toMatchObject({ action: 'devices.import', details: { file: 'many.csv', count: 2000, rejected: 0 } });
  expect(before?.details).not.toMatchObject({ file: 'many.csv' });
  expect(dataOf(await send(form('many.csv', text)))).toMatchObject({ added: 1 });
  expect((await lines())[0]).toMatchObject({ details: { count: 1, rejected: 2000 } });
});

test('an import that collides with another transaction counts its rows once', async () => {
  const mac = newMac();
  const text = ['mac', mac, newMac(), mac].join('\n');
  const { added, rejected } = dataOf(await collidingOnce(server.deps.db, 'audit', () => send(form('twice.csv', text))));
  expect([added, rejected.length]).toEqual([2, 1]);
  const [line] = dataOf(await boss.calls.users.listAudit({ query: { limit: 1 } })).items;
  expect(line).toMatchObject({ details: { file: 'twice.csv', count: 2, rejected: 1 } });
});

test('20,000 rows go in', async () => {
  const text = Array.from({ length: 20_000 }, (_, index) => `06${index.toString(16).padStart(10, '0')},n${index}`);
  expect(dataOf(await send(`mac,name\n${text.join('\n')}`, admin))).toEqual({ added: 20_000, rejected: [] });
  expect(dataOf(await admin.calls.home.summary()).devices.total).toBeGreaterThanOrEqual(20_000);
});

test('20,000 rows come out', async () => {
  const many = await server.createUser('leading');
  await sql`
    insert into devices (id, mac, name, owner_id, time_zone)
    select gen_random_uuid(), '0a:00:00:' || substr(h, 1, 2) || ':' || substr(h, 3, 2) || ':' || substr(h, 5, 2),
      'n' || n, ${many.user.id}, 'UTC'
    from (select n, lpad(to_hex(n), 6, '0') h from generate_series(1, 20000) n) numbers`.execute(server.deps.db);
  const { reply, bytes } = await exported(many);
  expect(reply.status).toBe(200);
  expect(rowsOf(bytes)).toHaveLength(20_001);
});

test('importing an export yields the same devices', async () => {
  const owner = await server.createUser('leading', boss);
  const below = await server.createUser('member', owner);
  const name = fc.oneof(
    fc.string({ maxLength: 40, unit: 'grapheme' }),
    fc.constantFrom('=1+1', "'=x", "''@y", '+49', '-', '@', "'", '", ";', 'a\nb', '﹦＝1'),
  );
  const device = fc.record({
    name: name.map((text) => text.replaceAll('\0', '').trim().slice(0, 60).toWellFormed()),
    ownerId: fc.constantFrom(owner.user.id, below.user.id),
    expiresAt: fc.oneof(
      fc.constant(null),
      fc.integer({ min: 0, max: 4000 }).map((days) => addDays(today, days)),
    ),
  });
  const list = async () =>
    dataOf(await owner.calls.devices.list({ query: { limit: 100 } }))
      .items.map(({ mac, name: called, owner: { id }, expiresAt }) => ({ mac, called, id, expiresAt }))
      .toSorted((a, b) => a.mac.localeCompare(b.mac));
  await fc.assert(
    fc.asyncProperty(fc.array(device, { minLength: 1, maxLength: 12 }), async (devices) => {
      for (const { expiresAt, ...body } of devices) {
        const { id } = dataOf(await owner.calls.devices.create({ body: { mac: newMac(), ...body } }));
        dataOf(await owner.calls.devices.update({ params: { id }, body: { expiresAt } }));
      }
      const before = await list();
      const { bytes } = await exported(owner, '', 'ja');
      for (const { id } of dataOf(await owner.calls.devices.list({ query: { limit: 100 } })).items) {
        dataOf(await owner.calls.devices.delete({ params: { id } }));
      }
      expect(dataOf(await send(bytes, owner))).toEqual({ added: devices.length, rejected: [] });
      expect(await list()).toEqual(before);
      for (const { id } of dataOf(await owner.calls.devices.list({ query: { limit: 100 } })).items) {
        dataOf(await owner.calls.devices.delete({ params: { id } }));
      }
    }),
    { numRuns: 8 },
  );
});

test('removing the apostrophe undoes adding it, for every text', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.stringMatching(/^'*[=+\-@\t\r]?.*$/)), (text) => {
      expect(plainText(neutralText(text))).toBe(text);
      expect(neutralText(text)).not.toMatch(/^[=+\-@\t\r\n]/);
    }),
  );
});

test('no heading means two columns in two languages, and every language’s are known', () => {
  const meanings = new Map<string, string>();
  for (const { sheets } of ALL_MESSAGES) {
    for (const column of COLUMNS) {
      const word = bareWord(sheets[column]);
      expect(word).not.toBe('');
      expect(meanings.get(word) ?? column).toBe(column);
      meanings.set(word, column);
    }
    // As spreadsheet programs demand of a sheet's name.
    expect(sheets.help).toMatch(/^[^[\]:*?/\\]{1,31}$/);
  }
});

test.each([
  ['2027-01-31', '2027-01-31'],
  ['2027/1/5', '2027-01-05'],
  ['2027.01.05', '2027-01-05'],
  ['2027-01-31T12:00:00Z', '2027-01-31'],
  ['20270131', '2027-01-31'],
  ['2027年1月5日', '2027-01-05'],
  ['2027년 1월 5일', '2027-01-05'],
  ['2027. 1. 5.', '2027-01-05'],
  ['5.1.2027', '2027-01-05'],
  ['31/01/2027', '2027-01-31'],
  ['01/31/2027', '2027-01-31'],
  ['4/4/2027', '2027-04-04'],
  ['٣١/٠١/٢٠٢٧', '2027-01-31'],
  ['31/01/2027 08:30', '2027-01-31'],
  ['03/04/2027', undefined],
  ['31.2.2027', undefined],
  ['1/2/27', undefined],
  ['soon', undefined],
  ['46000', undefined],
])('the date %s is read as %s', (text, date) => {
  expect(readDate(text)).toBe(date);
});

test('area and address are imported, in any language of the headings; what is too long is refused', async () => {
  const [good, long, wide] = [newMac(), newMac(), newMac()];
  const csv = [
    'MAC-Adresse;Ort;Adresse',
    `${good};Lyon;12 rue X`,
    `${long};${'x'.repeat(61)};`,
    `${wide};;${'x'.repeat(201)}`,
  ].join('\n');
  const result = dataOf(await send(form('places.csv', csv)));
  expect(result.added).toBe(1);
  expect(result.rejected).toMatchObject([
    { mac: long, reason: 'areaInvalid' },
    { mac: wide, reason: 'addressInvalid' },
  ]);
  expect(await deviceBy(good)).toMatchObject({ area: 'Lyon', address: '12 rue X' });
});

test('tags are imported and exported, and a row with a tag that is too long or with 21 tags is refused', async () => {
  const [good, long, many] = [newMac(), newMac(), newMac()];
  const tags = Array.from({ length: 21 }, (_, index) => `t${index}`).join(', ');
  const csv = [
    'MAC-Adresse;Schlagwörter',
    `${good};"Shop, LYON；shop"`,
    `${long};${'x'.repeat(31)}`,
    `${many};"${tags}"`,
  ];
  const result = dataOf(await send(form('tags.csv', csv.join('\n'))));
  expect(result.added).toBe(1);
  expect(result.rejected).toMatchObject([
    { mac: long, reason: 'tagInvalid', tags: 'x'.repeat(31) },
    { mac: many, reason: 'tooManyTags', tags },
  ]);
  expect(await deviceBy(good)).toMatchObject({ tags: ['lyon', 'shop'] });
  const [heads, row] = rowsOf((await exported(boss, '?tag=LYON&tag=shop')).bytes);
  expect([heads?.[4], row?.[4]]).toEqual(['tags', 'lyon, shop']);
});
