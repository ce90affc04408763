import { promises as fs } from 'node:fs';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { DiskBlobs } from './disk-blobs.ts';

let root: string;

beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'ams-blobs-'));
});

afterEach(() => rm(root, { recursive: true, force: true }));

const SHA256 = 'ab'.repeat(32);

test('a blob that is not there has no size', async () => {
  expect(await new DiskBlobs(root).size(SHA256)).toBeUndefined();
});

test('a blob that the disk cannot look up is not taken for missing', async () => {
  await symlink('ab', path.join(root, 'ab'));
  await expect(new DiskBlobs(root).size(SHA256)).rejects.toMatchObject({ code: 'ELOOP' });
});

test('a content that comes twice at once from another disk is stored whole', async () => {
  const { rename } = fs;
  const spied = vi.spyOn(fs, 'rename').mockImplementation((from, to) => {
    if (String(from).endsWith('.part')) return rename(from, to);
    return Promise.reject(Object.assign(new Error('another disk'), { code: 'EXDEV' }));
  });
  onTestFinished(() => spied.mockRestore());
  const bytes = Buffer.alloc(20_000_000, 7);
  const files = ['first', 'second'].map((name) => path.join(root, name));
  for (const file of files) await writeFile(file, bytes);
  const blobs = new DiskBlobs(path.join(root, 'blobs'));
  await Promise.all(files.map((file) => blobs.adopt(SHA256, file)));
  expect((await readFile((await blobs.borrow(SHA256)).path)).equals(bytes)).toBe(true);
  expect(await fs.readdir(path.join(root, 'blobs', 'ab'))).toEqual([SHA256]);
});
