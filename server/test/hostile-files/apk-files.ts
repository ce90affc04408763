import { makeApk } from '../apk.ts';
import { archive, bomb, type End, type Member, storedMembers, ZIP64_EXTRA, zip64End } from './archive.ts';
import { join, latin1, mutate, nest, repeat, u16le, u32le, u64le } from './bytes.ts';
import { filesOf, type HostileFile } from './file.ts';
import { scanBomb } from './jpeg.ts';

const apk = filesOf('apk', 'app', '.apk');
const MANIFEST = 'AndroidManifest.xml';
const RESOURCES = 'resources.arsc';
const MOST = 0xffffffff;

/** The members of an app that is taken, with these instead of or besides its own. */
async function app(changed: readonly Member[], end: End = {}): Promise<Buffer> {
  const own = storedMembers(await makeApk(90_000));
  const names = new Set(changed.map(({ name }) => String(name)));
  return archive([...own.filter(({ name }) => !names.has(String(name))), ...changed], end);
}

const spaced = (name: string, megabytes: number): Member => ({ name, content: '', packed: bomb(megabytes) });

/** A chunk of Android's binary XML (ResourceTypes.h): type, bytes of its head, and all of its bytes. */
const resource = (
  type: number,
  head: Buffer,
  body: Buffer = Buffer.alloc(0),
  size = 8 + head.length + body.length,
): Buffer => join(u16le(type, 8 + head.length), u32le(size), head, body);

const strings = (count: number, at: number, ...texts: string[]): Buffer =>
  resource(
    1,
    u32le(count, 0, 0x100, at, 0),
    join(
      u32le(0),
      texts.map((text) => join(Buffer.from([text.length, text.length]), latin1(`${text}\0`))),
    ),
  );

const NODE = u32le(1, MOST);
const start = (attributes: number): Buffer =>
  resource(0x102, NODE, join(u32le(MOST, 0), u16le(20, 20, attributes, 0, 0, 0)));
const xml = (...chunks: Buffer[]): Buffer => resource(3, Buffer.alloc(0), join(chunks));
const manifest = (...chunks: Buffer[]): Promise<Buffer> => app([{ name: MANIFEST, content: xml(...chunks) }]);

const bombs = (): HostileFile[] => [
  apk('whose manifest inflates to 1 GB', 'a decompression bomb', () => app([spaced(MANIFEST, 1000)])),
  apk('whose resources inflate to 1 GB', 'a decompression bomb', () => app([spaced(RESOURCES, 1000)])),
  apk('whose manifest inflates to 1 GB and says 1 kB', 'a size that is trusted', () =>
    app([{ ...spaced(MANIFEST, 1000), says: { bytes: 1000 } }]),
  ),
  apk('of 20 members of 1 GB', 'a decompression bomb', () =>
    app(Array.from({ length: 20 }, (_, index) => spaced(`assets/${index}`, 1000))),
  ),
  apk('of 60,000 members that overlap', 'a decompression bomb of one kernel', () =>
    app([
      spaced('assets/kernel', 10),
      ...Array.from({ length: 60_000 }, (_, index) => ({
        name: `a/${index}`,
        content: '',
        packed: Buffer.alloc(0),
        says: { offset: 0, packedBytes: 10_000, bytes: 10_000_000 },
      })),
    ]),
  ),
  apk('in itself, 50 deep', 'recursion', () =>
    nest(50, (inner) => archive([{ name: 'a.apk', content: inner }]), Buffer.from('x')),
  ),
  apk('whose icon is a picture of 883 scans', 'a decoder of pictures', () =>
    app([{ name: 'res/icon.png', content: scanBomb(), method: 0 }]),
  ),
  apk('whose assets are a member of 20 MB', 'a limit by the size', () =>
    app([{ name: 'assets/x', content: Buffer.alloc(20_000_000, 1) }]),
  ),
];

