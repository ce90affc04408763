import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
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
