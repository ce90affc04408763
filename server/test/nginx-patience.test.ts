import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { routes } from '@ams/contract';
import { expect, test } from 'vitest';
import { APP_TASKS } from '../src/platform/sandbox/tasks.ts';

const FILE = path.resolve(import.meta.dirname, '../../docs/nginx.conf');
/** What nginx does without another setting. */
const USUAL_MS = 60_000;

/** How long nginx waits for the answer at an address, by the first regular location that fits. */
async function patienceAt(address: string): Promise<number> {
  const text = await readFile(FILE, 'utf8');
  const places = [...text.matchAll(/^ {4}location ~ (\S+) \{\n([^}]*)/gm)];
  const [, , body = ''] = places.find(([, expression = '']) => new RegExp(expression).test(address)) ?? [];
  const minutes = /proxy_read_timeout (\d+)m;/.exec(body)?.[1];
  return minutes === undefined ? USUAL_MS : Number(minutes) * 60_000;
}

test.each([
  routes.devices.export.url,
  routes.devices.exportChosen.url,
  routes.devices.import.url,
  routes.reports.export.url,
  routes.session.inviteRegisterCode.url,
])('nginx waits for %s as long as a spreadsheet may take', async (address) => {
  expect(await patienceAt(address)).toBeGreaterThanOrEqual(APP_TASKS.writeXls.limits.wallMs);
});