const lies = (): HostileFile[] => [
  apk('of 65,535 members that are not there', 'a table that is trusted', () => app([], { entries: 65_535 })),
  apk('of a directory of 4 GiB', 'a buffer by the header', () => app([], { directoryBytes: MOST })),
  apk('of a directory beyond the file', 'a read out of range', () => app([], { directoryAt: MOST - 1 })),
  apk('of Zip64 that points at itself', 'an endless loop', () =>
    app([], { entries: 0xffff, directoryBytes: MOST, directoryAt: MOST, before: zip64End(2n, 100n, 0n, 0n) }),
  ),
  apk('of Zip64 with 2^63 members', 'numbers that are no safe integers', () =>
    app([], {
      entries: 0xffff,
      directoryBytes: MOST,
      directoryAt: MOST,
      before: zip64End(2n ** 63n, 2n ** 63n, 2n ** 63n, 2n ** 63n),
    }),
  ),
  apk('of a member of 2^63 bytes', 'numbers that are no safe integers', () =>
    app([
      {
        name: MANIFEST,
        content: 'x',
        says: { bytes: MOST, packedBytes: MOST, offset: MOST, extra: ZIP64_EXTRA(2n ** 63n) },
      },
    ]),
  ),
  apk('of a member of 4 GiB', 'a buffer by the header', () =>
    app([{ name: MANIFEST, content: 'x', says: { bytes: MOST - 1, packedBytes: MOST - 1 } }]),
  ),
  apk('of a member beyond the file', 'a read out of range', () =>
    app([{ name: MANIFEST, content: 'x', says: { offset: MOST - 1 } }]),
  ),
  apk('of encrypted members', 'a reader of secrets', () => app([{ name: MANIFEST, content: 'x', says: { flags: 1 } }])),
  apk('packed in an unknown way', 'a reader of packings', () => app([{ name: MANIFEST, content: 'x', method: 99 }])),
  apk('with two manifests', 'the first or the last', async () => {
    const own = storedMembers(await makeApk(90_001));
    return archive([
      ...own,
      ...own.filter(({ name }) => name === MANIFEST).map((one) => ({ ...one, content: Buffer.alloc(100, 0xff) })),
    ]);
  }),
  apk('whose manifest has another name in front of it', 'two names of one member', () =>
    app([{ name: MANIFEST, content: 'x', localName: 'evil.dex' }]),
  ),
  apk('with a comment that is an archive', 'the first end record or the last', () =>
    app([], { comment: archive([{ name: MANIFEST, content: 'x' }]) }),
  ),
  apk('of 65,535 members', 'a search per member', () =>
    app(Array.from({ length: 65_000 }, (_, index) => ({ name: `a/${index}`, content: '', method: 0 }))),
  ),
  apk('of names of 65,000 bytes', 'a text that is trusted', () => app(longNames(50))),
  apk('that ends in its directory', 'a read out of range', async () => (await app([])).subarray(0, -60)),
  apk('of a file whose numbers are all ones', 'whatever breaks', async () =>
    join((await app([])).subarray(0, 60), Buffer.alloc(5000, 0xff)),
  ),
];

const longNames = (count: number): Member[] =>
  Array.from({ length: count }, (_, index) => ({ name: `${index}${'n'.repeat(65_000)}`, content: '' }));

const NAMES = [
  '../../../../../../tmp/ams-escaped',
  '/tmp/ams-escaped',
  'C:\\ams-escaped',
  '..\\..\\ams-escaped',
  'a\0b',
  'res/../../../x',
  './.',
  '',
];

const names = (): HostileFile[] =>
  NAMES.map((name) =>
    apk(`with a member named ${JSON.stringify(name)}`, 'a path that leaves the folder', () =>
      app([{ name, content: 'escaped' }]),
    ),
  );

