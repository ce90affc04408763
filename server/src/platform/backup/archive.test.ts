import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { pack } from 'tar-stream';
import { afterAll, describe, expect, test } from 'vitest';
import { DiskBlobs } from '../../blobs/disk-blobs.ts';
import { BackupError, blobMember, type Contents, CONTENTS_MEMBER, memberOf, tableMember } from './archive.ts';
import { readArchive } from './read.ts';
import { Sealing } from './seal.ts';
import { sha256Of } from '../sandbox/unparsable.ts';

const folder = await mkdtemp(path.join(tmpdir(), 'ams-archive-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

const KEY = Buffer.alloc(32, 7);

const table = gzipSync('{"id":1}\n');
const blobs = [Buffer.from('a stored file'), Buffer.alloc(3000, 'b')];

interface Part {
  name: string;
  bytes: Buffer;
  type?: 'file' | 'symlink';
}

const CONTENTS: Contents = {
  ...{ format: 2, madeAt: '2026-11-22T00:00:00.000Z', migrations: ['0001_users'], partitions: [], lost: [] },
  tables: [{ name: 'users', rows: 1, sha256: sha256Of(table) }],
  blobs: blobs.map(sha256Of),
};
const parts = (contents: unknown = CONTENTS): Part[] => [
  { name: tableMember('users'), bytes: table },
  ...blobs.map((bytes) => ({ name: blobMember(sha256Of(bytes)), bytes })),
  { name: CONTENTS_MEMBER, bytes: Buffer.from(JSON.stringify(contents)) },
];

async function tarOf(members: Part[]): Promise<Buffer> {
  const archive = pack();
  for (const { bytes, ...header } of members) archive.entry(header, bytes);
  archive.finalize();
  return buffer(archive);
}

function seal(tar: Buffer): Buffer {
  const sealing = new Sealing(KEY);
  sealing.resume().write(tar);
  return Buffer.concat([tar, Buffer.from(sealing.seal())]);
}

const whole = seal(await tarOf(parts()));

/** Outcome of a restore: whether it reached the database, and which blobs it left. */
async function restore(bytes: Buffer, key?: Buffer): Promise<{ error: unknown; reached: boolean; left: string[] }> {
  const place = await mkdtemp(path.join(folder, 'restore-'));
  const file = path.join(place, 'archive');
  await writeFile(file, bytes);
  let reached = false;
  const target = {
    connection: {},
    blobs: new DiskBlobs(path.join(place, 'blobs')),
    migrate: () => {
      reached = true;
      return Promise.reject(new BackupError('reached the database'));
    },
  };
  const error: unknown = await readArchive(file, target, key).catch((caught: unknown) => caught);
  const left = await readdir(place, { recursive: true });
  await rm(place, { recursive: true });
  return { error, reached, left: left.filter((name) => name !== 'archive' && !/^blobs(\/..)?$/.test(name)) };
}

const oneLine = expect.objectContaining({ name: 'BackupError', message: expect.stringMatching(/^[^\n]+$/) });

/** Every way in which bytes change on their way: flipped, cut out, repeated, moved, added. */
const spoil = (bytes: Buffer): fc.Arbitrary<Buffer> => {
  const at = fc.nat(bytes.length - 1);
  const block = fc.nat(Math.floor(bytes.length / 512) - 1).map((index) => index * 512);
  const slice = (from: number): Buffer => bytes.subarray(from, from + 512);
  return fc
    .oneof(
      fc.tuple(at, fc.integer({ min: 1, max: 255 })).map(([where, mask]) => {
        const copy = Buffer.from(bytes);
        copy[where] = (copy[where] ?? 0) ^ mask;
        return copy;
      }),
      at.map((end) => bytes.subarray(0, end)),
      at.map((start) => bytes.subarray(start + 1)),
      fc.tuple(at, at).map(([from, to]) => Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)])),
      fc
        .tuple(block, block)
        .map(([from, to]) => Buffer.concat([bytes.subarray(0, to), slice(from), bytes.subarray(to)])),
      fc
        .tuple(at, fc.uint8Array({ minLength: 1, maxLength: 600 }))
        .map(([where, added]) => Buffer.concat([bytes.subarray(0, where), added, bytes.subarray(where)])),
    )
    .filter((spoilt) => !spoilt.equals(bytes));
};

test('the whole archive is read', async () => {
  expect(await restore(whole, KEY)).toMatchObject({ reached: true, left: [] });
});

test('an archive with any damaged bytes is refused in one line before anything is stored', async () => {
  await fc.assert(
    fc.asyncProperty(spoil(whole), async (bytes) => {
      expect(await restore(bytes, KEY)).toEqual({ error: oneLine, reached: false, left: [] });
    }),
    { numRuns: 300 },
  );
});

test('without a key, a damaged archive is refused in one line, or nothing that matters is damaged', async () => {
  await fc.assert(
    fc.asyncProperty(spoil(whole), async (bytes) => {
      expect(await restore(bytes)).toMatchObject({ error: oneLine, left: [] });
    }),
    { numRuns: 300 },
  );
});

describe('an archive that was made to harm is refused, even with a seal that fits', () => {
  const [first, ...others] = parts();
  const bomb = { ...CONTENTS, tables: [{ name: 'users', rows: 1, sha256: sha256Of(gzipSync(Buffer.alloc(9))) }] };
  const cases: [string, Part[]][] = [
    ['a name that leads elsewhere', [{ name: 'tables/../../etc/passwd.jsonl.gz', bytes: table }, ...others]],
    ['an absolute name', [{ name: '/tables/users.jsonl.gz', bytes: table }, ...others]],
    ['a link', [{ name: tableMember('users'), bytes: Buffer.alloc(0), type: 'symlink' }, ...others]],
    ['a member twice', [...(first ? [first, first] : []), ...others]],
    ['a member that is missing', others],
    [
      'a member that is not on the list',
      [...parts().slice(0, -1), { name: tableMember('files'), bytes: table }, ...parts().slice(-1)],
    ],
    ['another order', parts().toReversed()],
    ['a list that is none', parts('hello')],
    ['a list of something else', parts(bomb)],
    ['a list of the format to come', parts({ ...CONTENTS, format: 3 })],
    ['a partition that is a statement', parts({ ...CONTENTS, partitions: ["copy users to program 'id'"] })],
    ['no member', []],
  ];
  test.each(cases)('%s', async (_what, members) => {
    const bytes = seal(await tarOf(members));
    expect(await restore(bytes, KEY)).toEqual({ error: oneLine, reached: false, left: [] });
  });

  test('a member that claims to be larger than all', async () => {
    const tar = await tarOf([{ name: tableMember('users'), bytes: table }]);
    tar.write('77777777777\0', 124, 'latin1');
    tar.write('        ', 148, 'latin1');
    const sum = tar.subarray(0, 512).reduce((total, byte) => total + byte, 0);
    tar.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
    expect(await restore(seal(tar), KEY)).toEqual({ error: oneLine, reached: false, left: [] });
  });
});

test('no name but those of members is a member', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.constantFrom('', 'tables/', 'blobs/'), (name, kind) => {
      const member = memberOf(kind + name);
      if (member && member.kind !== 'contents') expect(member.name).toMatch(/^[a-z0-9_]+$/);
    }),
  );
});
