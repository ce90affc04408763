import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readVerifyPage } from './verify-page.ts';

test('the page is served with the policy that it states itself, and not before it is built', async () => {
  const root = await mkdtemp(path.join(tmpdir(), 'ams-verify-'));
  expect(await readVerifyPage(root)).toBeUndefined();
  const html = `<html><meta http-equiv="content-security-policy" content="default-src 'none'"></html>`;
  await writeFile(path.join(root, 'verify.html'), html);
  const page = await readVerifyPage(root);
  expect(page).toMatchObject({ html });
  expect(page?.headers['content-security-policy']).toBe("default-src 'none'; frame-ancestors 'none'");
});