const signing = (): HostileFile[] => [
  ...(
    [
      ['nothing', 0n],
      ['2^63', 2n ** 63n],
      ['itself', 16n],
    ] as const
  ).map(([name, size]) =>
    apk(`with a signing block of ${name} bytes`, 'a length that is trusted', async () => {
      const whole = await app([]);
      const at = whole.lastIndexOf(latin1('PK\x05\x06'));
      const directoryAt = whole.readUInt32LE(at + 16);
      const block = join(
        u64le(size),
        u64le(size),
        u32le(0x7109871a),
        Buffer.alloc(40, 0xff),
        u64le(size),
        latin1('APK Sig Block 42'),
      );
      const moved = join(whole.subarray(0, directoryAt), block, whole.subarray(directoryAt));
      moved.writeUInt32LE(directoryAt + block.length, at + block.length + 16);
      return moved;
    }),
  ),
  apk('with a certificate of 10,000 nested sequences', 'recursion', () =>
    app([
      {
        name: 'META-INF/CERT.RSA',
        content: nest(10_000, (inner) =>
          join(
            Buffer.from([0x30, 0x83]),
            Buffer.from([inner.length >> 16, inner.length >> 8, inner.length & 0xff]),
            inner,
          ),
        ),
      },
    ]),
  ),
  apk('with a list of hashes that inflates to 500 MB', 'a decompression bomb', () =>
    app([spaced('META-INF/MANIFEST.MF', 500), spaced('META-INF/CERT.SF', 500)]),
  ),
];

const contents = (): HostileFile[] => [
  apk('whose manifest is text', 'a parser of XML', () => app([{ name: MANIFEST, content: '<manifest package="x"/>' }])),
  apk('whose manifest is empty', 'a read out of range', () => app([{ name: MANIFEST, content: '' }])),
  apk('whose manifest has 2^32 strings', 'a table that is trusted', () => manifest(strings(MOST, 28, 'manifest'))),
  apk('whose manifest has strings far away', 'a read out of range', () => manifest(strings(1, MOST, 'manifest'))),
  apk('whose manifest has chunks of no bytes', 'an endless loop', () =>
    manifest(resource(0x102, NODE, Buffer.alloc(0), 0)),
  ),
  apk('whose manifest has chunks of 4 GiB', 'a length that is trusted', () =>
    manifest(resource(0x102, NODE, Buffer.alloc(0), MOST)),
  ),
  apk('whose manifest has 65,535 attributes', 'a table that is trusted', () =>
    manifest(strings(1, 28, 'manifest'), start(65_535)),
  ),
  apk('whose manifest nests 300,000 deep', 'recursion', () =>
    manifest(strings(1, 28, 'manifest'), repeat(300_000, start(0))),
  ),
  apk('whose resources are noise', 'a parser of tables', () =>
    app([{ name: RESOURCES, content: Buffer.alloc(100_000, 0xff) }]),
  ),
  apk('whose resources have packages of no bytes', 'an endless loop', () =>
    app([
      {
        name: RESOURCES,
        content: resource(2, u32le(MOST), repeat(10, resource(0x200, Buffer.alloc(280), Buffer.alloc(0), 0))),
      },
    ]),
  ),
  apk('whose resources have 2^32 entries', 'a table that is trusted', () =>
    app([{ name: RESOURCES, content: resource(2, u32le(1), resource(0x201, u32le(1, MOST, 84), Buffer.alloc(64))) }]),
  ),
  ...Array.from({ length: 8 }, (_, index) =>
    apk(`with noise in its manifest, ${index + 1}`, 'whatever breaks', async () => {
      const own = storedMembers(await makeApk(90_002 + index));
      return archive(
        own.map((one) =>
          one.name === MANIFEST ? { ...one, content: mutate(Buffer.from(one.content), index + 1) } : one,
        ),
      );
    }),
  ),
];

export const apkFiles = (): HostileFile[] => [...bombs(), ...lies(), ...names(), ...signing(), ...contents()];
